import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest from 'supertest';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { ADMIN_TOKEN, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

const MIGRATIONS = ['0001-quiet', '0002-audit-chain', '0003-verified-addresses'];

describe('migrations', () => {
  let database: TestDatabase;
  const apps: NestFastifyApplication[] = [];

  beforeEach(async () => {
    database = await newDatabase('migrations');
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await database.drop();
  });

  const migrations = () =>
    database.db.collection<{ _id: string; token?: string; until?: Date }>('migrations');
  const states = () => database.db.collection('bottle_states');
  const start = async (): Promise<void> => void apps.push(await startDeviceApi(database.uri));

  /** A state as it was before `quiet`. */
  async function addOldState(): Promise<void> {
    await states().insertOne({ user_id: 'anna', medication: 'Cordrazine', never_heard: true });
  }

  it('are done once, by one of several processes that start at the same time', async () => {
    await addOldState();
    await states().createIndex({ never_heard: 1 }, { name: 'never_heard' });
    // queries of the version before name it
    await database.db
      .collection('deliveries')
      .createIndex({ bottle_id: 1, created_at: -1 }, { name: 'by_bottle' });
    await Promise.all([start(), start(), startSupportApi(database.uri).then((app) => apps.push(app))]);
    expect(await states().findOne()).toMatchObject({ quiet: 'never_heard' });
    expect(await database.db.collection('deliveries').indexExists('by_bottle')).toBe(true);
    const done = await migrations().find().sort({ _id: 1 }).toArray();
    expect(done).toEqual([
      ...MIGRATIONS.map((_id) => ({ _id, done_at: expect.any(Date) })),
      { _id: 'lock', until: new Date(0) },
    ]);
    // what is recorded as done is not looked at again
    await states().createIndex({ never_heard: 1 }, { name: 'never_heard' });
    await states().deleteMany({});
    await addOldState();
    await start();
    expect(await states().findOne()).toMatchObject({ never_heard: true });
  });

  it('wait for the process that migrates, and go on when it was killed', async () => {
    const until = new Date(Date.now() + 60 * 60_000);
    await migrations().insertOne({ _id: 'lock', token: 'of another process', until });
    let isUp = false;
    const starting = start().then(() => (isUp = true));
    await database.db.command({ profile: 2 });
    const asked = {
      ns: `${database.db.databaseName}.migrations`,
      op: 'update',
      'command.q.$or': { $exists: true },
    };
    await eventually(async () =>
      expect(await database.db.collection('system.profile').countDocuments(asked)).toBeGreaterThan(1),
    );
    expect(isUp).toBe(false);
    expect(await migrations().countDocuments()).toBe(1);
    // its lease runs out
    await migrations().updateOne({ _id: 'lock' }, { $set: { until: new Date(Date.now() - 1) } });
    await starting;
    expect(await migrations().countDocuments()).toBe(MIGRATIONS.length + 1);
  });

  it('leave nothing out that a process of the version before writes later: it is found and audited', async () => {
    apps.push(await startSupportApi(database.uri));
    const contacts = database.db.collection<{ _id: string; email: string }>('contacts');
    await contacts.insertOne({ _id: 'late-person', email: 'late@example.org' });
    const audit = database.db.collection('audit');
    await audit.insertOne({
      at: new Date(),
      who: { kind: 'staff', id: 'x', name: 'Carol' },
      action: 'contact.put',
      subject: { kind: 'contact', id: 'late-person' },
      about: ['contact:late-person'],
      details: { fields: ['email'] },
    });
    const next = await startSupportApi(database.uri);
    apps.push(next);
    const { body } = await supertest(next.getHttpServer())
      .get('/v1/search?q=late-person')
      .set('authorization', `Bearer ${ADMIN_TOKEN}`)
      .expect(200);
    expect(body.people).toMatchObject([{ user_id: 'late-person' }]);
    expect(await audit.countDocuments({ seq: { $exists: false } })).toBe(0);
  });

  it('of a later version are left alone', async () => {
    await migrations().insertOne({ _id: '9999-of-a-later-version' });
    await start();
    expect(await migrations().countDocuments()).toBe(MIGRATIONS.length + 2);
  });
});
