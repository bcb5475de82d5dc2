import { MINUTE_MS } from '#domain';
import supertest from 'supertest';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import type { Ping } from '../../tools/harness/dead-mans-switch.js';
import { NotifierHarness } from './notifier-harness.js';
import { passCycle, TestWatchdog } from './watchdog-harness.js';
import { WEBHOOK_SECRET } from '../../tools/harness/webhook-receiver.js';

describe('watchdog', () => {
  let harness: NotifierHarness;
  let dog: TestWatchdog;

  beforeAll(async () => {
    const port = await freePort();
    // the first watchdog is down; the second one is ours
    const urls = `http://127.0.0.1:1/webhook http://127.0.0.1:${port}/webhook`;
    harness = await NotifierHarness.start('watchdog', { CANARY_WEBHOOK_URL: urls });
    await harness.begin();
    dog = await TestWatchdog.start(harness, port);
  });
  afterAll(async () => {
    await dog?.stop();
    await harness?.stop();
  });

  /** @returns the pings of the next cycle */
  async function cycle(working: Parameters<typeof passCycle>[2] = {}): Promise<Ping[]> {
    await passCycle(harness, [dog], working);
    return dog.deadMan.pings;
  }

  it('pings the dead man’s switch when all its notifications have come back in time, again and again', async () => {
    // more often than a condition may return without a hold-down
    for (let times = 0; times < 3; times += 1) {
      const [start, end, ...others] = await cycle();
      // a failure says why
      expect(end!.path === '/check' ? '' : end!.body).toBe('');
      expect([start!.path, end!.path, others]).toEqual(['/check/start', '/check', []]);
      // without a mail leg
      const { audit_head, ...durations } = JSON.parse(end!.body) as Record<string, unknown>;
      expect(audit_head).toMatch(/^\d+:[\w-]{43}$/);
      expect(Object.keys(durations).sort()).toEqual([
        'closing_stored',
        'dose_late',
        'dose_missed',
        'heartbeat_stored',
        'open_raised',
        'open_resolved',
        'opening_stored',
        'staff_served',
      ]);
    }
    const { text } = await supertest(dog.app.getHttpServer()).get('/metrics').expect(200);
    expect(text).toContain('pillwatch_canary_cycles_total{result="success"} 3');
    expect(text).toMatch(/^pillwatch_canary_leg_seconds\{leg="open_raised"\} \d/m);
    const { body } = await supertest(dog.app.getHttpServer()).get('/health/ready').expect(200);
    expect(body.info.canary).toMatchObject({
      last_success: expect.any(String),
      legs_ms: { dose_missed: expect.any(Number), open_resolved: expect.any(Number) },
    });
    expect(body.info.database).toBeUndefined();
  });

  it('repeats a ping that was lost on its way, twice', async () => {
    dog.deadMan.loses = 2;
    expect((await cycle()).map(({ path }) => path)).toEqual(['/check/start', '/check']);
    dog.deadMan.loses = 2;
    expect((await cycle({ notifier: false })).map(({ path }) => path)).toEqual([
      '/check/start',
      '/check/fail',
    ]);
    await harness.notifier.runAll();
    await cycle();
  });

  it('says why a cycle failed while no notifier runs, and succeeds when one runs again', async () => {
    const [, end] = await cycle({ notifier: false });
    expect(end).toEqual({ path: '/check/fail', body: 'dose_late has not come within 3 minutes' });
    // what the notifier missed comes late, and is of the cycle before
    await harness.notifier.runAll();
    expect((await cycle()).map(({ path }) => path)).toEqual(['/check/start', '/check']);
  });

  it('accepts nothing with a wrong or old signature, and nothing of another bottle', async () => {
    const post = (headers: Record<string, string>, body: object): supertest.Test =>
      supertest(dog.app.getHttpServer()).post('/webhook').set(headers).send(body);
    const { Webhook } = await import('standardwebhooks');
    const sign = (sentAt: Date, body: object): Record<string, string> => ({
      'webhook-id': 'm1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(WEBHOOK_SECRET).sign('m1', sentAt, JSON.stringify(body)),
    });
    const message = { data: { bottle_id: 'ffffffff0000000000000000' } };
    const now = harness.clock.now();
    await post({}, message).expect(401);
    await post({ ...sign(now, message), 'webhook-signature': 'v1,AAAA' }, message).expect(401);
    await post(sign(new Date(now.getTime() - 6 * MINUTE_MS), message), message).expect(401);
    await post(sign(now, message), message).expect(404);
  });

  it('refuses a request without a body, and an address that goes on guessing', async () => {
    const http = supertest(dog.app.getHttpServer());
    const now = String(Math.floor(harness.clock.now().getTime() / 1_000));
    const empty = () => http.post('/webhook').set({ 'webhook-id': 'm1', 'webhook-timestamp': now });
    await empty().expect(401);
    await empty().set('content-type', 'application/json').expect(401);
    let status = 401;
    for (let guess = 0; guess < 100 && status === 401; guess += 1) ({ status } = await empty());
    expect(status).toBe(429);
    harness.clock.advance(MINUTE_MS);
    await empty().expect(401);
  });

  it('pings nothing but a failure while device-api is stopped', async () => {
    const server = harness.device.getHttpServer();
    server.closeAllConnections();
    server.close();
    const [start, end] = await cycle({ device: false });
    expect([start!.path, end!.path]).toEqual(['/check/start', '/check/fail']);
    expect(end!.body).toMatch(
      /^heartbeat_stored has not come within 3 minutes; opening_stored: .*fetch failed/,
    );
  });
});
