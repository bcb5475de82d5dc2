import { createTransport } from 'nodemailer';
import supertest from 'supertest';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { MailRelay } from '../../tools/harness/mail-relay.js';
import { asAdmin } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';
import { passCycle, TestWatchdog } from './watchdog-harness.js';

/** The notifier's mails go through a mail server of their own to the watchdogs, of which there are two. */
describe('the mail leg of a watchdog', () => {
  const DOMAINS = ['one.example.test', 'two.example.test'];
  let harness: NotifierHarness;
  let relay: MailRelay;
  let smtpPorts: number[];
  const dogs: TestWatchdog[] = [];

  beforeAll(async () => {
    const ports = await Promise.all(DOMAINS.map(() => freePort()));
    smtpPorts = await Promise.all(DOMAINS.map(() => freePort()));
    relay = await MailRelay.start(
      Object.fromEntries(DOMAINS.map((domain, index) => [domain, smtpPorts[index]!])),
    );
    harness = await NotifierHarness.start('watchdog_mail', {
      CANARY_WEBHOOK_URL: ports.map((port) => `http://127.0.0.1:${port}/webhook`).join(' '),
      SMTP_URL: relay.url,
      SMTP_ALLOW_PLAIN: 'true',
      // people's limit is not the canaries'
      RECIPIENT_THROTTLE: '1/h',
    });
    await harness.begin();
    for (const [index, domain] of DOMAINS.entries()) {
      const settings = { WATCHDOG_SMTP_PORT: String(smtpPorts[index]) };
      const dog = await TestWatchdog.start(harness, ports[index]!, settings);
      dogs.push(dog);
      await asAdmin(harness.support)
        .put(`/v1/contacts/canary-${dog.bottleId}`)
        .send({ webhook: true, email: `${dog.bottleId}@${domain}`, email_verified: true })
        .expect(201);
    }
  });
  afterAll(async () => {
    await Promise.all(dogs.map((dog) => dog.stop()));
    await harness?.stop();
    await relay?.stop();
  });

  /** @returns how the next cycle of each watchdog ended */
  async function cycle(): Promise<{ path: string; body: string }[]> {
    await passCycle(harness, dogs, { mail: () => relay.untilIdle() });
    return dogs.map(({ deadMan }) => deadMan.pings.at(-1)!);
  }

  const succeeded = [{ path: '/check' }, { path: '/check' }];

  it('succeeds when the mails of the cycle have come back, too, again and again', async () => {
    for (let times = 0; times < 2; times += 1) {
      const ends = await cycle();
      expect(ends).toMatchObject(succeeded);
      for (const { body } of ends)
        expect(JSON.parse(body)).toMatchObject({
          dose_late_mailed: expect.any(Number),
          dose_missed_mailed: expect.any(Number),
          open_raised_mailed: expect.any(Number),
          open_resolved_mailed: expect.any(Number),
        });
    }
    for (const { app } of dogs) {
      const { text } = await supertest(app.getHttpServer()).get('/metrics').expect(200);
      expect(text).toMatch(/^pillwatch_canary_leg_seconds\{leg="open_raised_mailed"\} \d/m);
      const { body } = await supertest(app.getHttpServer()).get('/health/ready').expect(200);
      expect(body.info.canary.legs_ms).toMatchObject({ dose_late_mailed: expect.any(Number) });
    }
  });

  const OUTAGES: { what: string; set: (isWorking: boolean) => Promise<void> | void }[] = [
    { what: 'the mail server is down', set: (isWorking) => relay.setUp(isWorking) },
    {
      what: 'mails are lost behind it',
      set: (isWorking) => {
        relay.isLosing = !isWorking;
      },
    },
  ];

  it.each(OUTAGES)('fails at the mail leg while $what, and succeeds afterwards', async ({ set }) => {
    await set(false);
    const reason = 'dose_late_mailed has not come within 3 minutes';
    expect(await cycle()).toEqual(dogs.map(() => ({ path: '/check/fail', body: reason })));
    for (const { deadMan } of dogs) expect(deadMan.alarm).toBe(reason);
    await set(true);
    expect(await cycle()).toMatchObject(succeeded);
    for (const { deadMan } of dogs) expect(deadMan.alarm).toBeUndefined();
  });

  it('takes mails to its canary only, at any domain', async () => {
    const [own, other] = dogs.map(({ bottleId }) => bottleId);
    const server = createTransport({ host: '127.0.0.1', port: smtpPorts[0]!, ignoreTLS: true });
    const send = (to: string): Promise<unknown> =>
      server.sendMail({ envelope: { from: 'x@example.test', to }, raw: 'Subject: x\r\n\r\nx' });
    await expect(send(`${other}@one.example.test`)).rejects.toMatchObject({ responseCode: 550 });
    await expect(send('postmaster@one.example.test')).rejects.toMatchObject({ responseCode: 550 });
    await send(`${own!.toUpperCase()}@another.example.test`);
  });
});
