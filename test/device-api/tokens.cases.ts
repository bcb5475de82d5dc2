import { MINUTE_MS } from '#domain';
import { RegistryWatch } from '../../apps/device-api/src/auth/registry-watch.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, startDeviceApi } from '../../tools/harness/services.js';
import { Devices, opened, type RegisteredBottle } from './devices.js';

describe('tokens', () => {
  const FLOOD = 100;

  let devices: Devices;
  let proxy: DatabaseProxy;
  /** Another process of device-api, as far as tokens go: it shares nothing but the database. */
  let other: NestFastifyApplication;

  beforeAll(async () => {
    devices = await Devices.start('tokens', async (uri) => {
      proxy = await DatabaseProxy.start(uri);
      return { MONGODB_URI: proxy.uri };
    });
    other = await startDeviceApi(devices.database.uri, devices.clock);
  });
  afterAll(async () => {
    await other?.close();
    await devices?.stop();
    await proxy?.stop();
  });

  /** What both processes answer to a heartbeat with this token. */
  async function heartbeats(token: string): Promise<(string | number)[]> {
    const sent = [devices.app, other].map((app) =>
      supertest(app.getHttpServer()).post('/v1/heartbeats').set('authorization', `Bearer ${token}`),
    );
    return (await Promise.all(sent)).map(
      ({ status, body }) => (body as { code?: string } | undefined)?.code ?? status,
    );
  }

  /** Both processes poll for changes. */
  const pollRegistry = (): Promise<void[]> =>
    Promise.all([devices.app, other].map((app) => app.get(RegistryWatch).poll()));

  const strangers = (count: number): string[] =>
    Array.from({ length: count }, () => `pwb_${randomBytes(32).toString('base64url')}`);

  const everything = async ({ _id }: RegisteredBottle): Promise<number[]> =>
    Promise.all(
      ['bottles', 'bottle_states', 'bottle_actions', 'bottle_heartbeats'].map((name) =>
        devices.database.db.collection(name).countDocuments({ $or: [{ _id }, { bottle_id: _id }] }),
      ),
    );

  it('asks the database once in a while, and not at each request', async () => {
    const bottle = await devices.register();
    const queries = await devices.lookups(async () => {
      for (let time = 0; time < 20; time += 1) {
        expect((await devices.post(bottle, '/v1/heartbeats')).status).toBe(204);
        devices.clock.advance(1_000);
      }
    });
    expect(queries).toBe(1);
  });

  it('a heartbeat every half hour needs no look into the registry', async () => {
    const bottle = await devices.register();
    await devices.post(bottle, '/v1/heartbeats');
    const queries = await devices.lookups(async () => {
      for (let time = 0; time < 4; time += 1) {
        devices.clock.advance(30 * MINUTE_MS);
        await pollRegistry();
        expect((await devices.post(bottle, '/v1/heartbeats')).status).toBe(204);
      }
    });
    expect(queries).toBe(0);
  });

  it('what has changed is known as soon as it was asked for', async () => {
    const [replaced, sold] = [await devices.register(), await devices.register()];
    for (const { token } of [replaced, sold]) expect(await heartbeats(token)).toEqual([204, 204]);
    const token = await devices.rotate(replaced);
    await asAdmin(devices.support).patch(`/v1/bottles/${sold.id}`).send({ user_id: 'buyer' }).expect(200);
    await pollRegistry();
    expect(await heartbeats(replaced.token)).toEqual(['token_revoked', 'token_revoked']);
    expect(await heartbeats(token)).toEqual([204, 204]);
    devices.clock.advance(1_000);
    await heartbeats(sold.token);
    expect((await devices.heartbeats(sold)).at(-1)).toMatchObject({ user_id: 'buyer' });
  });

  it('a change invalidates the cached token once, not at every later poll', async () => {
    const bottle = await devices.register();
    const token = await devices.rotate(bottle);
    for (let time = 0; time < 4; time += 1) {
      devices.clock.advance(15_000);
      await pollRegistry();
    }
    expect(await heartbeats(token)).toEqual([204, 204]);
    const queries = await devices.lookups(async () => {
      devices.clock.advance(15_000);
      await pollRegistry();
      expect(await heartbeats(token)).toEqual([204, 204]);
    });
    expect(queries).toBe(0);
  });

  it('every process refuses a replaced token within a minute, and knows the new one at once', async () => {
    const bottle = await devices.register();
    expect(await heartbeats(bottle.token)).toEqual([204, 204]);
    const token = await devices.rotate(bottle);
    expect(await heartbeats(token)).toEqual([204, 204]);
    devices.clock.advance(MINUTE_MS);
    expect(await heartbeats(bottle.token)).toEqual(['token_revoked', 'token_revoked']);
    expect(await heartbeats(token)).toEqual([204, 204]);
  });

  it('a bottle that is erased stops at once in every process, and leaves nothing behind', async () => {
    const bottle = await devices.register();
    expect(await heartbeats(bottle.token)).toEqual([204, 204]);
    await asAdmin(devices.support).delete(`/v1/bottles/${bottle.id}`).expect(200);
    devices.clock.advance(1_000);
    expect(await heartbeats(bottle.token)).toEqual(['token_unknown', 'token_unknown']);
    const healthy = await devices.register();
    const answers = await Promise.all([
      devices.post(bottle, '/v1/actions', opened(0)),
      devices.post(healthy, '/v1/actions', opened(0)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 201]);
    expect(await everything(bottle)).toEqual([0, 0, 0, 0]);
    devices.clock.advance(MINUTE_MS);
    expect(await heartbeats(bottle.token)).toEqual(['token_unknown', 'token_unknown']);
  });

  it('a bottle that changes hands is logged for its new owner within a minute', async () => {
    const bottle = await devices.register();
    await devices.post(bottle, '/v1/heartbeats');
    await asAdmin(devices.support)
      .patch(`/v1/bottles/${bottle.id}`)
      .send({ user_id: 'someone-else', medication: 'Hyronalin' })
      .expect(200);
    devices.clock.advance(MINUTE_MS);
    await devices.post(bottle, '/v1/heartbeats');
    expect((await devices.heartbeats(bottle)).at(-1)).toMatchObject({
      user_id: 'someone-else',
      medication: 'Hyronalin',
    });
  });

  it('a flood of bad tokens is a few queries, and a new bottle gets through it', async () => {
    const [one] = strangers(1);
    const same = await devices.lookups(async () => {
      for (let time = 0; time < 50; time += 1)
        expect((await devices.post({ token: one! }, '/v1/heartbeats')).body.code).toBe('token_unknown');
    });
    // whose it is, and whose it was
    expect(same).toBeLessThanOrEqual(2);
    const many = await devices.lookups(async () => {
      // the first is asked for at once; the others find the question on its way
      proxy.hold((chunk) => chunk.includes('token_hash'));
      const flood = strangers(FLOOD).map((token) => devices.post({ token }, '/v1/heartbeats'));
      await eventually(async () => expect(await devices.connections()).toBeGreaterThanOrEqual(FLOOD));
      const bottle = await devices.register();
      const healthy = devices.post(bottle, '/v1/heartbeats');
      proxy.goOn();
      expect((await healthy).status).toBe(204);
      for (const { status } of await Promise.all(flood)) expect(status).toBe(401);
    });
    expect(many).toBeLessThanOrEqual(FLOOD / 5);
  });
});
