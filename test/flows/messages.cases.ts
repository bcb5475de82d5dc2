import { MINUTE_MS } from '#domain';
import { ContactsRepository } from '#persistence';
import { signLink } from '#platform';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { AddressVerification } from '../../apps/notifier/src/delivery/address-verification.js';
import { TestMessages } from '../../apps/notifier/src/delivery/test-messages.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { forged } from '../../tools/harness/forged.js';
import { Harness } from '../../tools/harness/harness.js';
import { verified } from '../../tools/harness/verified.js';

/** Of a PUT that may have made the contact or replaced it. */
const isOk = ({ status }: { status: number }): void => expect([200, 201]).toContain(status);

const LINK_SECRET = 'a-link-secret-of-at-least-32-characters';

describe('messages', () => {
  /** Who is notified, when, and how: real services, a real SMTP server; only time is set. */
  describe('messages', () => {
    let harness: Harness;

    beforeAll(async () => {
      harness = await Harness.start('messages', '2026-03-02T06:00:00Z', {
        PUBLIC_URL: 'http://support.example',
        LINK_SECRET,
      });
    });

    afterAll(() => harness?.stop());

    /** The path of the link in the last e-mail to this address. */
    function linkTo(address: string): string {
      const raw = harness.mail.mails
        .findLast(({ to }) => to.includes(address))!
        .raw.replace(/=\r\n/g, '')
        .replaceAll('=3D', '=');
      return /http:\/\/support\.example(\/[av]\/[\w.-]+)/.exec(raw)![1]!;
    }

    /** Recipient, channel and status of what was queued about the bottle. */
    async function deliveriesOf({ id }: TestBottle): Promise<string[][]> {
      const found = await harness.database.db
        .collection('deliveries')
        .find({ bottle_id: new Types.ObjectId(id) })
        .toArray();
      return found.map(({ recipient, channel, status }) => [recipient, channel, status] as string[]);
    }

    async function openBottle(contact: object, user: string): Promise<TestBottle> {
      await asAdmin(harness.support).put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);
      const bottle = await harness.register({ user_id: user });
      await harness.open(bottle);
      return bottle;
    }

    const mailsTo = (address: string): string[] =>
      harness.mail.mails.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

    it('are shown to staff as they were sent, but for the token of the link', async () => {
      const email = 'gina@example.test';
      await openBottle({ email, time_zone: 'Europe/Berlin' }, 'gina');
      await harness.pass(6);
      const { raw } = harness.mail.mails.findLast(({ to }) => to.includes(email))!;
      const sent = raw.replace(/=\r\n/g, '').replace(/\/a\/[\w.-]+/, '/a/…');
      const { body } = await asAdmin(harness.support).get('/v1/people/gina/messages').expect(200);
      const lines = (body.items[0].text as string).split('\n');
      expect(lines.filter((line) => !sent.includes(line))).toEqual([]);
      expect(lines.at(-1)).toMatch(/http:\/\/support\.example\/a\/…$/);
      expect(body.items[0].address).toBe(email);
    });

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
      // nothing may follow the token, which stands in the page
      for (const more of ['."><h2>', '.%22%3E%3Cmeta%20http-equiv=refresh%20content=0%3E', '.x', '.']) {
        const odd = await supertest(harness.support.getHttpServer()).get(`${path}${more}`);
        expect([odd.status, /<h2|<meta http-equiv|"x"/.test(odd.text)]).toEqual([404, false]);
      }
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

      await supertest(harness.support.getHttpServer()).post(forged(path)).type('form').send('').expect(404);
      await harness.close(bottle);
      await harness.pass(2);
      expect((await supertest(harness.support.getHttpServer()).get(path)).text).toContain(
        'This alert has ended',
      );
      harness.clock.advance(4 * 24 * 60 * MINUTE_MS);
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
      await contacts.put('/v1/contacts/fred').send(verified(replaced)).expect(200);
      expect(await answers(403)).toContain('The alert was not acknowledged');
      await contacts.delete('/v1/contacts/fred').expect(204);
      await answers(403);
      const { body } = await contacts.get(`/v1/alerts?bottle_id=${bottle.id}`);
      expect(body.items[0]).toMatchObject({ state: 'open' });
      await contacts.put('/v1/contacts/fred').send(verified(contact)).expect(201);
      expect(await answers(200)).toContain('Thank you');
      await harness.close(bottle);
      await harness.pass(2);
    });

    it('are stopped by what mail programs post to List-Unsubscribe; the next ones go to the next person', async () => {
      const contact = { email: 'hugo@example.test', time_zone: 'UTC', carer: { email: 'ines@example.test' } };
      const escalation = [
        { after: '0m', to: 'user' },
        { after: '10m', to: 'carer' },
      ];
      const bottle = await openBottle({ ...contact, escalation }, 'hugo');
      await harness.pass(6);
      const { raw } = harness.mail.mails.findLast(({ to }) => to.includes('hugo@example.test'))!;
      const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ');
      expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      const path = /^List-Unsubscribe: <http:\/\/support\.example(\/s\/[\w.-]+)>\r$/m.exec(unfolded)![1]!;
      const support = supertest(harness.support.getHttpServer());
      expect((await support.get(path).expect(200)).text).toContain('Stop messages to this address?');
      // it is valid for longer than the link that answers, and does nothing else
      const answers = path.replace('/s/', '/a/');
      await support.get(answers).expect(404);
      await support.post(answers).type('form').send('').expect(404);
      await harness.close(bottle);
      await harness.pass(2);
      expect(mailsTo('hugo@example.test')).toEqual(['Bottle left open', 'All clear: bottle closed']);
      await support.post(path).type('form').send('List-Unsubscribe=One-Click').expect(200);
      await harness.open(bottle);
      await harness.pass(6);
      expect(mailsTo('hugo@example.test')).toHaveLength(2);
      expect(mailsTo('ines@example.test')).toEqual(['Bottle left open']);
      // nor is the address asked whether it is the right one
      await harness.notifier.app.get(AddressVerification).run();
      expect(mailsTo('hugo@example.test')).toHaveLength(2);
      await harness.close(bottle);
      await harness.pass(2);
    });

    it('can be tested: a message that says so goes to the address, about nobody, and the result is shown', async () => {
      const [user, staff] = ['patient-18', asAdmin(harness.support)];
      const path = `/v1/contacts/${user}`;
      const request = (to: string, channel: string) => staff.post(`${path}/test`).send({ to, channel });
      const send = () => harness.notifier.app.get(TestMessages).run();
      await request('user', 'email').expect(404);
      const contact = { email: 'kim@example.test', webhook: true, carer: { email: 'lou@example.test' } };
      const unverified = {
        ...verified(contact),
        carer: { email: 'lou@example.test', email_verified: false },
      };
      await staff.put(path).send(unverified).expect(201);
      await staff.get(`${path}/test`).expect(404);
      expect((await request('carer', 'email').expect(409)).body.code).toBe('no_address');
      expect((await request('carer', 'webhook').expect(409)).body.code).toBe('no_address');
      expect((await request('user', 'console').expect(400)).body.errors).toMatchObject([
        { field: 'channel' },
      ]);

      expect((await request('user', 'email').expect(202)).body).toMatchObject({ state: 'pending' });
      expect((await request('user', 'webhook').expect(409)).body.code).toBe('test_pending');
      // of several notifiers one sends it
      await Promise.all([send(), send(), send()]);
      expect((await staff.get(`${path}/test`)).body).toMatchObject({
        to: 'user',
        channel: 'email',
        state: 'delivered',
        error: null,
      });
      expect(mailsTo('kim@example.test')).toEqual(['Test message']);
      const { raw } = harness.mail.mails.findLast(({ to }) => to.includes('kim@example.test'))!;
      expect(raw).toContain('This is a test');
      expect(raw).not.toContain(user);

      const posted = harness.receiver.requests.length;
      await request('user', 'webhook').expect(202);
      await send();
      expect((await staff.get(`${path}/test`)).body).toMatchObject({ state: 'delivered', status: 204 });
      expect(harness.receiver.requests.slice(posted)).toMatchObject([{ type: 'test', data: {} }]);

      // a change of the contact does not reset the limit
      await staff
        .put(path)
        .send(verified({ email: 'kim@example.test' }))
        .expect(200);
      for (let count = 0; count < 3; count += 1) {
        await request('user', 'email').expect(202);
        await send();
      }
      const refused = await request('user', 'email').expect(429);
      expect(refused.body.code).toBe('too_many_tests');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
      await harness.pass(61);
      await request('user', 'email').expect(202);
      await staff.put(path).send({ time_zone: 'UTC' }).expect(200);
      await send();
      expect((await staff.get(`${path}/test`)).body).toMatchObject({ state: 'failed' });
    });

    it('do not go to an address before its recipient, or staff, have confirmed it', async () => {
      const [user, support] = ['patient-17', supertest(harness.support.getHttpServer())];
      const contact = { email: 'zoe@example.test', time_zone: 'UTC', carer: { email: 'yan@example.test' } };
      const saved = async (body: object) =>
        (await asAdmin(harness.support).put(`/v1/contacts/${user}`).send(body).expect(isOk)).body;
      const isVerified = async () => {
        const { body } = await asAdmin(harness.support).get(`/v1/contacts/${user}`);
        return [body, body.carer].map((details) => details.email_verified_at !== undefined);
      };
      await saved(contact);
      const bottle = await harness.register({ user_id: user });
      await harness.notifier.app.get(AddressVerification).run();
      await harness.open(bottle);
      await harness.pass(6);

      // one mail, about nobody; the message goes to the operator
      expect(mailsTo('zoe@example.test')).toEqual(['Please confirm your e-mail address']);
      expect(mailsTo('yan@example.test')).toEqual(['Please confirm your e-mail address']);
      const { raw } = harness.mail.mails.findLast(({ to }) => to.includes('zoe@example.test'))!;
      for (const term of [user, 'Cordrazine', bottle.id, bottle.id.slice(-6), 'bottle'])
        expect(raw.replaceAll('zoe@example.test', '')).not.toContain(term);
      expect(await deliveriesOf(bottle)).toEqual([['operator', 'webhook', 'delivered']]);

      const path = linkTo('zoe@example.test');
      expect((await support.get(path).expect(200)).text).toContain('<form method="post">');
      // in the language of the contact, as the mail
      await saved({ ...contact, language: 'de' });
      const page = await support.get(path).set('accept-language', 'en').expect(200);
      expect(page.text).toContain('<html lang="de">');
      await saved({ ...contact, language: 'en' });
      expect(await isVerified()).toEqual([false, false]);
      for (const _twice of [1, 2])
        expect((await support.post(path).type('form').send('').expect(200)).text).toContain('Thank you');
      expect(await isVerified()).toEqual([true, false]);
      const audit = await asAdmin(harness.support).get('/v1/audit?category=change&limit=1');
      expect(audit.body.items[0]).toMatchObject({ action: 'contact.verify', who: { kind: 'link' } });
      await support.post(forged(path)).type('form').send('').expect(404);

      // what was read can be written; an address that stays keeps its state, another is asked
      const { body: read } = await asAdmin(harness.support).get(`/v1/contacts/${user}`);
      await saved({ ...read, carer: { ...read.carer, email_verified: true } });
      expect(await isVerified()).toEqual([true, true]);
      await saved({ ...read, email: 'zoe2@example.test' });
      expect(await isVerified()).toEqual([false, true]);
      await support.post(path).type('form').send('').expect(403);
      await harness.notifier.app.get(AddressVerification).run();
      await harness.notifier.app.get(AddressVerification).run();
      expect(mailsTo('zoe2@example.test')).toEqual(['Please confirm your e-mail address']);
      const stored = (await harness.notifier.app.get(ContactsRepository).findByUser(user))!;
      const claim = { id: stored.verification!.id, expires_at: harness.clock.now() };
      const expired = `/v/${signLink(LINK_SECRET, claim, 'zoe2@example.test')}`;
      await support.post(expired).type('form').send('').expect(410);
      await support.post(linkTo('zoe2@example.test')).type('form').send('').expect(200);
      expect(await isVerified()).toEqual([true, true]);
      await harness.close(bottle);
      await harness.pass(2);
    });

    it('that asks for a confirmation is sent once to an address, and to others five times an hour', async () => {
      const verification = harness.notifier.app.get(AddressVerification);
      const save = (body: object) =>
        asAdmin(harness.support)
          .put('/v1/contacts/vera')
          .send({ ...body, time_zone: 'UTC' })
          .expect(isOk);
      const asked = (address: string) => mailsTo(`${address}@example.test`).length;
      for (let time = 0; time < 3; time += 1) {
        await save({ email: 'vera@example.test', name: `Vera ${time}` });
        await verification.run();
      }
      expect(asked('vera')).toBe(1);
      const others = ['vera2', 'vera3', 'vera4', 'vera5', 'vera6'];
      for (const address of others) {
        await save({ email: `${address}@example.test` });
        await verification.run();
        // staff say that it is right, and then that it is not: that makes no room for more
        await save({ email: `${address}@example.test`, email_verified: true });
      }
      expect(others.map(asked)).toEqual([1, 1, 1, 1, 0]);
      await save({ email: 'vera7@example.test' });
      await verification.run();
      expect(asked('vera7')).toBe(0);
      // it is not forgotten
      harness.clock.advance(60 * MINUTE_MS);
      await verification.run();
      expect(asked('vera7')).toBe(1);
    });

    it('that asks for a confirmation is sent again when the mail server is back', async () => {
      await asAdmin(harness.support)
        .put('/v1/contacts/xia')
        .send({ email: 'xia@example.test', time_zone: 'UTC' })
        .expect(201);
      const verification = harness.notifier.app.get(AddressVerification);
      harness.mail.behaviour = 'fails';
      await verification.run();
      harness.mail.behaviour = 'works';
      await verification.run();
      expect(mailsTo('xia@example.test')).toEqual([]);
      harness.clock.advance(10 * MINUTE_MS);
      await verification.run();
      expect(mailsTo('xia@example.test')).toEqual(['Please confirm your e-mail address']);
    });

    it('stop while the alert is snoozed, and continue afterwards; staff can close it', async () => {
      const bottle = await openBottle({ email: 'emil@example.test', time_zone: 'Europe/Berlin' }, 'emil');
      await harness.pass(6);
      const { id } = (await asAdmin(harness.support).get(`/v1/alerts?bottle_id=${bottle.id}`)).body
        .items[0] as {
        id: string;
      };
      const until = new Date(harness.clock.now().getTime() + 5 * MINUTE_MS).toISOString();
      await asAdmin(harness.support)
        .post(`/v1/alerts/${id}/snooze`)
        .send({ until, note: 'on the phone' })
        .expect(200);
      await harness.pass(4);
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
        .send({ until: new Date(harness.clock.now().getTime() + MINUTE_MS).toISOString() })
        .expect(409);
    });
  });
});
