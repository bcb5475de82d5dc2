import supertest from 'supertest';
import { TestMessages } from '../../apps/notifier/src/delivery/test-messages.js';
import { Harness, MINUTE } from '../../tools/harness/harness.js';
import { PushReceiver, type TestBrowser } from '../../tools/harness/push-receiver.js';
import { asAdmin, startNotifier, type TestBottle } from '../../tools/harness/services.js';
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
      harness.clock.advance(6 * MINUTE);
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
