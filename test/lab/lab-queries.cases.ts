import { type DeadlineName, DEADLINES, HOUR_MS } from '#domain';
import {
  type BottleState,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  DeadlinesRepository,
} from '#persistence';
import { mongo } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { explain, Persistence } from './persistence.js';

describe('lab queries', () => {
  const NOW = new Date('2026-03-02T08:00:00Z').getTime();
  const BOTTLES = 100;
  /** Of each kind, a bottle: 10,000 documents a collection. */
  const EACH = 100;

  const ids = Array.from({ length: BOTTLES }, () => new mongo.ObjectId());
  const owner = { user_id: 'willcross1024', medication: 'Cordrazine' };

  let database: TestDatabase;
  let persistence: Persistence;

  beforeAll(async () => {
    database = await newDatabase('lab-queries');
    persistence = await Persistence.open(database.uri);
    const days = (index: number): Date => new Date(NOW - index * 6 * HOUR_MS);
    const actions = ids.flatMap((bottle_id, bottle) =>
      Array.from({ length: EACH }, (_, index) => ({
        ...owner,
        bottle_id,
        mass_of_contents: 44.25,
        number_of_pills: 25,
        time: days(index),
        // the last action of every second bottle is an opening
        ...((index + bottle) % 2 === 0
          ? { action: 'closed', pills_taken: index % 4 === 0 ? 0 : 2 }
          : { action: 'opened' }),
      })),
    );
    const heartbeats = ids.flatMap((bottle_id) =>
      Array.from({ length: EACH }, (_, index) => ({
        ...owner,
        bottle_id,
        time: new Date(NOW - index * HOUR_MS),
      })),
    );
    await database.db.collection('bottle_actions').insertMany(actions);
    await database.db.collection('bottle_heartbeats').insertMany(heartbeats);
  });
  afterAll(async () => {
    await persistence?.close();
    await database?.drop();
  });

  it('is tried on ten thousand documents', async () => {
    for (const name of ['bottle_actions', 'bottle_heartbeats'])
      expect(await database.db.collection(name).countDocuments()).toBeGreaterThanOrEqual(10_000);
  });

  describe.each([
    ['closed', 42],
    ['opened', 43],
  ])('for a bottle last %s', (last, bottle) => {
    const bottleId = ids[bottle]!;

    it('query 1, the dosages since two days ago, is covered', async () => {
      const since = new Date(NOW - 48 * HOUR_MS);
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(BottleActionsRepository).findDosagesSince(bottleId, since),
      );
      expect(commands).toHaveLength(1);
      const plan = await explain(database.db, commands[0]!);
      expect(plan).toMatchObject({
        stages: ['PROJECTION_COVERED', 'IXSCAN'],
        indexName: 'find_missed_dosages',
        docsExamined: 0,
        returned: result.length,
      });
      // the closings of two days (at most 5 here), and one step beyond each gap and the end
      expect(result.length).toBeGreaterThan(0);
      expect(plan.keysExamined).toBeLessThanOrEqual(2 * 5 + 1);
      for (const dosage of result) {
        expect(dosage).toEqual({ ...owner, time: expect.any(Date), pills_taken: 2 });
        expect(dosage.time.getTime()).toBeGreaterThanOrEqual(since.getTime());
      }
    });

    it('query 2, the last action, is covered', async () => {
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(BottleActionsRepository).findLastAction(bottleId),
      );
      expect(result).toEqual({ ...owner, time: new Date(NOW), action: last });
      // after an opening, a second query for a closing at the same instant
      expect(commands).toHaveLength(last === 'opened' ? 2 : 1);
      for (const command of commands) {
        const plan = await explain(database.db, command);
        expect(plan).toMatchObject({
          stages: ['PROJECTION_COVERED', 'IXSCAN'],
          indexName: 'find_open_bottles',
          docsExamined: 0,
        });
        expect(plan.keysExamined).toBeLessThanOrEqual(1);
      }
    });

    it('query 3, the last heartbeat of an hour, is covered', async () => {
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(BottleHeartbeatsRepository).findLastHeartbeat(bottleId, new Date(NOW - HOUR_MS)),
      );
      expect(result).toEqual({ ...owner, time: new Date(NOW) });
      expect(commands).toHaveLength(1);
      expect(await explain(database.db, commands[0]!)).toEqual({
        stages: ['PROJECTION_COVERED', 'IXSCAN'],
        indexName: 'find_last_heartbeat',
        docsExamined: 0,
        keysExamined: 1,
        returned: 1,
      });
    });
  });

  it('query 3 finds no heartbeat older than it was asked for', async () => {
    const { result, commands } = await persistence.capture('find', () =>
      persistence.get(BottleHeartbeatsRepository).findLastHeartbeat(ids[7]!, new Date(NOW + 1)),
    );
    expect(result).toBeNull();
    expect(await explain(database.db, commands[0]!)).toMatchObject({ docsExamined: 0, returned: 0 });
  });

  describe.each(Object.keys(DEADLINES) as DeadlineName[])('who is overdue (%s)', (name) => {
    const STATES = 10_000;
    const OVERDUE = 25;
    const { deadline } = DEADLINES[name];

    beforeAll(async () => {
      const states = Array.from({ length: STATES }, (_, index) => ({
        ...owner,
        _id: new mongo.ObjectId(),
        last_heard_at: new Date(NOW),
        // every second bottle has nothing armed
        ...(index % 2 === 0
          ? {}
          : { [deadline]: new Date(index < 2 * OVERDUE ? NOW - index * 1_000 : NOW + index) }),
      }));
      await database.db.collection<BottleState>('bottle_states').deleteMany({});
      await database.db.collection<BottleState>('bottle_states').insertMany(states);
    });

    it('is read off the partial index, and costs what is overdue', async () => {
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(DeadlinesRepository).claimOverdue(name, new Date(NOW), 60_000, 1_000),
      );
      expect(result.found).toBe(OVERDUE);
      expect(result.states).toHaveLength(OVERDUE);
      const [find] = commands;
      await database.db
        .collection('bottle_states')
        .updateMany({}, { $unset: { [DEADLINES[name].claim]: '' } });
      const plan = await explain(database.db, find!);
      expect(plan).toMatchObject({ indexName: `overdue_${name}`, returned: OVERDUE, docsExamined: OVERDUE });
      expect(plan.stages).not.toContain('COLLSCAN');
      expect(plan.stages).not.toContain('SORT');
      expect(plan.keysExamined).toBeLessThanOrEqual(OVERDUE + 1);
    });

    it('and whose deadline is next costs one key', async () => {
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(DeadlinesRepository).findNext(name, new Date(NOW)),
      );
      expect(result).toEqual(new Date(NOW + 2 * OVERDUE + 1));
      expect(commands).toHaveLength(1);
      expect(await explain(database.db, commands[0]!)).toEqual({
        stages: ['PROJECTION_COVERED', 'IXSCAN'],
        indexName: `overdue_${name}`,
        docsExamined: 0,
        keysExamined: 1,
        returned: 1,
      });
    });

    it('costs nothing when nobody is', async () => {
      const { result, commands } = await persistence.capture('find', () =>
        persistence.get(DeadlinesRepository).claimOverdue(name, new Date(NOW - 24 * HOUR_MS), 60_000, 1_000),
      );
      expect(result).toMatchObject({ found: 0, states: [] });
      const plan = await explain(database.db, commands[0]!);
      expect(plan).toMatchObject({ indexName: `overdue_${name}`, docsExamined: 0 });
      expect(plan.keysExamined).toBeLessThanOrEqual(1);
    });
  });
});
