import { SECOND_MS, HOUR_MS, MINUTE_MS, DAY_MS } from '#domain';
import { Devices, NOW, type RegisteredBottle } from '../device-api/devices.js';
import type { AddressInfo } from 'node:net';
import { RegistryWatch } from '../../apps/device-api/src/auth/registry-watch.js';
import { buildC, buildPython, type Client } from './build.js';
import { CuttingProxy } from './cutting-proxy.js';
import { differences, refuseActions, seeded, sendThroughFaults } from './exactly-once.js';
import { SimulatedBottle } from './simulated-bottle.js';

/** A bottle may send so many reports a minute. */
const RATE = 60;

/** What a proxy in front of the service may answer. */
const answer = (status: string, headers: string[] = [], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...headers, 'Connection: close', '', body].join('\r\n');

describe.each([
  ['C', () => buildC(), [1, 2]],
  ['MicroPython', () => buildPython('micropython'), [1]],
  ['MicroPython’s client under CPython', () => buildPython('python3'), [1]],
])('the client in %s', (_name, build, seeds) => {
  let client: Client;
  let devices: Devices;
  let proxy: CuttingProxy;
  let registered: RegisteredBottle;
  let bottle: SimulatedBottle;

  beforeAll(async () => {
    client = build();
    devices = await Devices.start('clients', { DEVICE_RATE_LIMIT: `${RATE}/m` });
    proxy = await CuttingProxy.start(
      (devices.app.getHttpServer().address() as AddressInfo).port,
      devices.clock,
    );
  });
  afterAll(async () => {
    await proxy?.stop();
    await devices?.stop();
  });
  beforeEach(async () => {
    devices.clock.set(NOW);
    registered = await devices.register();
    bottle = new SimulatedBottle(client, devices.clock, proxy.port, registered.token);
  });
  afterEach(async () => {
    proxy.isDown = false;
    proxy.fate = {};
    await bottle.stop();
  });

  const stored = () => devices.actions(registered);
  const numbers = async () =>
    (await stored()).map((document) => document['number_of_pills'] as number).sort((a, b) => a - b);
  const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const moveLid = async (ms: number, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await bottle.tick(ms);
      await bottle.move(n % 2 === 0 ? 'opened' : 'closed');
    }
  };
  /** Between requests, in ms. */
  const gaps = (): number[] =>
    bottle.requests.slice(1).map((at, n) => at.getTime() - bottle.requests[n]!.getTime());

  it.each(seeds)(
    'nothing is lost and nothing is there twice: cut connections and power cuts, run %d',
    async (seed) => {
      const failures = await sendThroughFaults(devices, bottle, proxy, 100, seeded(seed));
      expect(failures).toBeGreaterThan(20);
      const all = await stored();
      expect(differences(bottle, all)).toEqual([]);
      expect(all.length).toBeGreaterThan(50);
      expect(new Set(all.map((document) => document['event_id'])).size).toBe(all.length);
    },
  );

  it('sends an action at once, and a heartbeat every 30 minutes', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    expect(await devices.heartbeats(registered)).toHaveLength(1);
    await bottle.move('opened');
    await bottle.tick(0);
    expect(await numbers()).toEqual([1]);
    expect(bottle.requests).toHaveLength(2);
    await bottle.tick(10 * HOUR_MS);
    const beats = await devices.heartbeats(registered);
    expect(beats.length).toBeGreaterThanOrEqual(21);
    expect(beats.length).toBeLessThanOrEqual(24);
    expect(beats.at(-1)).toMatchObject({ battery_percent: 87 });
    // nothing that had to be left out
    expect((await devices.state(registered))['report_problems'] ?? []).toEqual([]);
  });

  it('sends the backlog in batches; a limit of the service makes it wait for Retry-After', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    proxy.isDown = true;
    await moveLid(HOUR_MS, 40);
    proxy.isDown = false;
    bottle.requests.length = 0;
    // 20 of the minute's 60 are left
    for (let n = 0; n < RATE - 20; n += 1) await devices.post(registered, '/v1/heartbeats');
    await bottle.empty();
    expect(await numbers()).toEqual(numbered(1, 40));
    expect(bottle.requests.length).toBeLessThan(8);
  });

  it('waits longer and longer, not in step with others, up to 15 minutes and a half more', async () => {
    proxy.isDown = true;
    await bottle.boot();
    await bottle.tick(5 * HOUR_MS);
    const waits = gaps();
    for (const [n, base] of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].entries()) {
      expect(waits[n]).toBeGreaterThanOrEqual(base * SECOND_MS);
      expect(waits[n]).toBeLessThanOrEqual(1.5 * base * SECOND_MS);
    }
    expect(new Set(waits).size).toBeGreaterThan(8);
    proxy.isDown = false;
    await bottle.tick(30 * MINUTE_MS);
    proxy.isDown = true;
    bottle.requests.length = 0;
    await bottle.move('opened');
    await bottle.tick(MINUTE_MS);
    expect(gaps()[0]).toBeLessThanOrEqual(7.5 * SECOND_MS);
  });

  it('503 of the service: waits for Retry-After, and sends everything afterwards', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    await refuseActions(devices, { _id: { $exists: true } });
    try {
      bottle.requests.length = 0;
      await bottle.move('opened');
      await bottle.move('closed');
      expect(await bottle.tick(20 * MINUTE_MS)).toMatchObject({ waiting: 2, fault: 0 });
      expect(await stored()).toEqual([]);
      expect(Math.min(...gaps())).toBeGreaterThanOrEqual(5 * SECOND_MS);
    } finally {
      await refuseActions(devices, {});
    }
    await bottle.empty();
    expect(await numbers()).toEqual([1, 2]);
  });

  it.each([
    ['503 Service Unavailable', 'Retry-After: 2000', 2_000],
    ['429 Too Many Requests', 'Retry-After: 70', 70],
    ['503 Service Unavailable', 'Retry-After: soon', 5],
    ['502 Bad Gateway', 'Server: x', 5],
    ['408 Request Timeout', 'Server: x', 5],
    ['200 OK', 'Server: x', 0],
  ])('%s with "%s": sends again after %d s', async (status, header, seconds) => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    bottle.requests.length = 0;
    proxy.fate = { answer: answer(status, [header]) };
    await bottle.move('opened');
    await bottle.move('closed');
    await bottle.tick(2 * HOUR_MS);
    expect(await numbers()).toEqual([1, 2]);
    const wait = seconds || 5;
    expect(gaps()[0]).toBeGreaterThanOrEqual(wait * SECOND_MS);
    expect(gaps()[0]).toBeLessThanOrEqual(1.5 * wait * SECOND_MS);
  });

  it.each([
    ['200 OK', '<h1>Welcome to the hotel</h1>'],
    ['200 OK', '{"welcome": true}'],
    ['302 Found', ''],
  ])('a login page of the Wi-Fi, %s %j, stores nothing', async (status, body) => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    bottle.beforeRequest = () => {
      proxy.fate = { answer: answer(status, ['Location: http://login.example/'], body) };
    };
    await bottle.move('opened');
    expect(await bottle.tick(HOUR_MS)).toMatchObject({ waiting: 1, fault: 0 });
    bottle.beforeRequest = () => undefined;
    await bottle.empty();
    expect(await numbers()).toEqual([1]);
  });

  it('flash full: the oldest make room, and heartbeats cost no action its place', async () => {
    bottle.capacity = 48;
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    proxy.isDown = true;
    await moveLid(HOUR_MS, 100);
    const { lost, waiting } = (await bottle.tick(10 * HOUR_MS))!;
    expect(waiting).toBeGreaterThanOrEqual(48);
    expect(lost + waiting).toBe(100);
    proxy.isDown = false;
    await bottle.empty();
    expect(await numbers()).toEqual(numbered(lost + 1, 100));
  });

  it('the time of an action is right: a clock that was never set, one that stood still, one that is right', async () => {
    proxy.isDown = true;
    await bottle.boot();
    await moveLid(HOUR_MS, 3);
    proxy.isDown = false;
    await bottle.tick(30 * MINUTE_MS);
    expect(await numbers()).toEqual([1, 2, 3]);
    proxy.isDown = true;
    await moveLid(HOUR_MS, 3);
    // the clock was right; after the power cut it lags by five hours
    await bottle.switchOff();
    await bottle.boot(5 * HOUR_MS);
    await moveLid(HOUR_MS, 3);
    proxy.isDown = false;
    await bottle.empty();
    const all = await stored();
    expect(all).toHaveLength(9);
    for (const { time, number_of_pills: number } of all) {
      const difference = (time as Date).getTime() - bottle.ordered[(number as number) - 1]!.time.getTime();
      expect(Math.abs(difference)).toBeLessThan(2 * SECOND_MS);
    }
    // from then on staff are shown no wrong clock
    const { bad_clock } = await devices.state(registered);
    expect(bad_clock).toBeDefined();
    await bottle.move('opened');
    await bottle.tick(HOUR_MS);
    expect((await devices.state(registered))['bad_clock']).toEqual(bad_clock);
    expect(proxy.lastRequest).toMatch(/^POST \/v1\/heartbeats [\s\S]*"sent_at": ?"2026-/);
  });

  it('a factory reset names no event again', async () => {
    await bottle.boot();
    await bottle.move('opened');
    await bottle.tick(SECOND_MS);
    await bottle.switchOff();
    bottle.reset();
    await bottle.boot();
    await bottle.move('opened');
    await bottle.tick(SECOND_MS);
    const ids = (await stored()).map((document) => document['event_id'] as string);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  it('what is not understood is kept for a day, sent again each hour, and stops nothing else', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    proxy.isDown = true;
    await bottle.move('opened');
    await bottle.switchOff();
    proxy.isDown = false;
    await bottle.boot(400 * DAY_MS);
    await bottle.move('closed');
    await bottle.tick(HOUR_MS / 2);
    expect(await numbers()).toEqual([2]);
    expect(bottle.refused).toEqual([expect.stringMatching(/^\d+ 400 time_out_of_range$/)]);
    // also over a power cut
    await bottle.switchOff();
    expect(await bottle.boot()).toBe(1);
    await bottle.move('opened');
    const { waiting } = (await bottle.tick(23 * HOUR_MS - 10 * MINUTE_MS))!;
    expect(waiting).toBe(1);
    expect(await numbers()).toEqual([2, 3]);
    expect(bottle.refused.length).toBeGreaterThanOrEqual(20);
    expect(bottle.refused.length).toBeLessThanOrEqual(25);
    expect(await bottle.tick(3 * HOUR_MS)).toMatchObject({ waiting: 0, fault: 0 });
  });

  it('a batch that is refused as a whole is sent in smaller parts', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    proxy.isDown = true;
    await moveLid(MINUTE_MS, 20);
    proxy.isDown = false;
    let refusals = 0;
    bottle.beforeRequest = () => {
      if (refusals >= 3) return;
      refusals += 1;
      proxy.fate = { answer: answer('413 Payload Too Large', [], '{"code":"body_too_large"}') };
    };
    await bottle.tick(HOUR_MS);
    bottle.beforeRequest = () => undefined;
    expect(refusals).toBe(3);
    expect(await numbers()).toEqual(numbered(1, 20));
  });

  it('a token that was replaced: keeps everything, tries once an hour, and continues with the new one', async () => {
    await bottle.boot();
    await bottle.tick(SECOND_MS);
    const token = await devices.rotate(registered);
    await devices.app.get(RegistryWatch).poll();
    await bottle.move('opened');
    bottle.requests.length = 0;
    expect(await bottle.tick(10 * HOUR_MS)).toMatchObject({ waiting: 1, fault: 401 });
    expect(bottle.refused[0]).toBe('0 401 token_revoked');
    expect(bottle.requests.length).toBeLessThanOrEqual(11);
    await bottle.setToken(token);
    expect(await bottle.tick(SECOND_MS)).toMatchObject({ waiting: 0, fault: 0 });
    expect(await numbers()).toEqual([1]);
  });
});
