import { type Alert, composeMessage, MINUTE_MS, DAY_MS, HOUR_MS } from '#domain';
import { OutboxRepository, type Delivery } from '#persistence';
import { EVIDENCE } from '../../libs/domain/src/alerts/testing.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { OutboxService } from '../../apps/notifier/src/delivery/outbox.service.js';
import { EmailChannel } from '../../apps/notifier/src/delivery/channels/email/email.channel.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { eventually } from '../../tools/harness/eventually.js';
import { SmtpSink } from '../../tools/harness/smtp-sink.js';
import { NotifierHarness } from './notifier-harness.js';
import { verified } from '../../tools/harness/verified.js';

describe('delivery', () => {
  let harness: NotifierHarness;
  let mail: SmtpSink;

  beforeAll(async () => {
    mail = await SmtpSink.start();
    harness = await NotifierHarness.start('delivery', { SMTP_URL: mail.url, SMTP_ALLOW_PLAIN: 'true' });
  });
  afterAll(async () => {
    await harness?.stop();
    await mail?.stop();
  });

  beforeEach(async () => {
    await harness.begin();
    mail.mails.length = 0;
  });

  const close = async (bottle: TestBottle): Promise<void> => {
    await harness.pass(1_000);
    await harness.action(bottle, 'closed');
  };

  it('measures what waits for the notifier, and how long after its deadline a notification is sent', async () => {
    const metric = async (app: NestFastifyApplication, sample: string): Promise<number | undefined> => {
      const { text } = await supertest(app.getHttpServer()).get('/metrics').expect(200);
      const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
      return line === undefined ? undefined : Number(line.slice(sample.length));
    };
    const { support, notifier } = harness;
    const delay = (): Promise<number | undefined> =>
      metric(notifier.app, 'pillwatch_notification_delay_seconds_sum{kind="bottle_open",channel="webhook"}');
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.pass(5 * MINUTE_MS + 40_000);
    expect(await metric(support, 'pillwatch_check_lag_seconds{check="open"}')).toBe(40);
    expect(await metric(support, 'pillwatch_outbox_age_seconds{channel="webhook"}')).toBeUndefined();
    await harness.notifier.open.run();
    await harness.pass(30_000);
    expect(await metric(support, 'pillwatch_check_lag_seconds{check="open"}')).toBe(0);
    expect(await metric(support, 'pillwatch_outbox_age_seconds{channel="webhook"}')).toBe(30);
    const before = (await delay()) ?? 0;
    await harness.notifier.deliver();
    expect((await delay())! - before).toBe(70);
    expect(await metric(support, 'pillwatch_outbox_age_seconds{channel="webhook"}')).toBeUndefined();
  });

  it('sends no e-mail without TLS unless it may, and tries again', async () => {
    const config = Object.assign(new NotifierConfig(), { SMTP_URL: mail.url });
    const channel = new EmailChannel(config);
    const delivery = {
      _id: 'd1',
      alert_id: new Types.ObjectId(),
      kind: 'bottle_open',
      event: 'raised',
      bottle_id: new Types.ObjectId(),
    } as Delivery;
    const at = harness.clock.now();
    const alert = { ...delivery, user_id: 'anna', medication: 'x', subject: '', state: 'open', evidence: {} };
    const times = { deadline: at, raised_at: at };
    const message = composeMessage({ event: 'raised', created_at: at }, {
      ...alert,
      ...times,
      _id: delivery.bottle_id,
    } as unknown as Alert);
    const contact = { email: 'anna@example.test', email_verified_at: at, time_zone: 'UTC' };
    const sent = channel.send([{ delivery, message, at }], contact, AbortSignal.timeout(5_000));
    await expect(sent).rejects.toMatchObject({ permanent: false, unsent: true, message: /no TLS/ });
    expect(mail.mails).toEqual([]);
    channel.onApplicationShutdown();
  });

  it('tries again after a failure, later and later, and once it works says so', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'fails';
    await harness.notifier.deliverer.run();
    let [delivery] = await harness.deliveries(bottle);
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ ok: false, status: 500 }] });
    const wait = (delivery!['next_attempt_at'] as Date).getTime() - harness.clock.now().getTime();
    expect(wait).toBeGreaterThanOrEqual(1_600);
    expect(wait).toBeLessThanOrEqual(2_400);
    await harness.pass(1_599);
    await harness.notifier.deliverer.run();
    expect((await harness.deliveries(bottle))[0]!['attempts']).toHaveLength(1);
    await harness.pass(801);
    harness.receiver.behaviour = 'works';
    await harness.notifier.deliverer.run();
    [delivery] = await harness.deliveries(bottle);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 500 }, { ok: true, status: 204 }],
    });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
  });

  it('gives up after ten attempts, until staff have it sent again', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'fails';
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await harness.notifier.deliverer.run();
      await harness.pass(2 * DAY_MS);
    }
    const [dead] = await harness.deliveries(bottle);
    expect(dead).toMatchObject({ status: 'dead', reason: '10 attempts failed' });
    expect(dead!['attempts']).toHaveLength(10);
    harness.receiver.behaviour = 'works';
    await harness.notifier.deliverer.run();
    expect(harness.receiver.requests).toEqual([]);

    await asAdmin(harness.support)
      .post(`/v1/deliveries/${String(dead!._id)}/replay`)
      .expect(200);
    await harness.notifier.deliverer.run();
    const [replayed] = await harness.deliveries(bottle);
    expect(replayed).toMatchObject({ _id: dead!._id, status: 'delivered', attempts: [{ ok: true }] });
    expect(replayed!['earlier_attempts']).toHaveLength(10);
    expect(harness.receiver.requests).toMatchObject([{ id: dead!._id }]);
  });

  it.each([
    ['whose alert has no evidence', 'alerts', { $unset: { evidence: '' } }],
    ['of an unknown kind', 'deliveries', { $set: { kind: 'of_a_later_version' } }],
    ['without its time', 'deliveries', { $unset: { created_at: '' } }],
    ['that cannot be composed', 'alerts', { $unset: { deadline: '' } }],
  ] as const)(
    'a record %s holds up no other, and is dead after ten attempts',
    async (_what, name, change) => {
      const contact = { time_zone: 'UTC', email: 'anna@example.test' };
      await asAdmin(harness.support)
        .put('/v1/contacts/anna')
        .send(verified(contact))
        .expect(({ ok }) => expect(ok).toBe(true));
      const [bad, good] = [await harness.register({ user_id: 'anna' }), await harness.register()];
      const other = await harness.register({ user_id: 'anna' });
      const bottles = [bad, good, other];
      await Promise.all(bottles.map((bottle) => harness.action(bottle, 'opened')));
      await harness.pass(5 * MINUTE_MS);
      await harness.notifier.open.run();
      const bottle_id = new Types.ObjectId(bad.id);
      await harness.database.db.collection(name).updateMany({ bottle_id }, change);
      mail.behaviour = 'works';
      await harness.notifier.deliverer.run();
      for (const bottle of [good, other])
        expect(await harness.deliveries(bottle)).toMatchObject([{ status: 'delivered' }]);
      const [waiting] = await harness.deliveries(bad);
      expect(waiting).toMatchObject({ status: 'pending', attempts: [{ ok: false, unsent: true }] });
      // no receiver can help
      expect(waiting).not.toHaveProperty('retry_early_from');
      await harness.deliverUntil(new Date(harness.clock.now().getTime() + 4 * DAY_MS));
      expect(await harness.deliveries(bad)).toMatchObject([{ status: 'dead', reason: '10 attempts failed' }]);
      const { body } = await asAdmin(harness.support).get('/v1/deliveries?status=dead').expect(200);
      const { items } = body as { items: { bottle_id: string }[] };
      expect(items.map((item) => item.bottle_id)).toContain(bad.id);
      await harness.database.db.collection('deliveries').deleteMany({ bottle_id });
    },
  );

  it('a message that was accepted without a response is repeated under the same id, and its end is sent', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'hangs';
    const run = harness.notifier.deliverer.run();
    await eventually(() => expect(harness.receiver.requests).toHaveLength(1));
    await run;
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, error: 'no answer in time' }] },
    ]);
    harness.receiver.behaviour = 'works';
    await harness.pass(15_000);
    await harness.notifier.deliverer.run();
    expect(harness.receiver.requests).toHaveLength(2);
    expect(harness.receiver.messages).toHaveLength(1);
    await close(bottle);
    await harness.notifier.runAll();
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
  });

  it('the end goes to everyone who may have got the beginning, even if that was never answered', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'hangs';
    await harness.notifier.deliverer.run();
    await close(bottle);
    harness.receiver.behaviour = 'works';
    await harness.notifier.runAll();
    await harness.pass(MINUTE_MS);
    await harness.notifier.runAll();
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
    // not once more what they may have got already
    expect(harness.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id)).toHaveLength(2);
  });

  it('a mail server that stalls after DATA has 10 seconds: its connection is closed, and the backoff applies', async () => {
    const contact = { time_zone: 'UTC', email: 'anna@example.test' };
    await asAdmin(harness.support)
      .put('/v1/contacts/anna')
      .send(verified(contact))
      .expect(({ ok }) => expect(ok).toBe(true));
    const bottle = await harness.overdue({ user_id: 'anna' });
    mail.behaviour = 'trickles';
    const run = harness.notifier.deliverer.run();
    await eventually(() => expect(mail.mails).toHaveLength(1));
    const began = performance.now();
    await Promise.race([run, sleep(20_000, undefined, { ref: false })]);
    expect(performance.now() - began).toBeLessThan(15_000);
    await eventually(() => expect(mail.connections).toBe(0), 5_000);
    const [delivery] = await harness.deliveries(bottle);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ at: harness.clock.now(), ok: false, error: 'no answer in time' }],
    });
    const wait = (delivery!['next_attempt_at'] as Date).getTime() - harness.clock.now().getTime();
    expect(wait).toBeLessThanOrEqual(2_400);
    // the mail arrived, as far as anybody knows: its end is sent
    mail.behaviour = 'works';
    await close(bottle);
    await harness.live(1);
    expect(mail.mails.map(({ subject }) => subject)).toEqual([
      'Bottle left open',
      'All clear: bottle closed',
    ]);
  });

  it('a notifier that is killed in each attempt: they follow the backoff, and the tenth is the last', async () => {
    const bottle = await harness.overdue();
    const victim = await harness.addNotifier();
    victim.app.get(OutboxRepository).recordResults = async () => {
      throw new Error('killed');
    };
    harness.receiver.behaviour = 'times-out-after-accepting';
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await expect(victim.deliverer.run()).rejects.toThrow('killed');
      const [delivery] = await harness.deliveries(bottle);
      expect(delivery!['attempts']).toHaveLength(attempt);
      const next = delivery!['next_attempt_at'] as Date;
      waits.push((next.getTime() - harness.clock.now().getTime()) / 1_000);
      harness.clock.set(new Date(next.getTime() - 1));
      await harness.notifier.deliverer.run();
      harness.clock.set(next);
    }
    // the lease of 30 s first, then the backoff
    expect(waits).toEqual([30, 30, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 30]);
    await harness.notifier.deliverer.run();
    const [delivery] = await harness.deliveries(bottle);
    expect(delivery).toMatchObject({ status: 'dead', reason: '10 attempts failed' });
    expect(delivery!['attempts']).toHaveLength(10);
    expect(delivery!['attempts']).toContainEqual({
      at: expect.any(Date),
      ok: false,
      error: 'no result was recorded',
    });
    expect(harness.receiver.requests).toHaveLength(10);
  });

  it('a notifier that hung until its lease was nearly over does not send what it had begun', async () => {
    const bottle = await harness.overdue();
    const hanging = await harness.addNotifier();
    const repository = hanging.app.get(OutboxRepository);
    const recordStarts = repository.recordStarts.bind(repository);
    repository.recordStarts = async (starts) => {
      const held = await recordStarts(starts);
      harness.clock.advance(25_000);
      return held;
    };
    await hanging.deliverer.run();
    expect(harness.receiver.requests).toEqual([]);
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, unsent: true }] },
    ]);
    // and one whose claim is no longer its own sends nothing, and writes nothing
    repository.recordStarts = async () => new Set();
    await harness.pass(MINUTE_MS);
    await hanging.deliverer.run();
    expect(harness.receiver.requests).toEqual([]);
  });

  it('an alert that ended before it was sent causes no notification', async () => {
    const bottle = await harness.overdue();
    await close(bottle);
    await harness.notifier.open.run();
    await harness.live(2);
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(harness.receiver.received(bottle.id)).toEqual([]);
    for (const delivery of await harness.deliveries(bottle)) {
      expect(delivery).toMatchObject({ status: 'cancelled', reason: expect.any(String), attempts: [] });
    }
  });

  it('an alert that ended while the receiver refused it is never sent', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'fails';
    await harness.notifier.deliverer.run();
    harness.receiver.behaviour = 'works';
    await close(bottle);
    await harness.live(2);
    expect(harness.receiver.received(bottle.id)).toEqual([]);
    const statuses = (await harness.deliveries(bottle)).map(({ status }) => status as string);
    expect(new Set(statuses)).toEqual(new Set(['cancelled']));
  });

  it('an alert whose receiver refused the connection is not ended there: nothing arrived', async () => {
    const bottle = await harness.overdue();
    const elsewhere = await harness.addNotifier({ WEBHOOK_URL: 'http://127.0.0.1:1/' });
    await elsewhere.deliverer.run();
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, error: 'ECONNREFUSED', unsent: true }] },
    ]);
    await close(bottle);
    await harness.live(2);
    expect(harness.receiver.received(bottle.id)).toEqual([]);
  });

  it('an end that is corrected again while its notifications are queued is sent as well', async () => {
    const bottle = await harness.overdue();
    await harness.notifier.deliverer.run();
    await close(bottle);
    await harness.notifier.runAll();
    const alerts = harness.database.db.collection('alerts');
    const part = (pills_taken: number): object => ({
      $set: { end_owed: 'corrected', 'evidence.outcome': 'partial', 'evidence.pills_taken': pills_taken },
    });
    const [alert] = await harness.alerts(bottle);
    await alerts.updateOne({ _id: alert!._id }, part(1));
    const deliveries = harness.notifier.app.get(OutboxRepository);
    const enqueue = deliveries.enqueue.bind(deliveries);
    deliveries.enqueue = async (all) => {
      deliveries.enqueue = enqueue;
      await enqueue(all);
      await alerts.updateOne({ _id: alert!._id }, part(2));
    };
    await harness.notifier.app.get(OutboxService).queueEnds(harness.clock.now());
    await harness.notifier.app.get(OutboxService).queueEnds(harness.clock.now());
    const steps = (await harness.deliveries(bottle)).map(({ step }) => step as string);
    expect(steps.filter((step) => step.startsWith('corrected')).sort()).toEqual([
      'corrected:1',
      'corrected:2',
    ]);
    expect((await harness.alerts(bottle))[0]).not.toHaveProperty('end_owed');
    await harness.database.db.collection('deliveries').deleteMany({ alert_id: alert!._id });
  });

  it('an ended alert without evidence holds up the end of no other', async () => {
    const bottles = [await harness.overdue(), await harness.overdue()];
    await harness.notifier.deliverer.run();
    const alerts = harness.database.db.collection('alerts');
    const bottle_id = { $in: bottles.map(({ id }) => new Types.ObjectId(id)) };
    await alerts.updateMany(
      { bottle_id },
      { $set: { state: 'resolved', open: false, end_owed: 'resolved' } },
    );
    await alerts.updateOne({ bottle_id: new Types.ObjectId(bottles[0]!.id) }, { $unset: { evidence: '' } });
    await harness.notifier.app.get(OutboxService).queueEnds(harness.clock.now());
    await harness.notifier.app.get(OutboxService).queueEnds(harness.clock.now());
    expect(await alerts.countDocuments({ bottle_id, end_owed: { $exists: true } })).toBe(0);
    const queued = await harness.deliveries(bottles[1]!);
    expect(queued.map(({ event }) => event as string)).toContain('resolved');
    for (const name of ['alerts', 'deliveries'])
      await harness.database.db.collection(name).deleteMany({ bottle_id });
  });

  it('an alert whose user cannot be looked up holds up no other, and the operator is notified of it', async () => {
    const [bad, good] = [await harness.register(), await harness.register()];
    const ids = [bad, good].map(({ id }) => new Types.ObjectId(id));
    const user = { $set: { user_id: { of: 'a later version' } } };
    const outbox = harness.notifier.app.get(OutboxService);
    const alerts = harness.database.db.collection('alerts');
    await Promise.all([bad, good].map((bottle) => harness.action(bottle, 'opened')));
    await harness.setState(bad, user);
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.runAll();
    const [now, all] = [harness.clock.now(), { bottle_id: { $in: ids } }];
    const escalation = [{ after: '0m', to: 'user', repeat: '1m' }];
    await alerts.updateMany(all, { $set: { escalation, next_step_at: now } });
    await harness.pass(MINUTE_MS);
    await outbox.escalate(harness.clock.now());
    await alerts.updateMany(all, { $set: { end_owed: 'partial' } });
    await outbox.queueEnds(harness.clock.now());
    for (const bottle of [bad, good])
      expect((await harness.deliveries(bottle)).map(({ event }) => event as string).sort()).toEqual([
        'escalated',
        'partial',
        'raised',
      ]);
    expect(harness.received(bad, 'bottle_open')).toEqual(['raised']);
    // they would be repeated in the tests that follow
    for (const name of ['alerts', 'deliveries']) await harness.database.db.collection(name).deleteMany(all);
    await harness.setState(bad, { $set: { user_id: 'anna' } });
  });

  it('two notifiers that deliver at once send each message once', async () => {
    const bottles = await harness.registerMany(100);
    await Promise.all(bottles.map((bottle) => harness.action(bottle, 'opened')));
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.open.run();
    const other = await harness.addNotifier();
    await Promise.all([harness.notifier.deliverer.run(), other.deliverer.run()]);
    expect(harness.receiver.requests).toHaveLength(bottles.length);
    expect(harness.receiver.messages).toHaveLength(bottles.length);
  });

  it('a notifier that was killed while sending: another sends it after the lease, under the same id', async () => {
    const bottle = await harness.overdue();
    const [waiting] = await harness.deliveries(bottle);
    const claim = {
      token: 'of a notifier that was killed',
      until: new Date(harness.clock.now().getTime() + 30_000),
    };
    await harness.database.db
      .collection<{ _id: string }>('deliveries')
      .updateOne({ _id: String(waiting!._id) }, { $set: { claim } });
    // other tests may have left messages that are due by now
    const id = String(waiting!._id);
    const sent = (): string[] =>
      harness.receiver.requests.map((request) => request.id).filter((one) => one === id);
    await harness.pass(29_999);
    await harness.notifier.deliverer.run();
    expect(sent()).toEqual([]);
    await harness.pass(1);
    await harness.notifier.deliverer.run();
    expect(sent()).toEqual([id]);
  });

  describe('a notifier that is killed when the receiver has the message, before it is marked', () => {
    async function killedAfterSending(): Promise<TestBottle> {
      const bottle = await harness.overdue();
      const victim = await harness.addNotifier();
      victim.app.get(OutboxRepository).recordResults = async () => {
        throw new Error('killed');
      };
      await expect(victim.deliverer.run()).rejects.toThrow('killed');
      expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
      return bottle;
    }

    it('the alert ends before the lease does: everyone who was notified gets the end', async () => {
      const bottle = await killedAfterSending();
      await close(bottle);
      await harness.notifier.runAll();
      await harness.live(2);
      expect(harness.received(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
      // not once more what has arrived, or may have
      const sent = harness.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id);
      expect(sent).toHaveLength(2);
      const deliveries = await harness.deliveries(bottle);
      expect(deliveries.find(({ event }) => event === 'raised')).toMatchObject({
        status: 'cancelled',
        attempts: [{ ok: false, error: 'no result was recorded' }],
      });
    });

    it('the alert stays open: it is sent again under its id, and the interrupted attempt is recorded', async () => {
      const bottle = await killedAfterSending();
      await harness.live(1);
      const sent = harness.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id);
      expect(sent).toHaveLength(2);
      expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
      expect(await harness.deliveries(bottle)).toMatchObject([
        { status: 'delivered', attempts: [{ ok: false }, { ok: true, status: 204 }] },
      ]);
    });
  });

  it('a notifier that stops before it has sent what it claimed releases it: another one sends it at once', async () => {
    const bottle = await harness.overdue();
    const answers = [false, true];
    await harness.notifier.deliverer.run(() => answers.shift() ?? true);
    expect(harness.receiver.requests).toEqual([]);
    const other = await harness.addNotifier();
    await other.deliverer.run();
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
    expect(await harness.deliveries(bottle)).toMatchObject([
      { status: 'delivered', attempts: [{ ok: true }] },
    ]);
  });

  it("a contact that cannot be read delays its own messages and nobody else's", async () => {
    const contacts = harness.database.db.collection<{ _id: string }>('contacts');
    await contacts.insertOne({
      _id: 'broken',
      time_zone: 'Nowhere/At_All',
      webhook: true,
      quiet_hours: { from: '22:00', to: '07:00' },
    } as never);
    const broken = await harness.register({ user_id: 'broken' });
    const whole = await harness.registerMany(3);
    for (const bottle of [broken, ...whole]) await harness.action(bottle, 'opened');
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.open.run();
    await harness.notifier.deliverer.run();
    for (const bottle of whole) expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
    expect(await harness.deliveries(broken)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, error: expect.stringMatching(/zone/i) }] },
    ]);
    await contacts.deleteOne({ _id: 'broken' });
    await harness.pass(MINUTE_MS);
    // it moves to the operator, and is due at once
    await harness.notifier.deliverer.run();
    await harness.notifier.deliverer.run();
    expect(harness.received(broken, 'bottle_open')).toEqual(['raised']);
  });

  it('who timed out, was given up and is sent it again by staff hears the end too', async () => {
    const bottle = await harness.overdue();
    const [delivery] = await harness.deliveries(bottle);
    await harness.database.db.collection<{ _id: string }>('deliveries').updateOne(
      { _id: String(delivery!._id) },
      {
        $set: {
          status: 'dead',
          attempts: [{ at: harness.clock.now(), ok: false, error: 'no answer in time' }],
        },
        $unset: { next_attempt_at: '' },
      },
    );
    await asAdmin(harness.support)
      .post(`/v1/deliveries/${String(delivery!._id)}/replay`)
      .expect(200);
    await close(bottle);
    await harness.live(1);
    expect(harness.received(bottle, 'bottle_open')).toEqual(['resolved']);
  });

  it('a summary that is larger than a page is one message, also when two notifiers send it at once', async () => {
    const { id } = await harness.register();
    const now = harness.clock.now();
    const bottle_id = new Types.ObjectId(id);
    const about = { bottle_id, user_id: 'anna', medication: 'Cordrazine', kind: 'missed_dose' };
    const alerts = Array.from({ length: 450 }, (_, index) => {
      const dose = new Date(now.getTime() - (index + 48) * HOUR_MS);
      const ended = {
        state: 'resolved',
        evidence: { ...EVIDENCE.missed_dose, outcome: 'missed' },
        history: [],
        escalation: [],
      };
      const times = { subject: dose.toISOString(), deadline: dose, raised_at: now, ended_at: now };
      return { _id: new Types.ObjectId(), ...about, ...ended, ...times };
    });
    await harness.database.db.collection('alerts').insertMany(alerts);
    const queued = { recipient: 'operator', channel: 'webhook', status: 'pending', attempts: [] };
    const summary = { event: 'summary', step: 'summary', next_attempt_at: now, created_at: now };
    await harness.database.db.collection<{ _id: string }>('deliveries').insertMany(
      alerts.map(({ _id }) => ({
        _id: `of ${String(_id)}`,
        alert_id: _id,
        ...about,
        ...queued,
        ...summary,
      })),
    );
    const other = await harness.addNotifier();
    await Promise.all([harness.notifier.deliverer.run(), other.deliverer.run()]);
    const sent = harness.receiver.requests.map(({ data }) => (data as { doses?: object[] }).doses?.length);
    expect(sent).toEqual([alerts.length]);
    expect(await harness.deliveries({ id } as TestBottle)).toEqual(
      alerts.map(() => expect.objectContaining({ status: 'delivered' })),
    );
  });
});
