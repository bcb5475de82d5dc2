import { Harness } from '../../tools/harness/harness.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { Random } from '../../tools/random.js';

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_260_302);
const ORDERS = Number(process.env['PROPERTY_RUNS'] ?? 8);

const HOURS = 60;
const START = Date.parse('2026-03-02T06:00:00Z');
/** So many hours after the beginning. */
const at = (hours: number): string => new Date(START + hours * 3_600_000).toISOString();
/** In these hours no bottle reports. */
const OFFLINE = { from: 23, to: 33 };
const isOnline = (hour: number): boolean => hour < OFFLINE.from || hour >= OFFLINE.to;

/** Something that is reported, or that staff enter, about a bottle. */
interface Entry {
  /** From this hour on it can be. */
  from: number;
  /** It comes after this one. */
  after?: Entry;
  make: (bottle: TestBottle, known: Map<Entry, string>) => Promise<unknown>;
}

describe('a period entered in any order with reports and statements', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await Harness.start('period-orders', at(0));
  });
  afterAll(() => harness?.stop());

  const staff = () => asAdmin(harness.support);

  function removal(hours: number, pills = 1): Entry {
    const body = { action: 'closed', time: at(hours), pills_taken: pills };
    return { from: hours, make: (bottle) => bottle.post('/v1/actions', body).expect(201) };
  }

  function period(reason: string, from: number, to?: number): Entry {
    const entry: Entry = {
      from: 0,
      make: async (bottle, known) => {
        const body = { reason, from: at(from), ...(to !== undefined && { to: at(to) }) };
        const made = await staff().post(`/v1/bottles/${bottle.id}/periods`).send(body).expect(201);
        known.set(entry, made.body.id);
      },
    };
    return entry;
  }

  function changed(after: Entry, body: object): Entry {
    return {
      from: 0,
      after,
      make: (bottle, known) =>
        staff()
          .patch(`/v1/bottles/${bottle.id}/periods/${known.get(after)}`)
          .send(body)
          .expect(200),
    };
  }

  function removed(after: Entry): Entry {
    return {
      from: 0,
      after,
      make: (bottle, known) =>
        staff()
          .delete(`/v1/bottles/${bottle.id}/periods/${known.get(after)}`)
          .expect(204),
    };
  }

  function statement(dose: number, body: object): Entry {
    const entry: Entry = {
      from: dose + 1,
      make: async (bottle, known) => {
        const path = `/v1/bottles/${bottle.id}/attestations`;
        const made = await staff()
          .post(path)
          .send({ scheduled_at: at(dose), ...body })
          .expect(201);
        known.set(entry, made.body.id);
      },
    };
    return entry;
  }

  function withdrawn(after: Entry): Entry {
    return {
      from: 0,
      after,
      make: (bottle, known) =>
        staff()
          .post(`/v1/bottles/${bottle.id}/attestations/${known.get(after)}/withdraw`)
          .send({})
          .expect(201),
    };
  }

  /** Doses are due 2, 6, 10 and so on hours after the beginning. */
  function entries(): Entry[] {
    const byMistake = period('device_fault', 9, 20);
    const journey = period('travel', 28, 32);
    const doubted = statement(6, { kind: 'taken' });
    return [
      removal(1.9),
      removal(10.2),
      removal(14.1, 2),
      removal(26.05),
      // in a period, and beside the dose of one that is removed
      removal(38.1),
      removal(46, 1),
      removal(54.5),
      // pills that are removed in a hospital stay are extra only if it was entered before (PERIOD-6)
      period('travel', 37, 43),
      byMistake,
      removed(byMistake),
      journey,
      changed(journey, { to: at(36) }),
      period('pause', 49.5, 50.5),
      statement(18, { kind: 'taken', taken_at: at(18.5) }),
      statement(38, { kind: 'skipped', reason: 'not_needed' }),
      statement(42, { kind: 'taken' }),
      doubted,
      withdrawn(doubted),
    ];
  }

  /** The hour of each: as early as it can be, or any later one, at which the bottle reports. */
  function hoursOf(all: readonly Entry[], random: Random | undefined): Map<Entry, number> {
    const hours = new Map<Entry, number>();
    for (const entry of all) {
      const first = Math.ceil(Math.max(entry.from, entry.after ? hours.get(entry.after)! : 0)) + 1;
      let hour = random ? random.integer(Math.min(first, HOURS - 1), HOURS - 1) : first;
      while (!isOnline(hour)) hour += 1;
      hours.set(entry, hour);
    }
    return hours;
  }

  it(`gives the same outcomes (seed ${SEED}, ${ORDERS} orders)`, async () => {
    const orders = await Promise.all(
      Array.from({ length: ORDERS }, async (_, index) => {
        const all = entries();
        const random = index === 0 ? undefined : new Random(SEED, 'order', index);
        const hours = hoursOf(all, random);
        const bottle = await harness.register({
          user_id: `user-${index}`,
          time_zone: 'UTC',
          schedule: {
            kind: 'interval',
            every: '4h',
            anchor: at(2),
            early_window: '1h',
            late_after: '1h',
            missed_after: '2h',
          },
        });
        return { bottle, all: random ? shuffled(all, random) : all, hours, known: new Map<Entry, string>() };
      }),
    );
    const speak = async (hour: number): Promise<void> => {
      if (isOnline(hour)) for (const { bottle } of orders) await bottle.post('/v1/heartbeats').expect(204);
    };
    for (let hour = 0; hour < HOURS; hour += 1) {
      await speak(hour);
      await harness.pass(30);
      for (const { bottle, all, hours, known } of orders) {
        const due = all.filter((entry) => hours.get(entry) === hour);
        // what depends on another comes after it
        for (const entry of due.toSorted(
          (one, other) => Number(one.after === other) - Number(other.after === one),
        ))
          await entry.make(bottle, known);
      }
      await speak(hour);
      await harness.pass(30);
    }
    const [first, ...others] = await Promise.all(orders.map(({ bottle }) => resultOf(bottle)));
    const outcomes = first!.doses.map(({ outcome }) => outcome);
    for (const each of ['not_monitored', 'missed', 'unknown', 'taken_on_time', 'taken_early'])
      expect(outcomes).toContain(each);
    for (const other of others) expect(other).toEqual(first);
  }, 600_000);

  function shuffled<T>(all: readonly T[], random: Random): T[] {
    const places = new Map(all.map((each) => [each, random.next()]));
    return all.toSorted((one, other) => places.get(one)! - places.get(other)!);
  }

  interface Dose {
    scheduled_at: string;
    outcome: string;
    reported: { outcome?: string } | null;
  }

  /** The outcomes of its doses, and its figures. */
  async function resultOf({ id }: TestBottle): Promise<{ doses: Dose[]; figures: object }> {
    const range = `from=${at(0)}&to=${at(HOURS)}`;
    const { body } = await staff().get(`/v1/bottles/${id}/doses?${range}&limit=200`).expect(200);
    const { body: figures } = await staff().get(`/v1/bottles/${id}/adherence?${range}`).expect(200);
    const doses = (body.items as Record<string, never>[]).map(
      ({ scheduled_at, outcome, pills_taken, taken_at, period, reported }) => ({
        scheduled_at,
        outcome,
        pills_taken,
        taken_at,
        period: period && { reason: period['reason'] },
        reported: reported && { outcome: reported['outcome'] },
      }),
    ) as unknown as Dose[];
    return { doses, figures: { ...figures, bottle_id: undefined } };
  }
});
