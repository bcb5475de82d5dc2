import { SystemClock } from '#platform';
import { Webhook } from 'standardwebhooks';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { Harness, MINUTE } from '../../tools/harness/harness.js';
import { asAdmin, startNotifier, type TestBottle } from '../../tools/harness/services.js';
import { verified } from '../../tools/harness/verified.js';

const HOUR = 60 * MINUTE;
const FIRST = '0'.repeat(24);
const LINK_SECRET = 'a-link-secret-of-at-least-32-characters';

interface Request {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of an integrator: keeps what it is sent. */
class Receiver {
  readonly requests: Request[] = [];
  status = 204;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        if (request.method === 'POST')
          this.requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(this.status).end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** What it took, as `type bottle`, or only the type. */
  types(bottle?: TestBottle): string[] {
    return this.requests
      .map(({ body }) => JSON.parse(body) as { type: string; data: { bottle_id?: string } })
      .filter(({ data }) => bottle === undefined || data.bottle_id === bottle.id)
      .map(({ type }) => type);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('webhook endpoints', () => {
  let harness: Harness;
  const receivers: Receiver[] = [];
  const ids: string[] = [];

  beforeAll(async () => {
    // the verifiers compare with the machine's clock
    const start = new Date(new SystemClock().now().getTime() - 6 * MINUTE);
    harness = await Harness.start('webhook-endpoints', start.toISOString(), { LINK_SECRET });
    await runs();
  });
  afterAll(() => harness?.stop());
  afterEach(async () => {
    for (const id of ids.splice(0)) await staff().delete(`/v1/webhook-endpoints/${id}`);
    for (const receiver of receivers.splice(0)) receiver.stop();
    harness.receiver.forget();
    harness.mail.mails.length = 0;
    await harness.receiver.behave('works');
    await harness.pass(2);
  });

  const staff = () => asAdmin(harness.support);
  const runs = () => harness.notifier.app.get(CoverageGaps).recordChecks(harness.clock.now());
  const endpointOf = async (id: string) =>
    (await staff().get(`/v1/webhook-endpoints/${id}`).expect(200)).body;
  const deliveriesTo = async (id: string) =>
    (
      await staff()
        .get('/v1/deliveries')
        .query({ channel: `webhook:${id}` })
        .expect(200)
    ).body.items;

  async function add(body: object = {}): Promise<{ id: string; secret: string; receiver: Receiver }> {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    const made = await staff()
      .post('/v1/webhook-endpoints')
      .send({ url: receiver.url, ...body })
      .expect(201);
    ids.push(made.body.id);
    return { id: made.body.id, secret: made.body.secret, receiver };
  }

  async function openBottle(contact?: object): Promise<TestBottle> {
    const user = `person-${Math.random()}`;
    if (contact) await staff().put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);
    const bottle = await harness.register({ user_id: user });
    await harness.open(bottle);
    await harness.pass(6);
    return bottle;
  }

  async function closeBottle(bottle: TestBottle): Promise<void> {
    await harness.close(bottle);
    await harness.pass(2);
  }

  const verifiedBy = (secret: string, { headers, body }: Request): boolean => {
    // the harness has moved its clock: the timestamp is checked by another test
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const expected = new Webhook(secret).sign(String(headers['webhook-id']), at, body);
    return String(headers['webhook-signature']).split(' ').includes(expected);
  };

  it('each get every message once and in order, signed with their own secret', async () => {
    const [one, other] = [await add(), await add()];
    const bottle = await openBottle();
    for (const { receiver, secret } of [one, other]) {
      expect(receiver.types()).toEqual(['alert.raised']);
      const { headers, body } = receiver.requests[0]!;
      // the public verifier, with its check of the time
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'alert.raised',
        data: { bottle_id: bottle.id, recipient: { role: 'operator' } },
      });
    }
    expect(verifiedBy(other.secret, one.receiver.requests[0]!)).toBe(false);
    expect(one.receiver.requests[0]!.headers['webhook-id']).not.toBe(
      other.receiver.requests[0]!.headers['webhook-id'],
    );
    await closeBottle(bottle);
    for (const { receiver } of [one, other])
      expect(receiver.types()).toEqual(['alert.raised', 'alert.resolved']);
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
    expect(await deliveriesTo(one.id)).toMatchObject([
      { event: 'resolved', status: 'delivered' },
      { event: 'raised', status: 'delivered', attempts: [{ ok: true, status: 204 }] },
    ]);
  });

