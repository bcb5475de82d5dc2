import { MINUTE_MS } from '#domain';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { TestMessages } from '../../apps/notifier/src/delivery/test-messages.js';
import { Harness } from '../../tools/harness/harness.js';
import { PushReceiver, type TestBrowser } from '../../tools/harness/push-receiver.js';
import { asAdmin, bottleWith, startNotifier, type TestBottle } from '../../tools/harness/services.js';
import { keepPasswords } from '../../tools/harness/staff.js';
import { verified } from '../../tools/harness/verified.js';

const SETTINGS = {
  PUBLIC_URL: 'https://support.example',
  LINK_SECRET: 'a-link-secret-of-at-least-32-characters',
  PUSH_KEY: 'a-key-of-push-of-at-least-32-characters',
};
const DAY = 24 * 60;

describe('messages in the browser', () => {
  let harness: Harness;
  let services: PushReceiver;
  let people = 0;

  beforeAll(async () => {
    services = await PushReceiver.start();
    harness = await Harness.start('push', '2026-03-02T06:00:00Z', {
      ...SETTINGS,
      PUSH_ALLOW_PRIVATE: 'true',
    });
  });
  afterAll(async () => {
    await harness?.stop();
    await services?.stop();
  });
  beforeEach(() => {
    services.requests.length = 0;
    services.answer = () => undefined;
  });

  const staff = () => asAdmin(harness.support);
  const http = () => supertest(harness.support.getHttpServer());
  const contactOf = async (user: string) => (await staff().get(`/v1/contacts/${user}`).expect(200)).body;
  const messagesOf = async (user: string) =>
    (await staff().get(`/v1/people/${user}/messages`).expect(200)).body.items;

  /** A user whose mail about an open bottle has this link. */
  async function followed(contact: object = {}): Promise<{
    user: string;
    email: string;
    bottle: TestBottle;
    path: string;
  }> {
    people += 1;
    const user = `person-${people}`;
    const email = `${user}@example.test`;
    await staff()
      .put(`/v1/contacts/${user}`)
      .send(verified({ email, ...contact }))
      .expect(201);
    const bottle = await openBottle(user);
    const path = linkTo(email);
    return { user, email, bottle, path };
  }
  function linkTo(email: string): string {
    const { raw } = harness.mail.mails.findLast(({ to }) => to.includes(email))!;
    const text = raw.replace(/=\r\n/g, '').replaceAll('=3D', '=');
    return /https:\/\/support\.example(\/a\/[\w.-]+)/.exec(text)![1]!;
  }
  async function openBottle(user: string): Promise<TestBottle> {
    const bottle = await harness.register({ user_id: user, medication: 'Cordrazine' });
    await harness.open(bottle);
    await harness.pass(6);
    return bottle;
  }
  const add = (path: string, { endpoint, p256dh, auth }: TestBrowser) =>
    http().post(`${path}/push`).type('form').send({ endpoint, p256dh, auth });

  it('come once it was added on the page of a mail: title and link, no medication; its button answers', async () => {
    const { user, bottle, path } = await followed();
    const page = await http().get(path).expect(200);
    expect(page.text).toMatch(/<section id="push" hidden data-key="B[\w-]{86}"/);
    expect(page.headers['content-security-policy']).toMatch(
      /script-src 'sha256-[\w+/=]+'; worker-src 'self'/,
    );
    const worker = await http().get('/push/worker.js').expect(200);
    expect(worker.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });

    const browser = services.subscribe();
    await add(path, browser).expect(204);
    const audit = await staff().get('/v1/audit?category=change&limit=1');
    expect(audit.body.items[0]).toMatchObject({ action: 'contact.add_browser', who: { id: `user:${user}` } });
    expect(await contactOf(user)).toMatchObject({ push: true, push_health: { state: 'verified' } });
    expect(JSON.stringify(await contactOf(user))).not.toContain(browser.endpoint);

    await openBottle(user);
    const [shown] = services.shownBy(browser);
    expect(shown).toEqual({
      title: 'Bottle left open',
      tag: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: expect.stringMatching(/^https:\/\/support\.example\/a\//),
    });
    const [{ headers, body }] = services.to(browser) as [(typeof services.requests)[number]];
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: String(3 * DAY * 60),
      urgency: 'normal',
      topic: shown!.tag,
      authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+,k=B[\w-]{86}$/),
    });
    expect(body.toString('latin1')).not.toContain('open');
    const link = shown!.url!.replace(SETTINGS.PUBLIC_URL, '');
    await http().post(link).type('form').send('').expect(200);
    // on the page of what a browser shows no other is added
    expect((await http().get(link).expect(200)).text).not.toContain('id="push"');
    await add(link, services.subscribe()).expect(404);
    const message = (await messagesOf(user)).find(({ channel }: { channel: string }) => channel === 'push');
    expect(message).toMatchObject({ status: 'delivered', address: null, text: 'Bottle left open' });

    await staff().post(`/v1/contacts/${user}/test`).send({ to: 'user', channel: 'push' }).expect(202);
    await harness.notifier.app.get(TestMessages).run();
    expect(services.shownBy(browser).at(-1)).toMatchObject({
      title: expect.stringContaining('This is a test'),
    });
    await harness.close(bottle);
  });

  it('come to five browsers of a person, each added once; what is no browser, and no link, adds none', async () => {
    const { path } = await followed();
    const [first, ...others] = Array.from({ length: 6 }, () => services.subscribe());
    for (const browser of [first!, first!, ...others.slice(0, 4)]) await add(path, browser).expect(204);
    expect((await add(path, others[4]!).expect(409)).body.code).toBe('too_many_browsers');
    await add(path, first!).expect(204);
    expect((await add(path, { ...first!, auth: 'x' }).expect(400)).body.code).toBe('invalid_browser');
    await add(`${path}x`, services.subscribe()).expect(404);
    const stop = path.replace('/a/', '/s/');
    await http().post(`${stop}/push`).type('form').send({}).expect(404);
  });

  it('end with a browser that its push service no longer knows; with the last one the address is refused', async () => {
    const { user, path } = await followed({
      carer: { webhook: true },
      escalation: [
        { after: '0m', to: 'user' },
        { after: '2h', to: 'carer' },
      ],
    });
    const [one, other] = [services.subscribe(), services.subscribe()];
    await add(path, one).expect(204);
    await add(path, other).expect(204);
    services.answer = ({ path: to }) => (one.endpoint.endsWith(to) ? { status: 410 } : undefined);
    await openBottle(user);
    await openBottle(user);
    expect([services.to(one).length, services.to(other).length]).toEqual([1, 2]);
    services.answer = () => ({ status: 404 });
    await openBottle(user);
    await harness.notifier.deliver();
    const contact = await contactOf(user);
    expect(contact.push_health).toMatchObject({
      state: 'refused',
      by: '127.0.0.1',
      reply: 'the push service answered 404',
    });
    // adding it again heals
    services.answer = () => undefined;
    await add(linkTo(`${user}@example.test`), one).expect(204);
    expect(await contactOf(user)).toMatchObject({ push_health: { state: 'verified' } });
    await openBottle(user);
    expect(services.to(one)).toHaveLength(2);
    expect(services.to(other)).toHaveLength(3);
  });

  it('wait as long as the push service asks', async () => {
    const { user, path } = await followed();
    const browser = services.subscribe();
    await add(path, browser).expect(204);
    services.answer = () => ({ status: 429, headers: { 'retry-after': '1200' } });
    await openBottle(user);
    services.answer = () => undefined;
    await harness.pass(18);
    expect(services.to(browser)).toHaveLength(1);
    await harness.pass(4);
    expect(services.to(browser)).toHaveLength(2);
  });

  it('end when the address is another one by whose link the browser was added, or when it is stopped there', async () => {
    const { user, email, path } = await followed();
    await add(path, services.subscribe()).expect(204);
    const contact = await contactOf(user);
    // whoever saves the contact changes nothing of that
    await staff().put(`/v1/contacts/${user}`).send(contact).expect(200);
    await staff()
      .put(`/v1/contacts/${user}`)
      .send(verified({ email, name: 'Anna' }))
      .expect(200);
    expect((await contactOf(user)).push).toBe(true);
    await staff().put(`/v1/contacts/${user}`).send({ email, push: false }).expect(200);
    expect((await contactOf(user)).push).toBeUndefined();
    await add(path, services.subscribe()).expect(204);
    await staff()
      .put(`/v1/contacts/${user}`)
      .send(verified({ email: 'other@example.test' }))
      .expect(200);
    expect((await contactOf(user)).push).toBeUndefined();

    const stopped = await followed();
    await add(stopped.path, services.subscribe()).expect(204);
    await http().post(stopped.path.replace('/a/', '/s/')).type('form').send('').expect(200);
    expect((await contactOf(stopped.user)).push).toBeUndefined();
  });

  it('reach no push service in a private network, or without TLS, unless it is allowed', async () => {
    const { user, path } = await followed();
    const browser = services.subscribe();
    await add(path, browser).expect(204);
    const notifier = await startNotifier(harness.database.uri, harness.clock, SETTINGS);
    try {
      await harness.open(await harness.register({ user_id: user }));
      harness.clock.advance(6 * MINUTE_MS);
      await harness.coverage.record();
      await notifier.open.run();
      await notifier.deliverer.run();
      expect(services.to(browser)).toEqual([]);
      const push = (await messagesOf(user)).find(({ channel }: { channel: string }) => channel === 'push');
      expect(push).toMatchObject({ status: 'dead', reason: 'the push service has a private address' });
    } finally {
      await notifier.app.close();
    }
  });

  describe('of staff', () => {
    let accounts = 0;

    /** An account of staff, and requests of the browser in which it is signed in. */
    async function colleague(language = 'en') {
      accounts += 1;
      const email = `staff-${accounts}@example.test`;
      const { body } = await staff()
        .post('/v1/staff')
        .send({ email, name: 'Sam', role: 'viewer' })
        .expect(201);
      await keepPasswords(harness.database.db);
      const signIn = () =>
        http()
          .post('/v1/session')
          .set('accept-language', language)
          .send({ email, password: body.password })
          .expect(200);
      let session = await signIn();
      const signInAgain = async (): Promise<void> => void (session = await signIn());
      const call = (method: 'get' | 'put' | 'delete', query = '') => {
        const request = http()[method](`/v1/session/browsers${query}`);
        return request
          .set('cookie', session.headers['set-cookie']![0]!.split(';')[0]!)
          .set('x-csrf-token', session.body.csrf_token)
          .set('user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
      };
      const show = ({ endpoint, p256dh, auth }: TestBrowser) => call('put').send({ endpoint, p256dh, auth });
      return { id: body.id as string, call, show, signInAgain };
    }
    const deliveries = () => harness.database.db.collection('deliveries');
    const toStaff = (id: string) =>
      deliveries()
        .find({ recipient: `staff:${id}` })
        .sort({ created_at: 1 })
        .toArray();
    let nobody = 0;
    /** A bottle of a user without a contact. */
    const ofNobody = (): Promise<TestBottle> => openBottle(`nobody-${(nobody += 1)}`);

    it('show what the operator is sent, beside it: the title, and the alert in the console', async () => {
      const [sam, kim] = [await colleague(), await colleague('de-AT')];
      const [pc, phone, german] = [services.subscribe(), services.subscribe(), services.subscribe()];
      expect((await sam.call('get').expect(200)).body).toMatchObject({
        push_key: expect.stringMatching(/^B/),
      });
      await sam.show(pc).expect(200);
      await sam.show(pc).expect(200);
      const { body } = await sam.show(phone).expect(200);
      expect(body.items).toEqual([
        { id: expect.stringMatching(/^[\w-]{43}$/), name: 'Firefox, Linux', since: expect.any(String) },
        expect.objectContaining({ name: 'Firefox, Linux' }),
      ]);
      expect(JSON.stringify(body)).not.toContain(phone.endpoint);
      const audit = await staff().get('/v1/audit?category=change&limit=1');
      expect(audit.body.items[0]).toMatchObject({ action: 'session.add_browser', who: { id: sam.id } });
      expect(JSON.stringify(audit.body)).not.toContain(phone.endpoint);
      await kim.show(german).expect(200);

      const bottle = await ofNobody();
      const { tag } = services.shownBy(pc)[0]!;
      const shown = { title: 'Bottle left open', tag, url: `https://support.example/alerts/${tag}` };
      expect(services.shownBy(pc)).toEqual([shown]);
      expect(services.shownBy(phone)).toEqual([shown]);
      expect(services.shownBy(german)).toEqual([{ ...shown, title: 'Pillendose offen gelassen' }]);
      await staff().get(`/v1/alerts/${tag}`).expect(200);
      expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
      await harness.close(bottle);
      await harness.pass(2);
      expect(services.shownBy(pc).map(({ title }) => title)).toEqual([
        'Bottle left open',
        'All clear: bottle closed',
      ]);
      expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised', 'bottle_open resolved']);
      // what a person is sent is not the operator's
      const { user } = await followed();
      expect(services.to(pc)).toHaveLength(2);
      // until the person is not reached any more
      harness.mail.refused.set(`${user}@example.test`, '550 5.1.1 No such user');
      await openBottle(user);
      await harness.pass(1);
      expect(services.to(pc)).toHaveLength(3);
    });

    it('end with the browser and the account; what the operator is sent goes on', async () => {
      const [sam, kim] = [await colleague(), await colleague()];
      const [ended, shared, removed] = [services.subscribe(), services.subscribe(), services.subscribe()];
      await sam.show(ended).expect(200);
      services.answer = ({ path: to }) => (ended.endpoint.endsWith(to) ? { status: 410 } : undefined);
      const first = await ofNobody();
      expect(harness.receiver.received(first.id)).toEqual(['bottle_open raised']);
      expect((await sam.call('get')).body.items).toEqual([]);
      expect(await toStaff(sam.id)).toMatchObject([
        { status: 'cancelled', reason: 'no browser of this member of staff shows messages any more' },
      ]);

      // a session that somebody left open adds none
      expect((await sam.show(shared).expect(403)).body.code).toBe('reauthentication_required');
      await sam.signInAgain();
      await kim.signInAgain();
      // a browser shows the messages of one account
      await sam.show(shared).expect(200);
      await kim.show(shared).expect(200);
      expect((await sam.call('get')).body.items).toEqual([]);
      const { body } = await kim.show(removed).expect(200);
      await kim.call('delete', `?id=${body.items[1].id}`).expect(204);
      await kim.call('delete', `?id=${body.items[1].id}`).expect(404);
      await ofNobody();
      expect([services.to(ended).length, services.to(shared).length, services.to(removed).length]).toEqual([
        1, 1, 0,
      ]);

      // what waits for a push service is not sent once the account is disabled
      services.answer = () => ({ status: 429, headers: { 'retry-after': '1200' } });
      const waiting = await ofNobody();
      expect(harness.receiver.received(waiting.id)).toEqual(['bottle_open raised']);
      await staff().patch(`/v1/staff/${kim.id}`).send({ disabled: true }).expect(200);
      services.answer = () => undefined;
      services.requests.length = 0;
      await harness.pass(25);
      await ofNobody();
      expect(services.to(shared)).toEqual([]);
      expect((await toStaff(kim.id)).map(({ status }) => status)).toEqual(['delivered', 'cancelled']);
      await staff().patch(`/v1/staff/${kim.id}`).send({ disabled: false }).expect(200);
      await ofNobody();
      expect(services.to(shared)).toEqual([]);
    });

    it('are five of an account, and none about a canary', async () => {
      const sam = await colleague();
      const [one, ...others] = Array.from({ length: 6 }, () => services.subscribe());
      for (const browser of [one!, ...others.slice(0, 4)]) await sam.show(browser).expect(200);
      expect((await sam.show(others[4]!).expect(409)).body.code).toBe('too_many_browsers');
      expect((await sam.show({ ...one!, auth: 'x' }).expect(400)).body.code).toBe('invalid_browser');
      expect((await staff().get('/v1/session/browsers').expect(404)).body.code).toBe('session_not_found');
      const { body } = await staff().post('/v1/canaries').expect(201);
      await harness.open(bottleWith(harness.device, body));
      await harness.pass(6);
      const sent = await deliveries()
        .find({ bottle_id: new Types.ObjectId(body.bottle_id as string) })
        .toArray();
      expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set(['operator']));
    });
  });

  it('are exported and erased with the person', async () => {
    const { user, path } = await followed();
    const browser = services.subscribe();
    await add(path, browser).expect(204);
    const exported = await staff().get(`/v1/people/${user}/export`).expect(200);
    expect(JSON.stringify(exported.body)).toContain(browser.endpoint);
    await staff().delete(`/v1/people/${user}`).expect(200);
    const left = await harness.database.db.collection('contacts').findOne({ _id: user as never });
    expect(left).toBeNull();
  });
});
