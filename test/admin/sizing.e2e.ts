import { ManualClock } from '#platform';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LAB_FLEET } from '../../tools/sizing/fleet.js';
import { measure, type Measurement } from '../../tools/sizing/measure.js';
import type { Sample } from '../../tools/sizing/sample.js';
import { runSizing } from '../../tools/sizing/run-sizing.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';

const NOW = new Date('2026-03-02T06:00:00Z');
const MAIN = join(import.meta.dirname, '../../dist/tools/sizing/main.js');
const SMALL: Sample = {
  bottles: 60,
  heartbeatBottles: 20,
  heartbeatsPerBottle: 60,
  actionBottles: 20,
  dosesPerBottle: 30,
  contacts: 2,
};

describe('sizing measures on a real database', () => {
  let database: TestDatabase;
  let measured: Measurement;

  beforeAll(async () => {
    database = await newDatabase('sizing');
    measured = await measure(database.uri, SMALL, NOW, () => undefined);
  });

  afterAll(() => database?.drop());

  const scratchDatabases = async (): Promise<string[]> => {
    const { databases } = await database.client.db('admin').admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith('pillwatch_sizing'));
  };

  it.each([
    ['bottle_heartbeats', 1_200, ['TTL', '_id_', 'find_last_heartbeat']],
    ['bottle_actions', 1_200, ['_id_', 'by_receipt', 'find_missed_dosages', 'find_open_bottles']],
    ['dose_outcomes', 660, ['_id_', 'one_outcome', 'outcomes_by_time']],
  ])("writes %s as the product does, with the product's indexes", (name, documents, indexes) => {
    const found = measured.collections.find((collection) => collection.name === name)!;
    expect(found.documents).toBe(documents);
    expect(found.indexes.map((index) => index.name).sort()).toEqual(indexes);
    expect(found.bson).toBeGreaterThan(100);
    for (const { stored } of found.indexes) expect(stored).toBeGreaterThan(0);
  });

  it.each(['bottle_states', 'bottles'])('measures one document a bottle in %s', (name) => {
    const found = measured.collections.find((collection) => collection.name === name)!;
    expect(found.documents).toBe(SMALL.bottles);
  });

  it('measures all by which a bottle is found', () => {
    const found = measured.collections.find(({ name }) => name === 'bottle_search_terms')!;
    // an id alone has 24 ends
    expect(found.documents).toBeGreaterThan(24 * SMALL.bottles);
    expect(found.stored).toBeGreaterThan(0);
    expect(found.indexes).toEqual([]);
  });

  it('reads the oplog: an entry is larger than its document, a deletion smaller than a heartbeat', () => {
    const heartbeats = measured.collections.find(({ name }) => name === 'bottle_heartbeats')!;
    const { heartbeat, expiry, action, dose } = measured.oplog!;
    expect(heartbeat).toBeGreaterThan(heartbeats.bson);
    expect(expiry).toBeGreaterThan(0);
    expect(expiry).toBeLessThan(heartbeat);
    expect(action).toBeGreaterThan(heartbeat);
    expect(dose).toBeGreaterThan(0);
  });

  it.each([
    [[], { MONGODB_URI: 'postgres://x' }, 'MONGODB_URI must start with'],
    [['--users', 'many'], {}, '--users must be a number'],
  ])('exits 2 for %j %j', async (args, env, message) => {
    const ended = promisify(execFile)(process.execPath, [MAIN, ...args], { env });
    await expect(ended).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('leaves nothing behind', async () => expect(await scratchDatabases()).toEqual([]));

  it('leaves nothing behind when it fails', async () => {
    const failing = measure(database.uri, SMALL, NOW, () => {
      throw new Error('no further');
    });
    await expect(failing).rejects.toThrow('no further');
    expect(await scratchDatabases()).toEqual([]);
  });

  it('answers in Markdown for the fleet that was asked for', async () => {
    const printed: string[] = [];
    await runSizing(
      { fleet: LAB_FLEET, shardBytes: 2e12, write: false, typed: '--users 10e6' },
      { MONGODB_URI: database.uri },
      {
        say: (text) => printed.push(text),
        note: () => undefined,
        clock: new ManualClock(NOW),
        sample: SMALL,
      },
    );
    const answer = printed.join('\n');
    for (const figure of [
      'npm run sizing -- --users 10e6',
      measured.version,
      '30,000,000 bottles',
      '16,667/s',
      '1,389/s',
      '66,667/s',
      '84 GB',
      '4.4 TB',
      '20,000/s',
      '10,000/s',
      '600,000 are late at one moment',
    ]) {
      expect(answer).toContain(figure);
    }
    for (const process of ['device-api', 'notifier', 'primary of a shard']) {
      const row = answer.match(new RegExp(`^\\| ${process} .*\\|$`, 'm'))![0];
      const [atEight, atNine, cores, needed] = row.split('|').slice(2, -1).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      expect(atEight).toBeGreaterThan(0);
      const busy = Math.max(atEight, atNine) / (cores * needed);
      expect(busy).toBeLessThanOrEqual(0.61);
      expect(busy).toBeGreaterThan(0.4);
    }
    expect(answer).not.toMatch(/NaN|undefined|Infinity/);
  });
});
