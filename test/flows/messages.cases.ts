import supertest from 'supertest';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { MINUTE, Harness } from '../../tools/harness/harness.js';

describe('messages', () => {
  /** Who is notified, when, and how: real services, a real SMTP server; only time is set. */
  describe('messages', () => {
    let harness: Harness;

    beforeAll(async () => {
      harness = await Harness.start('messages', '2026-03-02T06:00:00Z', {
        PUBLIC_URL: 'http://support.example',
        LINK_SECRET: 'a-link-secret-of-at-least-32-characters',
      });
    });

    afterAll(() => harness?.stop());

    /** The path of the link in the last e-mail to this address. */
    function linkTo(address: string): string {
      const raw = harness.mail.mails
        .findLast(({ to }) => to.includes(address))!
        .raw.replace(/=\r\n/g, '')
        .replaceAll('=3D', '=');
      return /http:\/\/support\.example(\/a\/[\w.-]+)/.exec(raw)![1]!;
    }

    async function openBottle(contact: object, user: string): Promise<TestBottle> {
      await asAdmin(harness.support).put(`/v1/contacts/${user}`).send(contact).expect(200);
      const bottle = await harness.register({ user_id: user });
      await harness.open(bottle);
      return bottle;
    }

    const mailsTo = (address: string): string[] =>
      harness.mail.mails.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

    it('go to the user at once, to the carer after half an hour, and to both when the alert ends', async () => {
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
      await harness.pass(6);
      expect(mailsTo('anna@example.test')).toEqual(['Bottle left open']);
      await harness.pass(28);
      expect(mailsTo('carer@example.test')).toEqual([]);
      await harness.pass(3);
      expect(mailsTo('carer@example.test')).toEqual(['Reminder: bottle still open']);
      await harness.close(bottle);
      await harness.pass(2);
      expect(mailsTo('anna@example.test')).toEqual(['Bottle left open', 'All clear: bottle closed']);
      expect(mailsTo('carer@example.test')).toEqual([
        'Reminder: bottle still open',
        'All clear: bottle closed',
      ]);
      expect(harness.mail.mails.every(({ subject }) => !subject.includes('Cordrazine'))).toBe(true);
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
      await harness.pass(6);
      const path = linkTo('bert@example.test');
      const stateOf = async (): Promise<string> =>
        (await asAdmin(harness.support).get(`/v1/alerts?bottle_id=${bottle.id}`)).body.items[0]
          .state as string;

      const page = await supertest(harness.support.getHttpServer()).get(path).expect(200);
      expect(page.text).toContain('<form method="post">');
      expect(await stateOf()).toBe('open');
      await harness.pass(11);
      expect(mailsTo('bert@example.test')).toEqual(['Bottle left open', 'Reminder: bottle still open']);

      await supertest(harness.support.getHttpServer()).post(path).type('form').send('').expect(200);
      expect(await stateOf()).toBe('acknowledged');
      const audit = await asAdmin(harness.support).get(
        `/v1/audit?category=change&subject=bottle:${bottle.id}`,
      );
      expect(audit.body.items[0]).toMatchObject({
        action: 'alert.acknowledge',
        who: { kind: 'link', id: 'user:bert' },
      });
      await harness.pass(25);
      expect(mailsTo('bert@example.test')).toHaveLength(2);

      await supertest(harness.support.getHttpServer())
        .post(`${path.slice(0, -2)}xx`)
        .type('form')
        .send('')
        .expect(404);
      await harness.close(bottle);
      await harness.pass(2);
      expect((await supertest(harness.support.getHttpServer()).get(path)).text).toContain(
        'This alert has ended',
      );
      harness.clock.advance(4 * 24 * 60 * MINUTE);
      await supertest(harness.support.getHttpServer()).get(path).expect(410);
    });

    it('carry a link that is refused once its recipient is removed or has another address', async () => {
      const contact = {
        time_zone: 'Europe/Berlin',
        webhook: true,
        carer: { email: 'fiona@example.test' },
        escalation: [{ after: '0m', to: 'carer' }],
      };
      const bottle = await openBottle(contact, 'fred');
      await harness.pass(6);
      const path = linkTo('fiona@example.test');
      expect(Buffer.from(path.split(/[/.]/)[2]!, 'base64url').toString()).not.toContain('fred');
      const answers = async (status: number): Promise<string> => {
        const support = supertest(harness.support.getHttpServer());
        const [asked, posted] = [await support.get(path), await support.post(path).type('form').send('')];
        expect([asked.status, posted.status]).toEqual([status, status]);
        return posted.text;
      };
      const contacts = asAdmin(harness.support);
      const replaced = { ...contact, carer: { email: 'gina@example.test' } };
      await contacts.put('/v1/contacts/fred').send(replaced).expect(200);
      expect(await answers(403)).toContain('The alert was not acknowledged');
      await contacts.delete('/v1/contacts/fred').expect(204);
      await answers(403);
      const { body } = await contacts.get(`/v1/alerts?bottle_id=${bottle.id}`);
      expect(body.items[0]).toMatchObject({ state: 'open' });
      await contacts.put('/v1/contacts/fred').send(contact).expect(200);
      expect(await answers(200)).toContain('Thank you');
      await harness.close(bottle);
      await harness.pass(2);
    });

    it("wait for the end of the recipient's quiet hours, in the recipient's zone, and are never dropped", async () => {
      harness.clock.set(new Date('2026-03-10T21:30:00Z'));
      const contact = {
        email: 'carla@example.test',
        time_zone: 'Asia/Kolkata',
        quiet_hours: { from: '22:00', to: '07:00' },
      };
      // 21:30 UTC is 03:00 in Kolkata; 07:00 there is 01:30 UTC
      const bottle = await openBottle(contact, 'carla');
      await harness.pass(6);
      await bottle.post('/v1/heartbeats').expect(204);
      expect(mailsTo('carla@example.test')).toEqual([]);
      harness.clock.set(new Date('2026-03-11T01:29:00Z'));
      await bottle.post('/v1/heartbeats').expect(204);
      await harness.notifier.runAll();
      expect(mailsTo('carla@example.test')).toEqual([]);
      await harness.pass(2);
      expect(mailsTo('carla@example.test')).toEqual(['Bottle left open']);
      await harness.close(bottle);
      await harness.pass(2);
    });

    it('are put together for a recipient who is owed several', async () => {
      const bottles = [];
      for (let count = 0; count < 3; count += 1) {
        bottles.push(await openBottle({ email: 'dora@example.test', time_zone: 'Europe/Berlin' }, 'dora'));
      }
      await harness.pass(6);
      expect(mailsTo('dora@example.test')).toEqual(['3 messages about pill bottles']);
      for (const bottle of bottles) await harness.close(bottle);
      await harness.pass(2);
      expect(mailsTo('dora@example.test')).toEqual([
        '3 messages about pill bottles',
        '3 messages about pill bottles',
      ]);
    });

    it('stop while the alert is snoozed, and continue afterwards; staff can close it', async () => {
      const bottle = await openBottle({ email: 'emil@example.test', time_zone: 'Europe/Berlin' }, 'emil');
      await harness.pass(6);
      const { id } = (await asAdmin(harness.support).get(`/v1/alerts?bottle_id=${bottle.id}`)).body
        .items[0] as {
        id: string;
      };
      const until = new Date(harness.clock.now().getTime() + 20 * MINUTE).toISOString();
      await asAdmin(harness.support)
        .post(`/v1/alerts/${id}/snooze`)
        .send({ until, note: 'on the phone' })
        .expect(200);
      await harness.pass(19);
      expect(mailsTo('emil@example.test')).toHaveLength(1);
      await harness.pass(2);
      expect(mailsTo('emil@example.test')).toEqual(['Bottle left open', 'Reminder: bottle still open']);
      await asAdmin(harness.support)
        .post(`/v1/alerts/${id}/close`)
        .send({ reason: 'other', note: 'the lid is broken' })
        .expect(200);
      await harness.pass(1);
      expect(mailsTo('emil@example.test').at(-1)).toBe('Alert closed by support');
      const { body } = await asAdmin(harness.support).get(`/v1/alerts/${id}`).expect(200);
      expect(body.history.map(({ event, by }: { event: string; by: string }) => `${event} by ${by}`)).toEqual(
        [
          'raised by notifier',
          'snoozed by ADMIN_TOKEN',
          'escalated by notifier',
          'closed_by_staff by ADMIN_TOKEN',
        ],
      );
      await asAdmin(harness.support)
        .post(`/v1/alerts/${id}/snooze`)
        .send({ until: new Date(harness.clock.now().getTime() + MINUTE).toISOString() })
        .expect(409);
    });
  });
});