  it('sign with both secrets while one replaces the other', async () => {
    const { id, secret, receiver } = await add();
    const { body: rotated } = await staff().post(`/v1/webhook-endpoints/${id}/secret`).send({}).expect(201);
    await closeBottle(await openBottle());
    for (const request of receiver.requests)
      for (const each of [secret, rotated.secret]) expect(verifiedBy(each, request)).toBe(true);
    expect((await endpointOf(id)).old_secret_until).toBe(rotated.old_secret_until);
    harness.clock.advance(24 * HOUR);
    await harness.coverage.record();
    receiver.requests.length = 0;
    await closeBottle(await openBottle());
    expect(receiver.requests).not.toHaveLength(0);
    for (const request of receiver.requests) {
      expect(verifiedBy(rotated.secret, request)).toBe(true);
      expect(verifiedBy(secret, request)).toBe(false);
    }
    // a leaked one ends at once
    const after = await staff().post(`/v1/webhook-endpoints/${id}/secret`).send({ keep_old_for_hours: 0 });
    receiver.requests.length = 0;
    await closeBottle(await openBottle());
    expect(receiver.requests).not.toHaveLength(0);
    expect(receiver.requests.some((request) => verifiedBy(rotated.secret, request))).toBe(false);
    expect(receiver.requests.every((request) => verifiedBy(after.body.secret, request))).toBe(true);
  });

  it('keep their secrets encrypted, and go on when LINK_SECRET is replaced', async () => {
    const { id, secret, receiver } = await add();
    const stored = await harness.database.db
      .collection('webhook_endpoints')
      .findOne({ secret: { $exists: true } });
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    expect(JSON.stringify([await endpointOf(id), (await staff().get('/v1/audit')).body])).not.toContain(
      'whsec_',
    );
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_URL: harness.receiver.url };
    const next = 'another-link-secret-of-at-least-32-characters';
    const sendWith = async (link: string): Promise<string[]> => {
      receiver.requests.length = 0;
      const notifier = await startNotifier(harness.database.uri, harness.clock, {
        ...env,
        LINK_SECRET: link,
      });
      const bottle = await harness.register();
      await harness.open(bottle);
      harness.clock.advance(6 * MINUTE);
      await harness.coverage.record();
      await notifier.runAll();
      await harness.close(bottle);
      await notifier.app.close();
      return receiver.types(bottle);
    };
    // while it changes the secret is sealed anew, so that the old one can go
    expect(await sendWith(`${next} ${LINK_SECRET}`)).toEqual(['alert.raised']);
    expect(await sendWith(next)).toEqual(['alert.raised']);
    expect(receiver.requests.every((request) => verifiedBy(secret, request))).toBe(true);
    // with another one nothing is sent unsigned
    expect(await sendWith('a-third-link-secret-of-at-least-32-characters')).toEqual([]);
    expect(JSON.stringify(await deliveriesTo(id))).toContain('LINK_SECRET is another');
  });

  it('get the kinds and events that they want', async () => {
    const doses = await add({ kinds: ['missed_dose'] });
    const starts = await add({ events: ['alert.raised'] });
    const bottle = await openBottle();
    await closeBottle(bottle);
    expect(doses.receiver.types(bottle)).toEqual([]);
    expect(starts.receiver.types(bottle)).toEqual(['alert.raised']);
    const { body } = await staff()
      .post('/v1/webhook-endpoints')
      .send({ url: starts.receiver.url, events: ['alert.resolved'] })
      .expect(400);
    expect(body.code).toBe('end_without_start');
  });

