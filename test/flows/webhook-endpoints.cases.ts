import { HOUR_MS, MINUTE_MS } from '#domain';
import { Webhook } from 'standardwebhooks';
import { startNotifier, type TestBottle } from '../../tools/harness/services.js';
import { LINK_SECRET, type Request, useEndpoints } from './endpoints.js';

const FIRST = '0'.repeat(24);

describe('webhook endpoints', () => {
  const endpoints = useEndpoints('webhook-endpoints');
  const { staff, endpointOf, deliveriesTo, add, openBottle, closeBottle } = endpoints;

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
    expect(endpoints.harness.receiver.received(bottle.id)).toEqual([
      'bottle_open raised',
      'bottle_open resolved',
    ]);
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
    endpoints.harness.clock.advance(24 * HOUR_MS);
    await endpoints.harness.coverage.record();
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
    const stored = await endpoints.harness.database.db
      .collection('webhook_endpoints')
      .findOne({ secret: { $exists: true } });
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    expect(JSON.stringify([await endpointOf(id), (await staff().get('/v1/audit')).body])).not.toContain(
      'whsec_',
    );
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_URL: endpoints.harness.receiver.url };
    const next = 'another-link-secret-of-at-least-32-characters';
    const sendWith = async (link: string): Promise<string[]> => {
      receiver.requests.length = 0;
      const notifier = await startNotifier(endpoints.harness.database.uri, endpoints.harness.clock, {
        ...env,
        LINK_SECRET: link,
      });
      const bottle = await endpoints.harness.register();
      await endpoints.harness.open(bottle);
      endpoints.harness.clock.advance(6 * MINUTE_MS);
      await endpoints.harness.coverage.record();
      await notifier.runAll();
      await endpoints.harness.close(bottle);
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

  it('get, while they are paused, nothing, and what is still true afterwards', async () => {
    const { id, receiver } = await add();
    await staff().patch(`/v1/webhook-endpoints/${id}`).send({ paused: true }).expect(200);
    const [over, lasting] = [await openBottle(), await openBottle()];
    await closeBottle(over);
    expect(receiver.requests).toEqual([]);
    // what is over is not waited for
    await endpoints.harness.pass(10);
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
    await endpoints.harness.pass(1);
    expect(receiver.types(over)).toEqual([]);
    expect(receiver.types(lasting)).toEqual(['alert.raised']);
    await closeBottle(lasting);
  });

  it('that answer 410 are disabled at once, and lose nothing', async () => {
    const { id, receiver } = await add();
    receiver.status = 410;
    const bottle = await openBottle();
    await endpoints.harness.pass(1);
    expect((await endpointOf(id)).state).toBe('disabled');
    expect((await endpointOf(id)).waiting).toBeGreaterThan(0);
    receiver.status = 204;
    receiver.requests.length = 0;
    await staff().post(`/v1/webhook-endpoints/${id}/enable`).expect(200);
    await endpoints.harness.pass(1);
    expect(receiver.types(bottle)).toEqual(['alert.raised']);
    await closeBottle(bottle);
  });

  it('get what moves to the operator, all of them', async () => {
    const { receiver } = await add();
    endpoints.harness.mail.refused.set('eve@example.test', '550 5.1.1 No such user');
    const bottle = await openBottle({ email: 'eve@example.test' });
    for (let run = 0; run < 3; run += 1) await endpoints.harness.notifier.deliver();
    expect(receiver.types(bottle)).toEqual(['alert.raised']);
    expect(endpoints.harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
    await closeBottle(bottle);
    expect(receiver.types(bottle)).toEqual(['alert.raised', 'alert.resolved']);
    expect(endpoints.harness.receiver.received(bottle.id)).toEqual([
      'bottle_open raised',
      'bottle_open resolved',
    ]);
  });

  it('that are deleted leave what waited to the others, once', async () => {
    const { id, receiver } = await add();
    receiver.status = 500;
    const bottle = await openBottle();
    await staff().delete(`/v1/webhook-endpoints/${id}`).expect(204);
    await staff().get(`/v1/webhook-endpoints/${id}`).expect(404);
    await endpoints.harness.pass(1);
    expect(
      (await deliveriesTo(id)).filter(({ bottle_id }: { bottle_id: string }) => bottle_id === bottle.id),
    ).toMatchObject([{ status: 'cancelled', reason: 'the same goes to another address' }]);
    expect(endpoints.harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
    await closeBottle(bottle);
    expect(endpoints.harness.receiver.received(bottle.id)).toEqual([
      'bottle_open raised',
      'bottle_open resolved',
    ]);
  });

  it('are made once, named by the setting first, and changed by admins only', async () => {
    const receiver = await endpoints.startReceiver();
    await endpoints.runs();
    const create = () =>
      staff()
        .post('/v1/webhook-endpoints')
        .set('Idempotency-Key', 'one')
        .send({ url: receiver.url })
        .expect(201);
    const [first, again] = [await create(), await create()];
    endpoints.ids.push(first.body.id);
    expect(again.body).toEqual(first.body);
    const { items, kinds_not_taken } = (await staff().get('/v1/webhook-endpoints').expect(200)).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([FIRST, ...endpoints.ids]);
    expect(items[0]).toMatchObject({ url: null, channel: 'webhook', state: 'active' });
    expect(kinds_not_taken).toEqual([]);
    const { body } = await staff().patch(`/v1/webhook-endpoints/${FIRST}`).send({ paused: true }).expect(409);
    expect(body.code).toBe('set_by_operator');
  });

  describe('without WEBHOOK_URL', () => {
    const startWithout = () =>
      startNotifier(endpoints.harness.database.uri, endpoints.harness.clock, {
        LINK_SECRET,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      });
    type Notifier = Awaited<ReturnType<typeof startWithout>>;
    const pass = async (notifier: Notifier, minutes: number): Promise<void> => {
      endpoints.harness.clock.advance(minutes * MINUTE_MS);
      await endpoints.harness.coverage.record();
      await notifier.runAll();
    };
    const messagesOf = async (person: string) =>
      (await staff().get(`/v1/people/${person}/messages`).expect(200)).body.items;

    it('leave what none of them takes to the output of the notifier, and nobody is reached there', async () => {
      const { id, receiver } = await add();
      const notifier = await startWithout();
      try {
        await staff()
          .patch(`/v1/webhook-endpoints/${id}`)
          .send({ kinds: ['missed_dose'] })
          .expect(200);
        const bottle = await endpoints.harness.register({ user_id: 'fay' });
        await staff().put('/v1/contacts/fay').send({ webhook: true }).expect(201);
        await endpoints.harness.open(bottle);
        await pass(notifier, 6);
        expect(await messagesOf('fay')).toMatchObject([
          { recipient: 'operator', channel: 'console', status: 'delivered' },
        ]);
        expect(receiver.requests).toEqual([]);
        await endpoints.harness.close(bottle);
      } finally {
        await notifier.app.close();
      }
    });

    it('that are paused leave what waits there, and what moves there, to the output, too', async () => {
      const { id, receiver } = await add();
      const notifier = await startWithout();
      const printed = async (person: string): Promise<string[]> =>
        (await messagesOf(person))
          .filter(
            ({ channel, status }: Record<string, string>) => channel === 'console' && status === 'delivered',
          )
          .map(({ event }: { event: string }) => event)
          .reverse();
      const open = async (user_id: string): Promise<TestBottle> => {
        const bottle = await endpoints.harness.register({ user_id });
        await endpoints.harness.open(bottle);
        return bottle;
      };
      try {
        await staff().put('/v1/contacts/gil').send({ webhook: true }).expect(201);
        const sentBefore = await open('hal');
        await pass(notifier, 6);
        receiver.status = 500;
        const [ofPerson, waiting] = [await open('gil'), await open('kim')];
        await pass(notifier, 6);
        await staff().patch(`/v1/webhook-endpoints/${id}`).send({ paused: true }).expect(200);
        receiver.status = 204;
        receiver.requests.length = 0;
        await endpoints.harness.close(sentBefore);
        await pass(notifier, 6);
        await pass(notifier, 10);
        await pass(notifier, 1);
        expect(await Promise.all(['hal', 'gil', 'kim'].map(printed))).toEqual([
          ['resolved'],
          ['raised'],
          ['raised'],
        ]);
        expect(receiver.requests).toEqual([]);
        await staff().patch(`/v1/webhook-endpoints/${id}`).send({ paused: false }).expect(200);
        await pass(notifier, 1);
        expect([sentBefore, ofPerson, waiting].map((bottle) => receiver.types(bottle))).toEqual([
          ['alert.resolved'],
          ['alert.raised'],
          ['alert.raised'],
        ]);
        for (const bottle of [ofPerson, waiting]) await endpoints.harness.close(bottle);
        await pass(notifier, 1);
      } finally {
        await notifier.app.close();
      }
    });
  });
});
