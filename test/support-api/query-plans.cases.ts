import { parseSchedule } from '#domain';
import { Types } from 'mongoose';
import { isWasteful, queryCosts } from '../../tools/harness/query-costs.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { Support } from './support.js';

describe('query plans', () => {
  /** Entries per log and bottle: many more than a page. */
  const MANY = 600;

  let support: Support;
  let bottle: string;

  beforeAll(async () => {
    support = await Support.start('query-plans');
    for (let number = 0; number < 3; number += 1) {
      bottle = (await support.register()).id;
      const bottle_id = new Types.ObjectId(bottle);
      const whose = { bottle_id, user_id: 'willcross1024', medication: 'Cordrazine' };
      const each = <T>(make: (index: number) => T): T[] =>
        Array.from({ length: MANY }, (_, index) => make(index));
      const { db } = support.database;
      await db.collection('bottle_actions').insertMany(
        each((index) => ({
          ...whose,
          ...(index % 2 ? { action: 'opened' } : { action: 'closed', pills_taken: 1 }),
          time: at(-index * 10),
          received_at: at(0),
        })),
      );
      await db
        .collection('bottle_heartbeats')
        .insertMany(each((index) => ({ ...whose, time: at(-index * 30) })));
      await db
        .collection('dose_outcomes')
        .insertMany(
          each((index) => ({ bottle_id, scheduled_at: at(-index * 60), outcome: 'taken_on_time' })),
        );
      await db.collection('attestations').insertMany(
        each((index) => ({
          bottle_id,
          scheduled_at: at(-index * 60),
          at: at(0),
          kind: 'taken',
          outcome: 'taken',
          attested_by: 'user',
          recorded_by: 'Carol',
        })),
      );
      await insertAlerts(
        support,
        each((index) => ({
          bottle_id,
          raised_at: at(-index * 20),
          ...(index > 0 ? { ended_at: at(-index * 20 + 5), state: 'resolved', open: undefined } : {}),
        })),
      );
      await insertDeliveries(
        support,
        each((index) => ({ bottle_id, created_at: at(-index * 20 + 1) })),
      );
    }
  });
  afterAll(() => support?.stop());

  it.each([
    ['its first page', ''],
    ['a page of its middle', `?limit=20&to=${at(-3_000).toISOString()}`],
    ['a page that holds nothing', `?to=${at(-30 * MANY).toISOString()}`],
  ])('the timeline reads by index, and not more than twice what it returns: %s', async (_, query) => {
    const work = await queryCosts(support.database.db, async () => {
      const first = await support.get(`/v1/bottles/${bottle}/timeline${query}`);
      expect(first.status).toBe(200);
      const { next_cursor } = first.body;
      if (next_cursor) await support.get(`/v1/bottles/${bottle}/timeline?cursor=${next_cursor}`);
    });
    expect(new Set(work.map(({ collection }) => collection))).toEqual(
      new Set([
        'alerts',
        'bottle_actions',
        'bottle_heartbeats',
        'bottle_states',
        'bottles',
        'contacts',
        'deliveries',
      ]),
    );
    expect(work.filter(isWasteful)).toEqual([]);
    expect(work.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
  });

  it.each(['', '/doses', '/attestations', '/actions', '/heartbeats', '/adherence', '/charts?series=battery'])(
    'so does what a page of one bottle shows: /v1/bottles/:id%s',
    async (part) => {
      const work = await queryCosts(support.database.db, async () =>
        expect((await support.get(`/v1/bottles/${bottle}${part}`)).status).toBe(200),
      );
      expect(work.length).toBeGreaterThan(1);
      expect(work.filter(isWasteful)).toEqual([]);
      expect(work.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
    },
  );

  it('judges the doses of the day from a few days of the log, by its covering indexes alone', async () => {
    await support.database.db.collection('bottles').updateOne(
      { _id: new Types.ObjectId(bottle) },
      {
        $set: {
          registered_at: at(-100_000),
          schedule_versions: [
            {
              effective_from: at(-100_000),
              time_zone: 'Europe/Berlin',
              schedule: parseSchedule({ kind: 'times_of_day', times: ['08:00', '20:00'] }),
            },
          ],
        },
      },
    );
    await support.database.db
      .collection('listening_spans')
      .insertOne({ from: at(-100_000), until: at(100_000) });
    const work = await queryCosts(support.database.db, async () => {
      const { body } = await support.get(`/v1/bottles/${bottle}`);
      expect(body.today.doses).toHaveLength(2);
    });
    expect(work.filter(isWasteful)).toEqual([]);
    const ofLog = work.filter(({ collection }) => /^bottle_(actions|heartbeats)$/.test(collection));
    // one of actions, the removals: no dose lacks pills, so that it does not matter when the bottle was opened;
    // two of heartbeats for the judgement, and two for the vitals of the last one: which it is, and itself
    expect(ofLog.map(({ collection }) => collection).sort()).toEqual([
      'bottle_actions',
      ...Array.from({ length: 4 }, () => 'bottle_heartbeats'),
    ]);
    expect(ofLog.reduce((sum, { documents }) => sum + documents, 0)).toBe(1);
    for (const { keys } of ofLog) {
      // two days of closings, each 20 minutes, or of heartbeats
      expect(keys).toBeLessThanOrEqual(2 * 144);
    }
  });

  describe('with 700 bottles', () => {
    // the requested entries are scattered among the others
    beforeAll(async () => {
      const lines = Array.from({ length: 700 }, (_, index) =>
        index % 5 === 0 ? 'has-many,Cordrazine,Europe/Berlin' : 'willcross1024,Inaprovaline,Europe/Berlin',
      );
      const { status, text } = await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
      if (status !== 201) throw new Error(text);
      await support.database.db
        .collection('bottle_states')
        .updateMany(
          { user_id: 'has-many' },
          { $set: { quiet: 'silent', silent: true, last_heard_at: at(0) } },
        );
      await support.database.db
        .collection('bottle_states')
        .updateMany({ user_id: 'has-many' }, { $set: { next_dose_at: at(60), battery_percent: 50 } });
    });

    it.each([
      ['all', '/v1/bottles'],
      ['of a status', '/v1/bottles?status=silent'],
      ['of a person', '/v1/bottles?user_id=has-many'],
      ['newest first', '/v1/bottles?sort=-registered'],
      ['by owner', '/v1/bottles?sort=user_id'],
      ['by owner, reversed', '/v1/bottles?sort=-user_id'],
      ['longest silent first', '/v1/bottles?status=silent&sort=last_seen'],
      ['last silent first', '/v1/bottles?status=silent&sort=-last_seen'],
      ['by next dose', '/v1/bottles?sort=next_dose'],
      ['by next dose, reversed', '/v1/bottles?sort=-next_dose'],
      ['by battery', '/v1/bottles?sort=battery'],
      ['by battery, reversed', '/v1/bottles?sort=-battery'],
      ['of a person and a medication', '/v1/bottles?user_id=has-many&medication=Cordrazine'],
    ])(
      'a page of the bottles reads not more than twice what it shows (uptime-kuma#7079): %s',
      async (_, list) => {
        let shown = 0;
        const work = await queryCosts(support.database.db, async () => {
          for (let cursor = ''; ;) {
            const { status, body } = await support.get(
              `${list}${list.includes('?') ? '&' : '?'}limit=20${cursor}`,
            );
            expect(status).toBe(200);
            shown += (body.items as unknown[]).length;
            if (!body.next_cursor || shown >= 60) break;
            cursor = `&cursor=${body.next_cursor}`;
          }
        });
        expect(shown).toBe(60);
        const ofStates = work.filter(({ collection }) => collection === 'bottle_states');
        expect(ofStates).toHaveLength(3);
        expect(work.filter(isWasteful)).toEqual([]);
        expect(work.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
      },
    );
  });
});