  it('that fail hold up no other, and what they missed is replayed', async () => {
    const [good, bad] = [await add(), await add()];
    bad.receiver.status = 500;
    const bottle = await openBottle();
    await closeBottle(bottle);
    expect(good.receiver.types(bottle)).toEqual(['alert.raised', 'alert.resolved']);
    expect(await endpointOf(bad.id)).toMatchObject({ state: 'failing', waiting: 0 });
    // ten attempts
    const still = await openBottle();
    await harness.pass(56 * 60);
    const dead: { id: string; kind: string; bottle_id: string }[] = (
      await staff()
        .get('/v1/deliveries')
        .query({ channel: `webhook:${bad.id}`, status: 'dead' })
    ).body.items;
    const ofStill = dead.find(({ kind, bottle_id }) => kind === 'bottle_open' && bottle_id === still.id);
    bad.receiver.status = 204;
    bad.receiver.requests.length = 0;
    const { body } = await staff().post(`/v1/webhook-endpoints/${bad.id}/replay`).send({}).expect(200);
    expect(body).toEqual({ replayed: dead.length });
    await harness.pass(2);
    expect(bad.receiver.requests.map(({ headers }) => headers['webhook-id'])).toContain(ofStill!.id);
    expect((await endpointOf(bad.id)).state).toBe('active');
    await closeBottle(still);
    expect(bad.receiver.types(still)).toContain('alert.resolved');
  });

  it('get, while they are paused, nothing, and what is still true afterwards', async () => {
    const { id, receiver } = await add();
    await staff().patch(`/v1/webhook-endpoints/${id}`).send({ paused: true }).expect(200);
    const [over, lasting] = [await openBottle(), await openBottle()];
    await closeBottle(over);
    expect(receiver.requests).toEqual([]);
    // what is over is not waited for
    await harness.pass(10);
    expect((await endpointOf(id)).state).toBe('paused');
    expect(await deliveriesTo(id)).not.toContainEqual(
      expect.objectContaining({ bottle_id: over.id, status: 'pending' }),
    );
    expect(await deliveriesTo(id)).toContainEqual(
      expect.objectContaining({
        bottle_id: lasting.id,
        status: 'pending',
        reason: 'the endpoint is paused',
        attempts: [],
      }),
    );
    await staff().patch(`/v1/webhook-endpoints/${id}`).send({ paused: false }).expect(200);
    await harness.pass(1);
    expect(receiver.types(over)).toEqual([]);
    expect(receiver.types(lasting)).toEqual(['alert.raised']);
    await closeBottle(lasting);
  });

  it('are disabled after 5 days of failure, after a notice by e-mail, to the others, and in the API', async () => {
    await staff()
      .post('/v1/staff')
      .send({ email: 'ada@example.test', name: 'Ada', role: 'admin' })
      .expect(201);
    const [good, bad] = [await add(), await add({ description: 'Care platform' })];
    bad.receiver.status = 503;
    const bottle = await openBottle();
    const notices = () => good.receiver.types().filter((type) => type.startsWith('endpoint.'));
    await harness.pass(4 * 24 * 60 - 30);
    expect(notices()).toEqual([]);
    await harness.pass(40);
    expect(notices()).toEqual(['endpoint.failing']);
    const [mail] = harness.mail.mails.filter(({ to }) => to.includes('ada@example.test'));
    expect(mail!.subject).toMatch(/^Webhook endpoint fails: 127\.0\.0\.1:\d+ \(Care platform\)$/);
    const noticed = await endpointOf(bad.id);
    expect(noticed).toMatchObject({ state: 'failing' });
    expect(new Date(noticed.disabled_from).getTime()).toBeGreaterThanOrEqual(
      new Date(noticed.failing_since).getTime() + 120 * HOUR,
    );
    await harness.pass(24 * 60 + 10);
    expect(await endpointOf(bad.id)).toMatchObject({ state: 'disabled' });
    expect(notices()).toEqual(['endpoint.failing', 'endpoint.disabled']);
    bad.receiver.requests.length = 0;
    await closeBottle(bottle);
    const later = await openBottle();
    expect(bad.receiver.requests).toEqual([]);
    // a test shows whether it works again; what is owed waits until it is enabled
    bad.receiver.status = 204;
    await staff().post(`/v1/webhook-endpoints/${bad.id}/test`).expect(202);
    await harness.pass(1);
    expect((await endpointOf(bad.id)).test).toMatchObject({ state: 'delivered', status: 204 });
    await staff().post(`/v1/webhook-endpoints/${bad.id}/enable`).expect(200);
    await harness.pass(1);
    expect(bad.receiver.types()[0]).toBe('test');
    expect(bad.receiver.types(later)).toEqual(['alert.raised']);
    await closeBottle(later);
  });

