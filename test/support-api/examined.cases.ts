import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { isWasteful, type QueryCost, queryCosts } from '../../tools/harness/query-costs.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { Support } from './support.js';

describe('examined', () => {
  /** The largest page. */
  const LIMIT = 200;
  /** Entries of each kind: two of the largest pages. */
  const MORE_THAN_A_PAGE = LIMIT + 50;
  const OPEN_ALERTS = 1_510;
  const SNOOZED = 500;
  const BOTTLES = { never_heard: 20, silent: 100, late: 50, open: 30, ok: 400 };

  let support: Support;

  beforeAll(async () => {
    support = await Support.start('examined');
    const alerts: string[] = [];
    // most have the same time, as after an outage; ids are random
    const many = async (count: number, alert: object): Promise<void> => {
      const made = Array.from({ length: count }, (_, index) => ({
        _id: new Types.ObjectId(randomBytes(12)),
        raised_at: at(index < count / 2 ? -60 : -index),
        ...alert,
      }));
      alerts.push(...(await insertAlerts(support, made)));
    };
    await many(500, { kind: 'bottle_silent' });
    await many(60, { kind: 'missed_dose' });
    await many(SNOOZED, { kind: 'bottle_silent', snoozed_until: at(60) });
    await many(300, { kind: 'bottle_silent', state: 'acknowledged' });
    await many(300, { kind: 'missed_dose', state: 'resolved', open: undefined, ended_at: at(-1) });
    await many(150, { kind: 'bottle_open' });
    const mine = { $set: { assigned_to: { id: 'ADMIN_TOKEN', name: 'ADMIN_TOKEN' } } };
    await support.database.db.collection('alerts').updateMany({ kind: 'missed_dose' }, mine);
    for (const status of ['delivered', 'dead', 'cancelled', 'pending'])
      await insertDeliveries(
        support,
        Array.from({ length: MORE_THAN_A_PAGE }, (_, index) => ({
          status,
          alert_id: new Types.ObjectId(alerts[index * 7]),
          created_at: at(index < 100 ? -5 : -index),
          step: `${status} ${index}`,
        })),
      );
    await support.database.db
      .collection('bottle_states')
      .insertMany([
        ...states(BOTTLES.never_heard, { quiet: 'never_heard' }),
        ...states(BOTTLES.silent, { quiet: 'silent', silent: true, late: true }),
        ...states(BOTTLES.late, { late: true, open: true }),
        ...states(BOTTLES.open, { open: true, open_overdue_at: at(-3) }),
        ...states(BOTTLES.ok, { silent_at: at(-2), dose_due_at: at(-1) }),
      ]);
    await support.database.db.collection('audit').insertMany(
      Array.from({ length: 5 * MORE_THAN_A_PAGE }, (_, index) => ({
        at: at(-Math.floor(index / 3)),
        who: { kind: 'staff', id: String(index % 4).padStart(24, '0'), name: 'Someone' },
        action: 'bottle.change',
        subject: { kind: 'bottle', id: String(index % 5) },
        about: [`bottle:${String(index % 5).padStart(24, '0')}`],
        details: {},
      })),
    );
  });
  afterAll(() => support?.stop());

  function states(count: number, state: object): object[] {
    return Array.from({ length: count }, () => ({
      _id: new Types.ObjectId(randomBytes(12)),
      user_id: 'willcross1024',
      medication: 'Cordrazine',
      ...state,
    }));
  }

  it.each([
    '/v1/alerts',
    '/v1/alerts?state=open',
    '/v1/alerts?state=acknowledged',
    '/v1/alerts?state=resolved&kind=missed_dose',
    '/v1/alerts?kind=bottle_silent',
    '/v1/alerts?order=needs_person',
    '/v1/alerts?order=needs_person&kind=bottle_silent',
    '/v1/alerts?order=needs_person&assigned=me',
    '/v1/alerts?order=comes_back',
    '/v1/deliveries',
    '/v1/deliveries?status=dead',
    `/v1/deliveries?status=dead&from=${at(-200).toISOString()}&to=${at(-2).toISOString()}`,
    '/v1/audit',
    `/v1/audit?subject=bottle:${'3'.padStart(24, '0')}`,
    `/v1/audit?staff_id=${'2'.padStart(24, '0')}`,
  ])('no page of %s examines more than twice what it returns, and each takes one read', async (path) => {
    for (const limit of [20, LIMIT]) {
      const queries = await costs(() => support.pages(path, limit));
      expect(queries.length).toBeGreaterThan(1);
      expect(queries.filter(isWasteful)).toEqual([]);
      expect(queries.filter(({ rest }) => rest)).toEqual([]);
    }
  });

  it.each(['/v1/staff', '/v1/api-keys', '/v1/gateways', '/v1/contacts/willcross1024'])(
    'nor does %s',
    async (path) => {
      const queries = await costs(() => support.get(path));
      expect(queries.length).toBeGreaterThan(0);
      expect(queries.filter(isWasteful)).toEqual([]);
    },
  );

  it('a page of bottles asks for the newest heartbeats of all of them at once, and reads one of each', async () => {
    const { db } = support.database;
    const bottles = await db.collection('bottle_states').find({ quiet: 'silent' }).toArray();
    const heartbeat = (bottle_id: unknown, minutes: number, number_of_pills: number): object => ({
      _id: new Types.ObjectId(),
      bottle_id,
      time: at(minutes),
      number_of_pills,
      user_id: 'willcross1024',
      medication: 'Cordrazine',
    });
    await db
      .collection('bottle_heartbeats')
      .insertMany(
        bottles.flatMap(({ _id }) => [
          heartbeat(_id, -5, 8),
          heartbeat(_id, -5, 9),
          ...Array.from({ length: 20 }, (_, index) => heartbeat(_id, -6 - index, 10)),
        ]),
      );
    let items: { pills_left: number }[] = [];
    const queries = await costs(async () => {
      ({ items } = (await support.get(`/v1/bottles?status=silent&limit=${LIMIT}`)).body);
    });
    // of two at one moment, the one with the greater id, as on the bottle's page
    expect(items.map(({ pills_left }) => pills_left)).toEqual(bottles.map(() => 9));
    const asked = queries.filter(({ collection }) => collection === 'bottle_heartbeats');
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(asked.map(({ documents }) => documents)).toEqual([0, 2 * bottles.length]);
    for (const { keys } of asked) expect(keys).toBeLessThanOrEqual(3 * bottles.length);
    await db.collection('bottle_heartbeats').deleteMany({});
  });

  describe('the fleet in numbers', () => {
    let queries: QueryCost[];
    let numbers: Record<string, never>;

    beforeAll(async () => {
      queries = await costs(async () => {
        numbers = (await support.get('/v1/fleet')).body;
      });
    });

    it('is correct', () =>
      expect(numbers).toMatchObject({
        bottles: { total: 600, by_status: { unknown: 20, silent: 100, late: 50, open: 30, ok: 400 } },
        open_alerts: { bottle_silent: 1_300, missed_dose: 60, bottle_open: 150 },
        needs_attention: { bottle_silent: 500, missed_dose: 60, bottle_open: 150 },
        notifier: { lag_ms: { silent: 120_000, open: 180_000, dose: 60_000 } },
      }));

    it('examines no more than it returns, except for counting', () => {
      expect(queries.filter(({ counts }) => !counts).length).toBeGreaterThan(3);
      expect(queries.filter(isWasteful)).toEqual([]);
    });

    it('counts on indexes alone, only open alerts and bottles that are not ok', () => {
      const counted = queries.filter(({ counts }) => counts);
      expect(counted).toHaveLength(12);
      expect(counted.filter(({ documents }) => documents > 0)).toEqual([]);
      // one more entry shows where the range ends
      const read = (collection: string): number =>
        counted
          .filter((query) => query.collection === collection)
          .reduce((sum, { keys, ranges }) => sum + keys - ranges - 1, 0);
      // the snoozed ones, to subtract them, are counted once more
      expect(read('alerts')).toBeLessThanOrEqual(OPEN_ALERTS + SNOOZED);
      expect(read('bottle_states')).toBeLessThanOrEqual(600 - BOTTLES.ok);
    });

    it('is counted once for concurrent requests, and says when', async () => {
      let answers: { body: { counted_at: string } }[] = [];
      const asked = await costs(async () => {
        answers = await Promise.all(Array.from({ length: 20 }, () => support.get('/v1/fleet')));
      });
      expect(new Set(answers.map(({ body }) => body.counted_at))).toEqual(
        new Set([support.clock.now().toISOString()]),
      );
      expect(asked.filter(({ counts }) => counts).length).toBeLessThan(20);
    });
  });

  function costs(work: () => Promise<unknown>): Promise<QueryCost[]> {
    return queryCosts(support.database.db, work);
  }
});
