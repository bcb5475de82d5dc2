import { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest from 'supertest';
import { ListeningRecorder } from '../../apps/device-api/src/listening/listening-recorder.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { MailServer } from '../support/mail-server.js';
import {
  asAdmin,
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestBottle,
  type TestNotifier,
} from '../support/services.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const MINUTE = 60_000;
const LINK_SECRET = 'a link secret of at least 32 characters'.replaceAll(' ', '-');
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes!').toString('base64')}`;

/** Who is told, when, and how: real services, a real SMTP server, a real webhook receiver; only time is set. */
describe('messages', () => {
  const clock = new ManualClock(new Date('2026-03-02T06:00:00Z'));
  let database: TestDatabase;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let device: NestFastifyApplication;
  let support: NestFastifyApplication;
  let notifier: TestNotifier;

  beforeAll(async () => {
    database = await testDatabase('messages');
    [mail, receiver] = [await MailServer.start(), await WebhookReceiver.start(SECRET)];
    device = await startDeviceApi(database.uri, clock);
    support = await startSupportApi(database.uri, clock, { LINK_SECRET });
    notifier = await startNotifier(database.uri, clock, {
      SMTP_URL: mail.url,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      PUBLIC_URL: 'http://support.example',
      LINK_SECRET,
    });
  });

  afterAll(async () => {
    await Promise.all([device?.close(), support?.close(), notifier?.app.close()]);
    await Promise.all([mail?.stop(), receiver?.stop()]);
    await database?.drop();
  });

  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE);
      await device.get(ListeningRecorder).record();
      await notifier.runAll();
    }
  }

  async function openBottle(contact: object, user: string): Promise<TestBottle> {
    await asAdmin(support).put(`/v1/contacts/${user}`).send(contact).expect(200);
    const bottle = await registerBottle(support, device, { user_id: user });
    const action = {
      action: 'opened',
      time: clock.now().toISOString(),
      mass_of_contents: 44.25,
      number_of_pills: 25,
    };
    await bottle.post('/v1/actions', action).expect(201);
    return bottle;
  }

  async function close(bottle: TestBottle): Promise<void> {
    const action = {
      action: 'closed',
      time: clock.now().toISOString(),
      mass_of_contents: 44.25,
      number_of_pills: 25,
      pills_taken: 0,
    };
    await bottle.post('/v1/actions', action).expect(201);
  }

  const mailsTo = (address: string): string[] =>
    mail.mails.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

  it('go to the user at once, to the carer after half an hour, and to both when it is over', async () => {
    const bottle = await openBottle(
      {
        email: 'anna@example.test',
        time_zone: 'Europe/Berlin',
        carer: { email: 'carer@example.test' },
        escalation: [
          { after: '0m', to: 'user' },
          { after: '30m', to: 'carer', until: 'acknowledged' },
        ],
      },
      'anna',
    );
    await pass(6);
    expect(mailsTo('anna@example.test')).toEqual(['A pill bottle stands open']);
    await pass(28);
    expect(mailsTo('carer@example.test')).toEqual([]);
    await pass(3);
    expect(mailsTo('carer@example.test')).toEqual(['A pill bottle still stands open']);
    await close(bottle);
    await pass(2);
    expect(mailsTo('anna@example.test')).toEqual(['A pill bottle stands open', 'The pill bottle was closed']);
    expect(mailsTo('carer@example.test')).toEqual([
      'A pill bottle still stands open',
      'The pill bottle was closed',
    ]);
    expect(mail.mails.every(({ subject }) => !subject.includes('Cordrazine'))).toBe(true);
  });

  it('carry a link that asks, and only its POST acknowledges; that stops the escalation', async () => {
    const bottle = await openBottle(
      {
        email: 'bert@example.test',
        time_zone: 'Europe/Berlin',
        escalation: [{ after: '0m', to: 'user', repeat: '10m' }],
      },
      'bert',
    );
    await pass(6);
    const raw = mail.mails
      .find(({ to }) => to.includes('bert@example.test'))!
      .raw.replace(/=\r\n/g, '')
      .replaceAll('=3D', '=');
    const path = /http:\/\/support\.example(\/a\/[\w.-]+)/.exec(raw)![1]!;
    const stateOf = async (): Promise<string> =>
      (await asAdmin(support).get(`/v1/alerts?bottle_id=${bottle.id}`)).body.items[0].state as string;

    const page = await supertest(support.getHttpServer()).get(path).expect(200);
    expect(page.text).toContain('<form method="post">');
    expect(await stateOf()).toBe('open');
    await pass(11);
    expect(mailsTo('bert@example.test')).toEqual([
      'A pill bottle stands open',
      'A pill bottle still stands open',
    ]);

    await supertest(support.getHttpServer()).post(path).type('form').send('').expect(200);
    expect(await stateOf()).toBe('acknowledged');
    await pass(25);
    expect(mailsTo('bert@example.test')).toHaveLength(2);

    await supertest(support.getHttpServer())
      .post(`${path.slice(0, -2)}xx`)
      .type('form')
      .send('')
      .expect(404);
    await close(bottle);
    await pass(2);
    expect((await supertest(support.getHttpServer()).get(path)).text).toContain('This is over');
    clock.advance(4 * 24 * 60 * MINUTE);
    await supertest(support.getHttpServer()).get(path).expect(410);
  });

  it("wait for the end of the recipient's quiet hours, in the recipient's zone, and are never dropped", async () => {
    clock.set(new Date('2026-03-10T21:30:00Z'));
    const contact = {
      email: 'carla@example.test',
      time_zone: 'Asia/Kolkata',
      quiet_hours: { from: '22:00', to: '07:00' },
    };
    // 21:30 UTC is 03:00 in Kolkata; 07:00 there is 01:30 UTC
    const bottle = await openBottle(contact, 'carla');
    await pass(6);
    await bottle.post('/v1/heartbeats').expect(204);
    expect(mailsTo('carla@example.test')).toEqual([]);
    clock.set(new Date('2026-03-11T01:29:00Z'));
    await bottle.post('/v1/heartbeats').expect(204);
    await notifier.runAll();
    expect(mailsTo('carla@example.test')).toEqual([]);
    await pass(2);
    expect(mailsTo('carla@example.test')).toEqual(['A pill bottle stands open']);
    await close(bottle);
    await pass(2);
  });

  it('are put together for a recipient who is owed several', async () => {
    const bottles = [];
    for (let count = 0; count < 3; count += 1) {
      bottles.push(await openBottle({ email: 'dora@example.test', time_zone: 'Europe/Berlin' }, 'dora'));
    }
    await pass(6);
    expect(mailsTo('dora@example.test')).toEqual(['3 messages about pill bottles']);
    for (const bottle of bottles) await close(bottle);
    await pass(2);
    expect(mailsTo('dora@example.test')).toEqual([
      '3 messages about pill bottles',
      '3 messages about pill bottles',
    ]);
  });

  it('stop while someone has snoozed the alert, and go on afterwards; staff who resolve it are heard', async () => {
    const bottle = await openBottle({ email: 'emil@example.test', time_zone: 'Europe/Berlin' }, 'emil');
    await pass(6);
    const { id } = (await asAdmin(support).get(`/v1/alerts?bottle_id=${bottle.id}`)).body.items[0] as {
      id: string;
    };
    const until = new Date(clock.now().getTime() + 20 * MINUTE).toISOString();
    await asAdmin(support).post(`/v1/alerts/${id}/snooze`).send({ until, note: 'on the phone' }).expect(200);
    await pass(19);
    expect(mailsTo('emil@example.test')).toHaveLength(1);
    await pass(2);
    expect(mailsTo('emil@example.test')).toEqual([
      'A pill bottle stands open',
      'A pill bottle still stands open',
    ]);
    await asAdmin(support).post(`/v1/alerts/${id}/resolve`).expect(200);
    await pass(1);
    expect(mailsTo('emil@example.test')).toHaveLength(3);
    const { body } = await asAdmin(support).get(`/v1/alerts/${id}`).expect(200);
    expect(body.history.map(({ event, by }: { event: string; by: string }) => `${event} by ${by}`)).toEqual([
      'raised by notifier',
      'snoozed by ADMIN_TOKEN',
      'escalated by notifier',
      'resolved by ADMIN_TOKEN',
    ]);
    await asAdmin(support)
      .post(`/v1/alerts/${id}/snooze`)
      .send({ until: new Date(clock.now().getTime() + MINUTE).toISOString() })
      .expect(409);
  });
});
