import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { Persistence } from './persistence.js';

describe('ttl', () => {
  const FOURTEEN_DAYS_S = 1_209_600;

  let database: TestDatabase;

  beforeEach(async () => {
    database = await newDatabase('ttl');
  });
  afterEach(() => database.drop());

  async function expireAfterSeconds(): Promise<number | undefined> {
    const indexes = await database.db.collection('bottle_heartbeats').indexes();
    return indexes.find(({ name }) => name === 'TTL')?.expireAfterSeconds;
  }

  it('a changed retention is applied to the index that is there', async () => {
    const retentions = [FOURTEEN_DAYS_S, 30 * 86_400, 1, FOURTEEN_DAYS_S];
    for (const seconds of retentions) {
      const persistence = await Persistence.open(database.uri, seconds * 1_000);
      expect(await expireAfterSeconds()).toBe(seconds);
      await persistence.close();
    }
  });

  it('an index of the version before stays beside the one that expires, and can be created again', async () => {
    const attempts = database.db.collection('sign_in_attempts');
    const createOld = () => attempts.createIndex({ resets_at: 1 }, { name: 'over' });
    await createOld();
    await (await Persistence.open(database.uri)).close();
    await createOld();
    await attempts.dropIndex('over');
    await createOld();
    const indexes = await attempts.indexes();
    expect(indexes.find(({ name }) => name === 'ended')).toMatchObject({ expireAfterSeconds: 0 });
    expect(indexes.find(({ name }) => name === 'over')).not.toHaveProperty('expireAfterSeconds');
  });

  it('many processes that start at once agree on the indexes', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, () => Persistence.open(database.uri, 86_400_000)),
    );
    expect(await expireAfterSeconds()).toBe(86_400);
    await Promise.all(all.map((one) => one.close()));
  });
});