  it('that answer 410 are disabled at once, and lose nothing', async () => {
    const { id, receiver } = await add();
    receiver.status = 410;
    const bottle = await openBottle();
    await harness.pass(1);
    expect((await endpointOf(id)).state).toBe('disabled');
    expect((await endpointOf(id)).waiting).toBeGreaterThan(0);
    receiver.status = 204;
    receiver.requests.length = 0;
    await staff().post(`/v1/webhook-endpoints/${id}/enable`).expect(200);
    await harness.pass(1);
    expect(receiver.types(bottle)).toEqual(['alert.raised']);
    await closeBottle(bottle);
  });

  it('get what moves to the operator, all of them', async () => {
    const { receiver } = await add();
    harness.mail.refused.set('eve@example.test', '550 5.1.1 No such user');
    const bottle = await openBottle({ email: 'eve@example.test' });
    for (let run = 0; run < 3; run += 1) await harness.notifier.deliver();
    expect(receiver.types(bottle)).toEqual(['alert.raised']);
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
    await closeBottle(bottle);
    expect(receiver.types(bottle)).toEqual(['alert.raised', 'alert.resolved']);
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
  });

  it('that are deleted leave what waited to the others, once', async () => {
    const { id, receiver } = await add();
    receiver.status = 500;
    const bottle = await openBottle();
    await staff().delete(`/v1/webhook-endpoints/${id}`).expect(204);
    await staff().get(`/v1/webhook-endpoints/${id}`).expect(404);
    await harness.pass(1);
    expect(
      (await deliveriesTo(id)).filter(({ bottle_id }: { bottle_id: string }) => bottle_id === bottle.id),
    ).toMatchObject([{ status: 'cancelled', reason: 'the same goes to another address' }]);
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
    await closeBottle(bottle);
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
  });

  it('are made once, named by the setting first, and changed by admins only', async () => {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    await runs();
    const create = () =>
      staff()
        .post('/v1/webhook-endpoints')
        .set('Idempotency-Key', 'one')
        .send({ url: receiver.url })
        .expect(201);
    const [first, again] = [await create(), await create()];
    ids.push(first.body.id);
    expect(again.body).toEqual(first.body);
    const { items, kinds_not_taken } = (await staff().get('/v1/webhook-endpoints').expect(200)).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([FIRST, ...ids]);
    expect(items[0]).toMatchObject({ url: null, channel: 'webhook', state: 'active' });
    expect(kinds_not_taken).toEqual([]);
    const { body } = await staff().patch(`/v1/webhook-endpoints/${FIRST}`).send({ paused: true }).expect(409);
    expect(body.code).toBe('set_by_operator');
  });

  describe('without WEBHOOK_URL', () => {
    it('leave what none of them takes to the output of the notifier, and nobody is reached there', async () => {
      const { id, receiver } = await add();
      const notifier = await startNotifier(harness.database.uri, harness.clock, {
        LINK_SECRET,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      });
      try {
        await staff()
          .patch(`/v1/webhook-endpoints/${id}`)
          .send({ kinds: ['missed_dose'] })
          .expect(200);
        const bottle = await harness.register({ user_id: 'fay' });
        await staff().put('/v1/contacts/fay').send({ webhook: true }).expect(201);
        await harness.open(bottle);
        harness.clock.advance(6 * MINUTE);
        await harness.coverage.record();
        await notifier.runAll();
        const of = (await staff().get('/v1/people/fay/messages').expect(200)).body.items;
        expect(of).toMatchObject([{ recipient: 'operator', channel: 'console', status: 'delivered' }]);
        expect(receiver.requests).toEqual([]);
        await harness.close(bottle);
      } finally {
        await notifier.app.close();
      }
    });
  });
});
