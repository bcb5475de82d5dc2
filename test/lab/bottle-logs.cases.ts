import { HOUR_MS, DAY_MS, MINUTE_MS } from '#domain';
import { BottleActionsRepository, BottleLogsRepository } from '#persistence';
import { mongo } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { explain, type Explained, Persistence } from './persistence.js';

describe('bottle logs', () => {
  const NOW = new Date('2026-03-02T08:00:00Z').getTime();
  const BOTTLES = 100;
  const EACH = 100;

  const ids = Array.from({ length: BOTTLES }, () => new mongo.ObjectId());
  const owner = { user_id: 'willcross1024', medication: 'Cordrazine' };
  const at = (ms: number): Date => new Date(ms);

  let database: TestDatabase;
  let persistence: Persistence;
  let logs: BottleLogsRepository;

  beforeAll(async () => {
    database = await newDatabase('bottle-logs');
    persistence = await Persistence.open(database.uri);
    logs = persistence.get(BottleLogsRepository);
    const actions = ids.flatMap((bottle_id) =>
      Array.from({ length: EACH }, (_, index) => ({
        ...owner,
        bottle_id,
        mass_of_contents: 44.25,
        number_of_pills: 25,
        time: at(NOW - index * 6 * HOUR_MS),
        ...(index % 2 === 0
          ? { action: 'closed', pills_taken: index % 4 === 0 ? 2 : 0 }
          : { action: 'opened' }),
      })),
    );
    const heartbeats = ids.flatMap((bottle_id) =>
      Array.from({ length: EACH }, (_, index) => ({ ...owner, bottle_id, time: at(NOW - index * HOUR_MS) })),
    );
    await database.db.collection('bottle_actions').insertMany(actions);
    await database.db.collection('bottle_heartbeats').insertMany(heartbeats);
  });
  afterAll(async () => {
    await persistence?.close();
    await database?.drop();
  });

  /** Runs a query and explains the one command that it sent. */
  async function captured<T>(run: () => Promise<T>): Promise<{ result: T; plan: Explained }> {
    const { result, commands } = await persistence.capture('aggregate', run);
    expect(commands).toHaveLength(1);
    return { result, plan: await explain(database.db, commands[0]!) };
  }

  const since = (ms: number, bottles = ids) => bottles.map((bottle_id) => ({ bottle_id, since: at(ms) }));

  it('the removals of a page of bottles are one covered query', async () => {
    const { result, plan } = await captured(() => logs.findDosages(since(NOW - 48 * HOUR_MS)));
    expect(plan).toMatchObject({ indexName: 'find_missed_dosages', docsExamined: 0 });
    // two removals each, and what lies between the bottles
    expect(plan.keysExamined).toBeLessThanOrEqual(BOTTLES * 8);
    expect(result.size).toBe(BOTTLES);
    for (const removals of result.values())
      expect(removals).toEqual(
        [NOW - 48 * HOUR_MS, NOW - 24 * HOUR_MS, NOW].map((ms) => ({ time: at(ms), pills_taken: 2 })),
      );
  });

  it('the removals without what was put back are one covered query, where nothing was closed again soon after', async () => {
    const { result, plan } = await captured(() => logs.findRemovals(since(NOW - 48 * HOUR_MS)));
    expect(plan).toMatchObject({ indexName: 'find_missed_dosages', docsExamined: 0 });
    // five closings each, and what lies between the bottles
    expect(plan.keysExamined).toBeLessThanOrEqual(BOTTLES * 8);
    expect(result).toEqual(await logs.findDosages(since(NOW - 48 * HOUR_MS)));
    const { commands } = await persistence.capture('find', () =>
      logs.findRemovals(since(NOW - 48 * HOUR_MS)),
    );
    expect(commands).toEqual([]);
  });

  it('the last actions of a page of bottles are one covered query', async () => {
    const { result, plan } = await captured(() => logs.findLastActions(since(NOW - 7 * HOUR_MS)));
    expect(plan).toMatchObject({ indexName: 'find_open_bottles', docsExamined: 0 });
    expect(plan.keysExamined).toBeLessThanOrEqual(BOTTLES * 3 + 1);
    expect([...result.values()]).toEqual(ids.map(() => ({ time: at(NOW), action: 'closed' })));
  });

  it('the heartbeats of a page of bottles are one covered query', async () => {
    const { result, plan } = await captured(() =>
      logs.findHeartbeats(since(NOW - 3 * HOUR_MS), at(NOW - HOUR_MS)),
    );
    expect(plan).toMatchObject({ indexName: 'find_last_heartbeat', docsExamined: 0 });
    expect(plan.keysExamined).toBeLessThanOrEqual(BOTTLES * 4 + 1);
    expect([...result.values()]).toEqual(ids.map(() => [3, 2, 1].map((hours) => at(NOW - hours * HOUR_MS))));
  });

  it('each bottle is answered from its own moment on, and one that lags does not make the others dear', async () => {
    const [lagging, one, other] = ids as [mongo.ObjectId, mongo.ObjectId, mongo.ObjectId];
    const { result, commands } = await persistence.capture('aggregate', () =>
      logs.findHeartbeats(
        [
          { bottle_id: lagging, since: at(NOW - 3 * DAY_MS) },
          { bottle_id: one, since: at(NOW - 2 * HOUR_MS) },
          { bottle_id: other, since: at(NOW - HOUR_MS) },
        ],
        at(NOW),
      ),
    );
    const found = [lagging, one, other].map((id) => result.get(id.toHexString())!.length);
    expect(found).toEqual([73, 3, 2]);
    const read = await Promise.all(
      commands.map(async (command) => (await explain(database.db, command)).keysExamined),
    );
    expect(Math.max(...read)).toBeLessThanOrEqual(74);
    expect(Math.min(...read)).toBeLessThanOrEqual(7);
  });

  it('a bottle of which nothing was found is not among the answers', async () => {
    const page = since(NOW + MINUTE_MS);
    expect(await logs.findDosages(page)).toEqual(new Map());
    expect(await logs.findLastActions(page)).toEqual(new Map());
    expect(await logs.findHeartbeats(page, at(NOW + HOUR_MS))).toEqual(new Map());
    expect(await logs.findHeartbeats([], at(NOW))).toEqual(new Map());
  });

  it('the newest actions of a page of bottles are found by keys alone, and only they are read', async () => {
    const actions = persistence.get(BottleActionsRepository);
    const range = { from: at(NOW - 10 * DAY_MS), to: at(NOW + 1), limit: 3 };
    const find = (): Promise<unknown[]> => actions.findNewestOfBottles(ids, range);
    const { result, commands } = await persistence.capture('aggregate', find);
    expect(result).toHaveLength(BOTTLES * 3);
    expect(await explain(database.db, commands[0]!)).toMatchObject({
      indexName: 'find_open_bottles',
      docsExamined: 0,
    });
    const { commands: reads } = await persistence.capture('find', find);
    expect(await explain(database.db, reads[0]!)).toMatchObject({ docsExamined: BOTTLES * 3 });
  });

  it('the actions of spans are read span by span, each once', async () => {
    const actions = persistence.get(BottleActionsRepository);
    const spans = ids.flatMap((bottle_id) => [
      { bottle_id, from: at(NOW - 20 * DAY_MS), to: at(NOW - 20 * DAY_MS + HOUR_MS) },
      { bottle_id, from: at(NOW - 20 * DAY_MS), to: at(NOW - 20 * DAY_MS + 2 * HOUR_MS) },
      { bottle_id, from: at(NOW), to: at(NOW + HOUR_MS) },
    ]);
    const { result, commands } = await persistence.capture('find', () => actions.findInSpans(spans));
    expect(result).toHaveLength(BOTTLES * 2);
    const { docsExamined } = await explain(database.db, commands[0]!);
    expect(docsExamined).toBeLessThanOrEqual(BOTTLES * 3);
  });

  it('of an opening and a closing in one moment the closing is the last, whichever was written first', async () => {
    const bottles = [new mongo.ObjectId(), new mongo.ObjectId()];
    const action = { ...owner, mass_of_contents: 44, number_of_pills: 25, time: at(NOW) };
    const [first, second] = bottles.map((bottle_id) => [
      { ...action, bottle_id, action: 'opened' },
      { ...action, bottle_id, action: 'closed', pills_taken: 0 },
    ]) as [object[], object[]];
    await database.db.collection('bottle_actions').insertMany([...first, ...second.reverse()]);
    const last = await logs.findLastActions(since(NOW, bottles));
    expect([...last.values()]).toEqual(bottles.map(() => ({ time: at(NOW), action: 'closed' })));
  });
});
