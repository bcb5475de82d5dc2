/**
 * The monitors of a published adherence study as bottles of the real services, in virtual time: each opening is a removal
 * at its time, each line of the regimen a step of the plan, each correction a statement, and each time without monitoring
 * a period. The figures of the services are the published ones (docs/adherence.md).
 */
import { HOUR_MS, DAY_MS } from '#domain';
import { Harness } from '../../tools/harness/harness.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import {
  correctionsOf,
  dayAfter,
  dayOfOpening,
  midnight,
  type Monitor,
  noon,
  notMonitored,
  readMonitors,
  readPatients,
  stepsOf,
} from './study.js';

/** Of the figures. */
const EXACT = 1e-9;

interface Event {
  at: Date;
  happens: () => Promise<unknown>;
}

interface Figures {
  implementation: { ratio: number; numerator: number; denominator: number };
}

/** Months of nine monitors take long on a busy machine. Milliseconds. */
const LIMIT = 30 * 60_000;

describe('a published adherence study', () => {
  const monitors = readMonitors();
  let harness: Harness;
  const bottles = new Map<Monitor, TestBottle>();

  beforeAll(async () => {
    const all = monitors.flatMap(eventsOf).toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const start = new Date(all[0]!.at.getTime() - HOUR_MS).toISOString();
    harness = await Harness.start('adherence-study', start, { SILENT_BOTTLE_AFTER: '24h' });
    let checked = 0;
    for (const { at, happens } of all) {
      harness.clock.set(at);
      await happens();
      if (at.getTime() - checked < DAY_MS) continue;
      checked = at.getTime();
      await harness.coverage.record();
      await harness.notifier.doses.run();
    }
    await harness.coverage.record();
    await harness.notifier.doses.run();
  }, LIMIT);
  afterAll(() => harness?.stop());

  const send = async (path: string, body: object, method: 'post' | 'put' = 'post'): Promise<void> => {
    const { status, body: answer } = await asAdmin(harness.support)[method](path).send(body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  };

  function eventsOf(monitor: Monitor): Event[] {
    const { patient, monitor: name, from, to, openings } = monitor;
    const bottle = (): TestBottle => bottles.get(monitor)!;
    const begins = new Date(midnight(from).getTime() - DAY_MS / 2);
    const ends = new Date(midnight(dayAfter(to)).getTime() + DAY_MS);
    const registers = async (): Promise<void> => {
      const [first, ...steps] = planOf(monitor);
      const body = { user_id: `patient-${patient}`, medication: name, time_zone: 'UTC', schedule: first };
      bottles.set(monitor, await harness.register(body));
      for (const schedule of steps) await send(`/v1/bottles/${bottle().id}/schedule`, { schedule }, 'put');
    };
    const heartbeats: Event[] = [];
    for (let at = begins.getTime() + HOUR_MS; at < ends.getTime(); at += 12 * HOUR_MS)
      heartbeats.push({ at: new Date(at), happens: () => bottle().post('/v1/heartbeats').expect(204) });
    return [
      { at: begins, happens: registers },
      ...heartbeats,
      ...openings.map((time) => ({ at: new Date(`${time}Z`), happens: () => harness.close(bottle(), 1) })),
      { at: ends, happens: () => correct(monitor) },
    ].filter(({ at }) => at >= begins);
  }

  /** What the study's pharmacist entered when the monitor came back. */
  async function correct(monitor: Monitor): Promise<void> {
    const path = `/v1/bottles/${bottles.get(monitor)!.id}`;
    for (const period of notMonitored(monitor)) await send(`${path}/periods`, period);
    const doses = await dosesOf(monitor);
    for (const [date, pills] of correctionsOf(monitor)) {
      const slot = doses.find((scheduled_at) => dayOfOpening(new Date(scheduled_at)) === date);
      const removed_at = `${monitor.openings.find((time) => dayOfOpening(new Date(`${time}Z`)) === date)}Z`;
      if (pills < 0)
        await send(`${path}/attestations/no-dose`, {
          removed_at: removed_at === 'undefinedZ' ? noon(date) : removed_at,
          pills: -pills,
          attested_by: 'staff',
        });
      else if (slot)
        await send(`${path}/attestations`, {
          scheduled_at: slot,
          kind: 'taken',
          source: 'elsewhere',
          pills,
          attested_by: 'user',
        });
    }
  }

  const rangeOf = ({ from, to }: { from: string; to: string }): string =>
    `from=${midnight(from).toISOString()}&to=${midnight(dayAfter(to)).toISOString()}`;
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await asAdmin(harness.support).get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  };
  async function dosesOf(monitor: Monitor): Promise<string[]> {
    const doses: string[] = [];
    let cursor: string | undefined;
    do {
      const path = `/v1/bottles/${bottles.get(monitor)!.id}/doses?${rangeOf(monitor)}&limit=200`;
      const page = await get<{ items: { scheduled_at: string }[]; next_cursor?: string }>(
        cursor === undefined ? path : `${path}&cursor=${cursor}`,
      );
      doses.push(...page.items.map(({ scheduled_at }) => scheduled_at));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return doses;
  }

  it.each(monitors.map((monitor) => [`${monitor.patient} ${monitor.monitor}`, monitor] as const))(
    'monitor %s: the services say of every day what was published, and so of all days',
    async (_, monitor) => {
      const path = `/v1/bottles/${bottles.get(monitor)!.id}/adherence`;
      const { items } = await get<{ items: DayAnswer[] }>(`${path}/days?${rangeOf(monitor)}`);
      expect(
        items.map(({ local_date, measured, reported }) => ({
          date: local_date,
          recorded: measured.removed,
          implementation: reported.implemented,
          non_monitored: reported.left_out === 'not_monitored',
        })),
      ).toEqual(
        monitor.published.days.map(({ date, recorded, implementation, non_monitored }) => ({
          date,
          recorded,
          implementation,
          non_monitored,
        })),
      );
      const { reported } = await get<{ reported: Figures }>(`${path}?${rangeOf(monitor)}`);
      const { ratio } = reported.implementation;
      expect(Math.abs(ratio - monitor.published.implementation)).toBeLessThan(EXACT);
    },
  );

  it.each(Object.entries(readPatients()))(
    'patient %s, over all monitors: %d, as was published',
    async (patient, published) => {
      const theirs = monitors.filter((monitor) => monitor.patient === patient);
      const range = rangeOf({
        from: theirs.map(({ from }) => from).toSorted()[0]!,
        to: theirs
          .map(({ to }) => to)
          .toSorted()
          .at(-1)!,
      });
      const path = `/v1/people/patient-${patient}/adherence?${range}`;
      const { medications } = await get<{ medications: { medication: string | null; reported: Figures }[] }>(
        path,
      );
      expect(medications.map(({ medication }) => medication)).toEqual([
        ...theirs.map(({ monitor }) => monitor).toSorted(),
        null,
      ]);
      const { ratio } = medications.at(-1)!.reported.implementation;
      expect(Math.abs(ratio - published)).toBeLessThan(EXACT);
    },
  );
});

interface DayAnswer {
  local_date: string;
  measured: { removed: number };
  reported: { implemented: 0 | 1 | null; left_out: string | null };
}

/** The steps of a monitor's plan; when it comes back, nothing is prescribed with it any more. */
function planOf(monitor: Monitor): object[] {
  const after = {
    kind: 'as_needed',
    max_per_day: 1,
    effective_from: midnight(dayAfter(monitor.to)).toISOString(),
  };
  return [...stepsOf(monitor), after];
}
