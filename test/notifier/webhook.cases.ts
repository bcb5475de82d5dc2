import { MINUTE_MS } from '#domain';
import { SystemClock } from '#platform';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';
import { WEBHOOK_SECRET } from '../../tools/harness/webhook-receiver.js';

describe('webhook', () => {
  interface Request {
    path: string;
    headers: IncomingHttpHeaders;
    body: string;
  }

  let harness: NotifierHarness;
  let server: Server;
  let port: number;
  let connections = 0;
  const requests: Request[] = [];
  let answer: (request: Request, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        const received = {
          path: request.url!,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        requests.push(received);
        answer(received, response);
      });
    });
    server.on('connection', () => (connections += 1));
    // all addresses of this machine, both families
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    port = (server.address() as AddressInfo).port;
    harness = await NotifierHarness.start('webhook');
  });
  afterAll(async () => {
    await harness?.stop();
    server.closeAllConnections();
    server.close();
  });

  beforeEach(async () => {
    // the receiver's library compares with the machine's clock
    const now = new SystemClock().now();
    harness.clock.set(now);
    // a closing would have been received
    const from = new Date(now.getTime() - 60 * MINUTE_MS);
    await harness.database.db.collection('listening_spans').insertOne({ from, until: now });
    // what the test before was refused would come again
    await harness.database.db.collection('deliveries').deleteMany({});
    requests.length = 0;
    connections = 0;
    answer = (_request, response) => response.writeHead(204).end();
  });

  /** A bottle whose message a notifier with this receiver has dealt with, once. */
  async function sendTo(
    url: string,
    env: Record<string, string> = {},
    about: object = {},
  ): Promise<TestBottle> {
    const notifier = await harness.addNotifier({ WEBHOOK_URL: url, ...env });
    const bottle = await harness.register(about);
    const now = harness.clock.now();
    harness.clock.set(new Date(now.getTime() - 5 * MINUTE_MS));
    await harness.action(bottle, 'opened');
    harness.clock.set(now);
    await notifier.open.run();
    await notifier.deliverer.run();
    return bottle;
  }

  it('is signed as Standard Webhooks has it', async () => {
    const bottle = await sendTo(`http://127.0.0.1:${port}/hook`);
    const { headers, body } = requests[0]!;
    const verified = new Webhook(WEBHOOK_SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'alert.raised',
      data: { bottle_id: bottle.id, kind: 'bottle_open' },
    });
    expect(headers['webhook-id']).toBe((await harness.deliveries(bottle))[0]!._id);
    const changed = body.replace(bottle.id, '0'.repeat(24));
    expect(() => new Webhook(WEBHOOK_SECRET).verify(changed, headers as Record<string, string>)).toThrow(
      'signature',
    );
  });

  it('says whom it is for, which step it is, and by its id which delivery', async () => {
    const user_id = 'of-two';
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '0m', to: 'carer' },
    ];
    const carer = { webhook: true, name: 'Carol' };
    await asAdmin(harness.support)
      .put(`/v1/contacts/${user_id}`)
      .send({ webhook: true, carer, escalation })
      .expect(201);
    const bottle = await sendTo(`http://127.0.0.1:${port}/hook`, {}, { user_id });
    const of = (body: string): { recipient: { role: string }; step: string } =>
      (JSON.parse(body) as { data: { recipient: { role: string }; step: string } }).data;
    const sent = requests
      .map(({ body }) => of(body))
      .toSorted((one, other) => (one.step < other.step ? -1 : 1));
    expect(sent.map(({ recipient }) => recipient)).toEqual([
      { role: 'user', user_id },
      { role: 'carer', user_id, carer_id: 'carer', contact: { name: 'Carol' } },
    ]);
    expect(new Set(sent.map(({ step }) => step)).size).toBe(2);
    const ids = requests.map(({ headers }) => headers['webhook-id']);
    const deliveries = await harness.deliveries(bottle);
    expect(new Set<unknown>(ids)).toEqual(new Set(deliveries.map(({ _id }) => _id)));
  });

  it.each([
    ['python', 'python3', ['-c']],
    ['js', process.execPath, ['--input-type=module', '-e']],
  ])('is taken by the receiver in docs/webhooks.md: %s', async (language, command, options) => {
    const text = await readFile('docs/webhooks.md', 'utf8');
    const code = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)![1]!;
    const receiving = await freePort();
    const child = spawn(command, [...options, code], {
      env: { PATH: process.env['PATH'], PORT: String(receiving), WEBHOOK_SECRET },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const url = `http://127.0.0.1:${receiving}/`;
      const status = async (): Promise<number> => (await fetch(url, { method: 'POST', body: '{}' })).status;
      await eventually(async () => expect(await status()).toBe(401));
      const printed = once(child.stdout, 'data') as Promise<[Buffer]>;
      const [delivery] = await harness.deliveries(await sendTo(url));
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ ok: true, status: 204 }] });
      expect((await printed)[0].toString()).toBe(`alert.raised ${String(delivery!['alert_id'])}\n`);
    } finally {
      child.kill();
    }
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%d)', async (status) => {
    answer = (_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    const bottle = await sendTo(`http://127.0.0.1:${port}/hook`);
    expect(requests.map(({ path }) => path)).toEqual(['/hook']);
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, status }] },
    ]);
  });

  it('410 says that nobody will ever take it: dead at once', async () => {
    answer = (_request, response) => response.writeHead(410).end();
    const bottle = await sendTo(`http://127.0.0.1:${port}/hook`);
    expect(await harness.deliveries(bottle)).toMatchObject([{ status: 'dead', attempts: [{ status: 410 }] }]);
  });

  it.each([
    ['an IPv4 address', '127.0.0.1'],
    ['another one of this machine', '127.8.9.10'],
    ['the address of nobody', '0.0.0.0'],
    ['an address as one number', '2130706433'],
    ['an address in hexadecimal', '0x7f.1'],
    ['a private network', '10.1.2.3'],
    ["a cloud's metadata", '169.254.169.254'],
    ['an IPv6 address', '[::1]'],
    ['an IPv4 address within IPv6', '[::ffff:127.0.0.1]'],
    ['the same in hexadecimal', '[::ffff:7f00:1]'],
    ['a link-local address', '[fe80::1]'],
    ['a name that resolves to this machine', 'localhost'],
  ])('refuses %s unless private receivers are allowed', async (_what, host) => {
    const bottle = await sendTo(`http://${host}:${port}/hook`, { WEBHOOK_ALLOW_PRIVATE: 'false' });
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'dead', reason: expect.stringContaining('private address'), attempts: [{ ok: false }] },
    ]);
    expect(connections).toBe(0);
  });

  it.each(['127.0.0.1', '[::1]', 'localhost'])('reaches %s when they are', async (host) => {
    const bottle = await sendTo(`http://${host}:${port}/hook`);
    expect(await harness.deliveries(bottle)).toMatchObject([{ status: 'delivered' }]);
  });

  it('a receiver that cannot be found, or is not there, is tried again', async () => {
    for (const url of ['http://no-such-host.invalid/', 'http://127.0.0.1:1/']) {
      const bottle = await sendTo(url);
      expect(await harness.deliveries(bottle)).toMatchObject([
        { status: 'pending', attempts: [{ ok: false }] },
      ]);
    }
  });
});
