import { MINUTE_MS } from '#domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest from 'supertest';
import { asAdmin, startDeviceApi } from '../../tools/harness/services.js';
import { at, closed, Devices, opened, type RegisteredBottle } from './devices.js';

describe('gateways', () => {
  const BATCH = '/v1/gateway/batch';

  let devices: Devices;
  /** Another process of device-api: it shares nothing but the database. */
  let other: NestFastifyApplication;

  beforeAll(async () => {
    devices = await Devices.start('gateways');
    other = await startDeviceApi(devices.database.uri, devices.clock);
  });
  afterAll(async () => {
    await other?.close();
    await devices?.stop();
  });

  type Item = Record<string, unknown>;

  const heartbeat = ({ id }: RegisteredBottle, more: Item = {}): Item => ({
    type: 'heartbeat',
    bottle_id: id,
    ...more,
  });
  const action = ({ id }: RegisteredBottle, body: Item): Item => ({ type: 'action', bottle_id: id, ...body });

  /** What becomes of a batch's items, by their codes or else their statuses; or of the batch, if it is refused. */
  async function outcome(gateway: { token: string }, ...items: Item[]): Promise<(string | number)[]> {
    const { status, body } = await devices.post(gateway, BATCH, { items });
    return status === 200 ? outcomes(body) : [body.code];
  }

  function outcomes({ results }: { results: { status: number; code?: string }[] }): (string | number)[] {
    return results.map(({ status, code }) => code ?? status);
  }

  /** The same of a heartbeat, in both processes. */
  async function inBoth(gateway: { token: string }, bottle: RegisteredBottle): Promise<(string | number)[]> {
    const answers = await Promise.all(
      [devices.app, other].map((app) =>
        supertest(app.getHttpServer())
          .post(BATCH)
          .set('authorization', `Bearer ${gateway.token}`)
          .send({ items: [heartbeat(bottle)] }),
      ),
    );
    return answers.flatMap(({ status, body }) =>
      status === 200 ? outcomes(body as never) : (body as { code: string }).code,
    );
  }

  it('stores the reports of many bottles, each for its own, and answers in order', async () => {
    const [one, two] = [await devices.register(), await devices.register({ user_id: 'anna' })];
    const gateway = await devices.gateway(one, two);
    const items = [
      heartbeat(two, { battery_percent: 71 }),
      action(one, opened(-MINUTE_MS, { event_id: 'a-1' })),
      action(two, closed(-MINUTE_MS, { event_id: 'a-1' })),
      heartbeat(one),
      action(one, opened(-MINUTE_MS, { event_id: 'a-1' })),
      heartbeat(one, { rssi_dbm: -60 }),
    ];
    const { status, body } = await devices.post(gateway, BATCH, { items });
    expect(status).toBe(200);
    expect(outcomes(body)).toEqual([204, 201, 201, 204, 200, 204]);
    expect(body.results[4].id).toBe(body.results[1].id);
    expect(await devices.actions(one)).toMatchObject([{ user_id: 'willcross1024', action: 'opened' }]);
    expect(await devices.actions(two)).toMatchObject([{ user_id: 'anna', action: 'closed' }]);
    expect(await devices.state(one)).toMatchObject({ open: true, last_heard_at: expect.any(Date) });
    expect(await devices.heartbeats(two)).toMatchObject([{ battery_percent: 71 }]);
    for (const document of [...(await devices.actions(two)), ...(await devices.heartbeats(two))])
      expect(Object.keys(document)).not.toContain('type');
  });

  it("corrects the items' times by the clock of the batch", async () => {
    const bottle = await devices.register();
    const gateway = await devices.gateway(bottle);
    const hour = 60 * MINUTE_MS;
    const items = [action(bottle, opened(-2 * hour))];
    await devices.post(gateway, BATCH, { sent_at: at(-hour), items });
    expect((await devices.actions(bottle))[0]).toMatchObject({ time: new Date(at(-hour)) });
    expect(await devices.state(bottle)).toMatchObject({ bad_clock: { offset_ms: -hour } });
  });

  it('an item of a bottle that it does not speak for fails alone, and leaves no trace', async () => {
    const [own, foreign] = [await devices.register(), await devices.register()];
    const gateway = await devices.gateway(own);
    const neighbour = await devices.gateway(foreign);
    await devices.post(foreign, '/v1/actions', opened(-MINUTE_MS, { event_id: 'theirs' }));
    const theirs = async (): Promise<string> =>
      JSON.stringify([
        await devices.actions(foreign),
        await devices.heartbeats(foreign),
        await devices.state(foreign),
      ]);
    const before = await theirs();
    devices.clock.advance(1_000);
    const nobody = { ...foreign, id: '0123456789abcdef01234567' };
    const items = [
      heartbeat(foreign),
      heartbeat(own),
      // a gateway that does not send for the bottle learns of neither a repetition nor a conflict
      action(foreign, opened(-MINUTE_MS, { event_id: 'theirs' })),
      action(foreign, closed(0, { event_id: 'theirs' })),
      heartbeat(nobody),
      action(own, opened(0)),
    ];
    const { body } = await devices.post(gateway, BATCH, { items });
    const no = 'bottle_not_assigned';
    expect(outcomes(body)).toEqual([no, 204, no, no, no, 201]);
    expect(new Set([0, 2, 3, 4].map((index) => JSON.stringify(body.results[index]))).size).toBe(1);
    expect(body.results[0]).toMatchObject({ status: 403, field: 'bottle_id' });
    expect(await theirs()).toBe(before);
    expect(await outcome(neighbour, heartbeat(foreign), heartbeat(own))).toEqual([204, no]);
  });

  it('the same report by the bottle and by its gateway is stored once', async () => {
    const bottle = await devices.register();
    const gateway = await devices.gateway(bottle);
    const reports = [
      ['action', opened(-3 * MINUTE_MS, { event_id: 'named' })],
      ['action', closed(-2 * MINUTE_MS)],
      ['heartbeat', { sent_at: at(-MINUTE_MS), battery_percent: 50 }],
    ] as const;
    const items = reports.map(([type, body]) => ({ type, bottle_id: bottle.id, ...body }));
    expect(await outcome(gateway, items[0]!, items[2]!)).toEqual([201, 204]);
    for (const [type, body] of reports) {
      const { status } = await devices.post(bottle, `/v1/${type}s`, body);
      expect(status).toBe(type === 'heartbeat' ? 204 : body === reports[0][1] ? 200 : 201);
    }
    expect(await outcome(gateway, ...items)).toEqual([200, 200, 204]);
    expect(await devices.actions(bottle)).toHaveLength(2);
    expect(await devices.heartbeats(bottle)).toHaveLength(1);
  });

  it('every process refuses a token that was replaced or revoked within a minute', async () => {
    const bottle = await devices.register();
    const gateway = await devices.gateway(bottle);
    expect(await inBoth(gateway, bottle)).toEqual([204, 204]);
    const answer = await asAdmin(devices.support).post(`/v1/gateways/${gateway.id}/token`).expect(201);
    const renewed = { ...gateway, token: (answer.body as { token: string }).token };
    expect(await inBoth(renewed, bottle)).toEqual([204, 204]);
    devices.clock.advance(MINUTE_MS);
    expect(await inBoth(gateway, bottle)).toEqual(['token_revoked', 'token_revoked']);
    expect(await inBoth(renewed, bottle)).toEqual([204, 204]);
    await asAdmin(devices.support).delete(`/v1/gateways/${gateway.id}`).expect(204);
    devices.clock.advance(MINUTE_MS);
    const logged = await devices.heartbeats(bottle);
    expect(await inBoth(renewed, bottle)).toEqual(['token_revoked', 'token_revoked']);
    expect(await devices.heartbeats(bottle)).toEqual(logged);
  });

  it('every process refuses a bottle that was taken from the gateway within a minute, and takes a new one', async () => {
    const [one, two] = [await devices.register(), await devices.register()];
    const gateway = await devices.gateway(one);
    const no = 'bottle_not_assigned';
    expect(await inBoth(gateway, one)).toEqual([204, 204]);
    expect(await inBoth(gateway, two)).toEqual([no, no]);
    await devices.assign(gateway, 'assign', two);
    await devices.assign(gateway, 'unassign', one);
    devices.clock.advance(MINUTE_MS);
    expect(await inBoth(gateway, one)).toEqual([no, no]);
    expect(await inBoth(gateway, two)).toEqual([204, 204]);
  });

  it('a retired bottle is refused, and the others of the batch are stored', async () => {
    const [bottle, healthy] = [await devices.register(), await devices.register()];
    const gateway = await devices.gateway(bottle, healthy);
    await asAdmin(devices.support)
      .post(`/v1/bottles/${bottle.id}/retire`)
      .send({ reason: 'lost' })
      .expect(200);
    const items = [heartbeat(bottle), heartbeat(healthy)];
    expect(await outcome(gateway, ...items)).toEqual(['bottle_retired', 204]);
    expect(await devices.heartbeats(bottle)).toEqual([]);
  });

  it('a bottle that is erased is refused at once, and leaves nothing behind', async () => {
    const [bottle, healthy] = [await devices.register(), await devices.register()];
    const gateway = await devices.gateway(bottle, healthy);
    expect(await outcome(gateway, heartbeat(bottle), heartbeat(healthy))).toEqual([204, 204]);
    await asAdmin(devices.support).delete(`/v1/bottles/${bottle.id}`).expect(200);
    devices.clock.advance(1_000);
    const items = [action(bottle, opened(0)), action(healthy, opened(0))];
    expect(await outcome(gateway, ...items)).toEqual(['bottle_not_assigned', 201]);
    expect([...(await devices.actions(bottle)), ...(await devices.heartbeats(bottle))]).toEqual([]);
  });

  it('looks the bottles of a batch up in one query, and then remembers them', async () => {
    const bottles = await Promise.all(Array.from({ length: 20 }, () => devices.register()));
    const gateway = await devices.gateway(...bottles);
    const queries = await devices.lookups(async () => {
      for (let time = 0; time < 5; time += 1) {
        const items = bottles.map((bottle) => heartbeat(bottle, { battery_percent: time }));
        expect(new Set(await outcome(gateway, ...items))).toEqual(new Set([204]));
        devices.clock.advance(1_000);
      }
    });
    expect(queries).toBe(1);
  });
});
