import { MINUTE_MS } from '#domain';
import { ContactsRepository } from '#persistence';
import { jest } from '@jest/globals';
import supertest from 'supertest';
import { AddressVerification } from '../../apps/notifier/src/delivery/address-verification.js';
import { Receipts } from '../../apps/notifier/src/delivery/receipts.js';
import { TestMessages } from '../../apps/notifier/src/delivery/test-messages.js';
import { asAdmin, startNotifier, type TestBottle } from '../../tools/harness/services.js';
import { forged } from '../../tools/harness/forged.js';
import { Harness } from '../../tools/harness/harness.js';
import { SmsReceiver } from '../../tools/harness/sms-receiver.js';
import { verified } from '../../tools/harness/verified.js';

const LINKS = {
  PUBLIC_URL: 'http://support.example',
  LINK_SECRET: 'a-link-secret-of-at-least-32-characters',
};
const SMS_INCOMING_KEY = 'a-key-of-a-gateway-of-at-least-32-characters';

describe('SMS', () => {
  let harness: Harness;
  let gateway: SmsReceiver;
  let people = 0;

  beforeAll(async () => {
    gateway = await SmsReceiver.start();
    harness = await Harness.start('sms', '2026-03-02T06:00:00Z', {
      ...LINKS,
      ...gateway.asKannel,
      SMS_INCOMING_KEY,
      RECIPIENT_THROTTLE: '3/h',
    });
  });
  afterAll(async () => {
    await harness?.stop();
    await gateway?.stop();
  });
  beforeEach(() => {
    gateway.requests.length = 0;
    gateway.answer = () => undefined;
  });

  const staff = () => asAdmin(harness.support);
  const http = () => supertest(harness.support.getHttpServer());

  /** A user with this contact, and an open bottle of theirs. */
  async function openBottle(
    contact: object,
    medication = 'Cordrazine',
  ): Promise<{ user: string; bottle: TestBottle }> {
    people += 1;
    const user = `person-${people}`;
    await staff().put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);
    const bottle = await harness.register({ user_id: user, medication });
    await harness.open(bottle);
    return { user, bottle };
  }
  const messagesOf = async (user: string) =>
    (await staff().get(`/v1/people/${user}/messages`).expect(200)).body.items;

  it('are sent to a verified number, with the link to the page and without the medication', async () => {
    const sms = '+4915100000001';
    const { user, bottle } = await openBottle({ sms, time_zone: 'Europe/Berlin' });
    await harness.pass(6);
    expect(gateway.requests).toMatchObject([
      {
        to: sms,
        from: 'Pillwatch',
        fields: { username: 'pills', password: 'secret', coding: '0', charset: 'UTF-8' },
      },
    ]);
    const [text] = gateway.textsTo(sms);
    expect(text).toContain(`Bottle left open\nBottle ${bottle.id.slice(-6)}, ${user}.`);
    expect(text).not.toContain('Cordrazine');
    const path = /http:\/\/support\.example(\/a\/[\w.-]+)/.exec(text!)![1]!;
    await http().post(path).type('form').send('').expect(200);
    // staff read it as it was sent, but for the link's token
    const [message] = await messagesOf(user);
    expect(message).toMatchObject({ channel: 'sms', address: sms, status: 'delivered' });
    expect(message.text).toBe(text!.replace(/\/a\/[\w.-]+/, '/a/…'));
    await harness.close(bottle);
    await harness.pass(2);
    expect(gateway.textsTo(sms)).toHaveLength(2);
  });

  it('to a number that nobody has verified ask first, about nobody', async () => {
    const sms = '+4915100000002';
    const { user } = await openBottle({ sms, sms_verified: false, webhook: true });
    const verification = harness.notifier.app.get(AddressVerification);
    await verification.run();
    await verification.run();
    await harness.pass(6);
    const [asked, ...more] = gateway.textsTo(sms);
    expect(more).toEqual([]);
    expect(asked).not.toMatch(new RegExp(`${user}|Cordrazine|bottle`, 'i'));
    const path = /http:\/\/support\.example(\/v\/[\w.-]+)/.exec(asked!)![1]!;
    expect((await http().get(path).expect(200)).text).toContain('<form method="post">');
    await http().post(path).type('form').send('').expect(200);
    expect((await staff().get(`/v1/contacts/${user}`)).body.sms_verified_at).toBeDefined();
    await staff().post(`/v1/contacts/${user}/test`).send({ to: 'user', channel: 'sms' }).expect(202);
    await harness.notifier.app.get(TestMessages).run();
    expect(gateway.textsTo(sms).at(-1)).toContain('This is a test');
  });

  it('have the whole text in UCS-2 if a character needs it, and name the medication if they may', async () => {
    const notifier = await startNotifier(harness.database.uri, harness.clock, {
      ...LINKS,
      ...gateway.asKannel,
      SMS_NAMES_MEDICATION: 'true',
    });
    try {
      const sms = '+4915100000003';
      const { bottle } = await openBottle({ sms }, 'Żelazo');
      harness.clock.advance(6 * 60_000);
      await harness.coverage.record();
      await notifier.open.run();
      await notifier.deliverer.run();
      expect(gateway.requests).toMatchObject([{ to: sms, fields: { coding: '2' } }]);
      expect(gateway.textsTo(sms)[0]).toContain('Żelazo');
      await harness.close(bottle);
    } finally {
      await notifier.app.close();
    }
  });

  it('go over Twilio’s API, too', async () => {
    const notifier = await startNotifier(harness.database.uri, harness.clock, {
      ...LINKS,
      ...gateway.asTwilio,
    });
    try {
      const sms = '+4915100000004';
      await openBottle({ sms });
      harness.clock.advance(6 * 60_000);
      await harness.coverage.record();
      await notifier.open.run();
      await notifier.deliverer.run();
      const authorization = `Basic ${Buffer.from('AC1:token').toString('base64')}`;
      expect(gateway.requests.find(({ to }) => to === sms)).toMatchObject({
        from: '+4930555',
        fields: { authorization },
      });
      expect(gateway.textsTo(sms)[0]).toMatch(/^Bottle left open\n/);
    } finally {
      await notifier.app.close();
    }
  });

  it('are tried again when the gateway fails', async () => {
    const sms = '+4915100000005';
    gateway.answer = () => ({ status: 503, body: '4: Temporal failure, try again later.' });
    const { user } = await openBottle({ sms });
    await harness.pass(5);
    expect(await messagesOf(user)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, status: 503 }] },
    ]);
    gateway.answer = () => undefined;
    await harness.pass(1);
    expect(await messagesOf(user)).toMatchObject([{ status: 'delivered' }]);
  });

  it.each(['4915100000006', '+49 151 0000', '+0151000000', '+49', `+49${'1'.repeat(15)}`, '+4915100000006 '])(
    'need a number with its country code: not %j',
    async (sms) => {
      const { body } = await staff().put('/v1/contacts/odd').send({ sms }).expect(400);
      expect(body.errors).toMatchObject([{ field: 'sms' }]);
    },
  );

  /** A receipt of Kannel for the newest request. */
  async function kannelReports(type: string, reply = '', sms = gateway.requests.at(-1)!): Promise<void> {
    const url = sms.receipts!.replace('%d', type).replace('%A', encodeURIComponent(reply));
    await http().get(url.replace(LINKS.PUBLIC_URL, '')).expect(200);
  }
  const applyReceipts = () => harness.notifier.app.get(Receipts).run();

  it('that the network delivers have its receipt', async () => {
    const { user } = await openBottle({ sms: '+4915100000010' });
    await harness.pass(6);
    expect(gateway.requests.at(-1)!.fields['dlr-mask']).toBe('27');
    await kannelReports('8', 'ACK/');
    await kannelReports('1', 'stat:DELIVRD');
    await applyReceipts();
    expect(await messagesOf(user)).toMatchObject([
      {
        status: 'delivered',
        attempts: [{ ok: true, receipt: { state: 'delivered', reply: 'stat:DELIVRD' } }],
      },
    ]);
  });

  it('that the network did not deliver in time are sent again', async () => {
    const { user } = await openBottle({ sms: '+4915100000011' });
    await harness.pass(6);
    await kannelReports('2', 'id:1 stat:EXPIRED err:000');
    await applyReceipts();
    expect(await messagesOf(user)).toMatchObject([
      { status: 'pending', attempts: [{ ok: false, receipt: { state: 'failed' } }] },
    ]);
    await harness.pass(1);
    expect(gateway.textsTo('+4915100000011')).toHaveLength(2);
    // the receipt of an attempt that another one has followed changes nothing
    await kannelReports('2', 'stat:EXPIRED', gateway.requests[0]);
    await applyReceipts();
    expect(await messagesOf(user)).toMatchObject([{ status: 'delivered' }]);
  });

  it('of which a receipt says that the number takes none go to the next person at once', async () => {
    const { user } = await openBottle({
      sms: '+4915100000012',
      carer: { sms: '+4915100000013' },
      escalation: [
        { after: '0m', to: 'user' },
        { after: '2h', to: 'carer' },
      ],
    });
    await harness.pass(6);
    await kannelReports('2', 'stat:UNDELIV err:001');
    await applyReceipts();
    // it is looked at again, goes to the carer, and is sent
    await harness.notifier.deliver();
    await harness.notifier.deliver();
    expect(gateway.textsTo('+4915100000013')).toEqual([expect.stringContaining('Bottle left open')]);
    const { body } = await staff().get(`/v1/contacts/${user}`).expect(200);
    expect(body.sms_health).toMatchObject({ state: 'refused', reply: 'stat:UNDELIV err:001' });
    // that the gateway takes a test message says nothing of the number
    await staff().post(`/v1/contacts/${user}/test`).send({ to: 'user', channel: 'sms' }).expect(202);
    await harness.notifier.app.get(TestMessages).run();
    expect((await staff().get(`/v1/contacts/${user}`)).body.sms_health).toMatchObject({ state: 'refused' });
    // a later success heals it: here what the number sends
    await replies('+4915100000012', 'START');
    expect((await staff().get(`/v1/contacts/${user}`)).body.sms_health).toMatchObject({ state: 'verified' });
  });

  it('whose receipt comes before the answer of the gateway are not sent twice', async () => {
    const { user } = await openBottle({ sms: '+4915100000014' });
    gateway.answer = () => ({ status: 500, body: 'accepted, and broken' });
    await harness.pass(5);
    await kannelReports('1');
    await applyReceipts();
    gateway.answer = () => undefined;
    await harness.pass(2);
    expect(gateway.textsTo('+4915100000014')).toHaveLength(1);
    expect(await messagesOf(user)).toMatchObject([{ status: 'delivered' }]);
  });

  it('take no receipt at an address that is not signed, nor after a week', async () => {
    await openBottle({ sms: '+4915100000015' });
    await harness.pass(6);
    const path = gateway.requests.at(-1)!.receipts!.replace(LINKS.PUBLIC_URL, '').replace(/\?.*/, '');
    await http()
      .get(`${forged(path)}?type=2&reply=x`)
      .expect(404);
    await http().get('/sms/receipts/x?type=2').expect(404);
    await http().post('/sms/receipts/x').type('text/plain').send('unread').expect(404);
    await http().post(path).type('form').send('MessageStatus=delivered').expect(200);
    harness.clock.advance(8 * 24 * 60 * MINUTE_MS);
    await http().get(`${path}?type=2`).expect(404);
  });

  /** What somebody writes from a number, as Kannel passes it on. @returns what is answered */
  async function replies(from: string, text: string, id?: string): Promise<string> {
    const answer = await http()
      .get('/sms/messages')
      .auth('gateway', SMS_INCOMING_KEY)
      .query({ from, text, id })
      .expect(200);
    return answer.text;
  }

  it('stop when the person replies STOP, and go to the next one; START resumes them, HELP says what they are', async () => {
    const sms = '+4915100000016';
    const { user } = await openBottle({ sms });
    await harness.pass(6);
    expect(gateway.textsTo(sms)).toHaveLength(1);
    expect(await replies('4915100000016', ' Stop. ')).toContain('START');
    const { body } = await staff().get(`/v1/contacts/${user}`).expect(200);
    expect(body.sms_health).toMatchObject({ state: 'paused', since: harness.clock.now().toISOString() });
    const audit = await staff().get('/v1/audit?category=change&limit=1');
    expect(audit.body.items[0]).toMatchObject({ action: 'contact.pause', who: { id: `user:${user}` } });
    // who saves the contact changes nothing of that
    await staff().put(`/v1/contacts/${user}`).send(body).expect(200);
    const test = staff().post(`/v1/contacts/${user}/test`).send({ to: 'user', channel: 'sms' });
    expect((await test.expect(409)).body.code).toBe('address_paused');
    const bottle = await harness.register({ user_id: user });
    await harness.open(bottle);
    await harness.pass(6);
    expect(gateway.textsTo(sms)).toHaveLength(1);
    const [last] = await messagesOf(user);
    expect(last).toMatchObject({ recipient: 'operator', status: 'delivered', bottle_id: bottle.id });

    expect(await replies(sms, 'HELP')).toContain('Reply STOP');
    expect(await replies(sms, 'hello')).toBe('');
    expect(await replies(sms, 'start')).toContain('again');
    await harness.open(await harness.register({ user_id: user }));
    await harness.pass(6);
    expect(gateway.textsTo(sms)).toHaveLength(2);
  });

  it('that wait after a failure go to the next one at once when the person replies STOP', async () => {
    const sms = '+4915100000036';
    gateway.answer = () => ({ status: 503, body: 'busy' });
    const { user } = await openBottle({ sms });
    await harness.pass(6);
    expect(await messagesOf(user)).toMatchObject([{ recipient: `user:${user}`, status: 'pending' }]);
    await replies(sms, 'STOP');
    // that it goes to somebody else is found at one attempt, and it is sent at the next
    await harness.notifier.deliver();
    await harness.notifier.deliver();
    expect(await messagesOf(user)).toMatchObject([{ recipient: 'operator', status: 'delivered' }]);
  });

  it('from people are taken from who has the key only; Twilio is answered in its form', async () => {
    const query = { from: '+4915100000017', text: 'STOP' };
    await http().get('/sms/messages').query(query).expect(401);
    await http().get('/sms/messages').query(query).auth('gateway', 'wrong').expect(401);
    await http().post('/sms/messages').type('text/plain').send('unread').expect(401);
    await http().get('/sms/messages').auth('gateway', SMS_INCOMING_KEY).expect(400);
    const twilio = await http()
      .post('/sms/messages')
      .auth('x', SMS_INCOMING_KEY)
      .type('form')
      .send({ From: '+4915100000017', Body: 'STOP' })
      .expect(200);
    expect(twilio.text).toMatch(/<Response><Message>No more messages .*<\/Message><\/Response>$/);
  });

  it('stop for every contact that has the number, also for one that gets it later, until START', async () => {
    const sms = '+4915100000030';
    const { user } = await openBottle({ sms });
    await replies(sms, 'STOP');
    await staff().put('/v1/contacts/later').send({ carer: { sms } }).expect(201);
    const health = async (who: string) => (await staff().get(`/v1/contacts/${who}`).expect(200)).body;
    const since = harness.clock.now().toISOString();
    expect((await health('later')).carer.sms_health).toMatchObject({ state: 'paused', since });
    await harness.notifier.app.get(AddressVerification).run();
    expect(gateway.textsTo(sms)).toEqual([]);
    await replies(sms, 'START');
    expect((await health(user)).sms_health).toMatchObject({ state: 'verified' });
    expect((await health('later')).carer.sms_health).toMatchObject({ state: 'unverified' });
  });

  it('stop also while staff save the contact', async () => {
    for (const [sms, precondition] of [
      ['+4915100000031', {}],
      ['+4915100000035', { 'if-match': '*' }],
    ] as const) {
      const { user } = await openBottle({ sms });
      const { body } = await staff().get(`/v1/contacts/${user}`).expect(200);
      const contacts = harness.support.get(ContactsRepository);
      const replace = contacts.replace.bind(contacts);
      // what was read is replaced after the STOP
      const spy = jest.spyOn(contacts, 'replace').mockImplementationOnce(async (...given) => {
        await replies(sms, 'STOP');
        return replace(...given);
      });
      await staff().put(`/v1/contacts/${user}`).set(precondition).send(body).expect(200);
      spy.mockRestore();
      const after = await staff().get(`/v1/contacts/${user}`).expect(200);
      expect(after.body.sms_health).toMatchObject({ state: 'paused' });
    }
  });

  it('are no test message after STOP, though it was asked for before', async () => {
    const sms = '+4915100000032';
    const { user } = await openBottle({ sms });
    await staff().post(`/v1/contacts/${user}/test`).send({ to: 'user', channel: 'sms' }).expect(202);
    await replies(sms, 'STOP');
    await harness.notifier.app.get(TestMessages).run();
    expect(gateway.textsTo(sms)).toEqual([]);
    const { body } = await staff().get(`/v1/contacts/${user}/test`).expect(200);
    expect(body).toMatchObject({ error: 'the person has paused the messages there' });
  });

  it('whose receipt cannot be read hold up no other', async () => {
    const expired = async (sms: string): Promise<string> => {
      const { user } = await openBottle({ sms });
      await harness.pass(6);
      const request = gateway.requests.findLast(({ to }) => to === sms);
      await kannelReports('2', 'stat:EXPIRED', request);
      return user;
    };
    const damaged = await expired('+4915100000033');
    const sound = await expired('+4915100000034');
    const deliveries = harness.database.db.collection('deliveries');
    const ofDamaged = { recipient: `user:${damaged}` };
    await deliveries.updateOne(ofDamaged, { $set: { receipts: [null] } as object });
    await applyReceipts();
    expect((await messagesOf(sound))[0]).toMatchObject({ attempts: [{ ok: false }] });
    expect(await deliveries.findOne(ofDamaged)).toMatchObject({
      receipts_set_aside: { error: expect.stringContaining('TypeError') },
    });
    expect((await deliveries.findOne(ofDamaged))!['receipt_due_at']).toBeUndefined();
  });

  /** A bottle of a user whose dose is late now, and was sent to their number. */
  async function lateDose(user: string, label: string): Promise<TestBottle & { due: Date }> {
    const due = new Date(harness.clock.now().getTime() + 2 * MINUTE_MS);
    const times = [due.toISOString().slice(11, 16)];
    const schedule = { kind: 'times_of_day', times, late_after: '10m' };
    const bottle = await harness.register({ user_id: user, label, time_zone: 'UTC', schedule });
    for (let minutes = 0; minutes < 13; minutes += 1)
      await harness.pass(1, () => bottle.post('/v1/heartbeats').expect(204));
    return Object.assign(bottle, { due });
  }
  const statementsOf = async ({ id }: TestBottle) =>
    (await staff().get(`/v1/bottles/${id}/attestations`).expect(200)).body.items;
  const addUser = (user: string, contact: object) =>
    staff().put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);

  it('about a dose name the digits that answer it; a digit is one statement, and is confirmed', async () => {
    const sms = '+4915100000040';
    await addUser('digits', { sms });
    const bottle = await lateDose('digits', 'blue, kitchen');
    const [text] = gateway.textsTo(sms);
    expect(text).toMatch(/\/a\/[\w.-]+\nOr reply: 1 taken, 2 later, 3 skipped, 4 help$/m);
    expect((await messagesOf('digits'))[0].text).toBe(text!.replace(/\/a\/[\w.-]+/, '/a/…'));

    const later = await replies(sms, '2', 'a');
    expect(later).toContain('You answered: later. Reminders wait until ');
    expect(await replies(sms, '2', 'a')).toContain('recorded before, or is too late');
    expect(await statementsOf(bottle)).toEqual([]);

    const confirmed = await replies(sms, ' 1. ', 'b');
    expect(confirmed).toContain(`Bottle: blue, kitchen (ends in ${bottle.id.slice(-6)}). The dose of `);
    expect(confirmed).toContain('You answered: taken. It is recorded. ');
    // the gateway sends it again, and somebody writes again
    expect(await replies(sms, '1', 'b')).toContain('recorded before, or is too late');
    expect(await replies(sms, '3', 'c')).toBe('No dose is waiting for an answer. Nothing was recorded.');
    expect(await statementsOf(bottle)).toMatchObject([
      {
        kind: 'taken',
        attested_by: 'user',
        recorded_by: 'user:digits',
        scheduled_at: bottle.due.toISOString(),
      },
    ]);
    expect(await replies('+4915100000099', '1')).toBe('');
  });

  it('about two doses are answered by links only: a digit does not say which one', async () => {
    const sms = '+4915100000041';
    const carer = '+4915100000047';
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '2h', to: 'carer' },
    ];
    await addUser('two', { sms, language: 'de', carer: { sms: carer, sms_verified: true }, escalation });
    const one = await lateDose('two', 'blue');
    const answered = await lateDose('two', 'red');
    expect(gateway.textsTo(sms)).toHaveLength(2);
    expect(await replies(sms, '1', 'd')).toMatch(/^Mehrere Einnahmen warten auf eine Antwort/);
    expect([...(await statementsOf(one)), ...(await statementsOf(answered))]).toEqual([]);
    // whoever needs help gets it at once, once, of the newest one
    expect(await replies(sms, '4', 'f')).toMatch(/Ihre Antwort: Hilfe\. Die anderen des Plans/);
    await replies(sms, '4', 'f');
    await harness.pass(1);
    const calls = gateway.textsTo(carer);
    expect(calls).toEqual([expect.stringMatching(/^Help is needed\n/)]);
    expect(calls[0]).toContain('(red)');
    expect(gateway.textsTo(sms)).toHaveLength(2);
    // once one of them is answered by its link, the digit says what became of the other
    const link = /http:\/\/support\.example(\/a\/[\w.-]+)/.exec(gateway.textsTo(sms)[1]!)![1]!;
    await http().post(`${link}/taken`).type('form').send('').expect(200);
    expect(await replies(sms, '3', 'e')).toContain('Ihre Antwort: ausgelassen.');
    expect(await statementsOf(one)).toMatchObject([{ kind: 'skipped', reason: 'other' }]);
    // a reply that comes again is about the dose that it was about, also once another one is open
    await staff().put('/v1/contacts/two-carer').send(verified({ sms })).expect(201);
    const next = await lateDose('two-carer', 'green');
    expect(await replies(sms, '3', 'e')).toContain('(endet auf ');
    expect(await statementsOf(next)).toEqual([]);
  });

  it('about a dose that the bottle has measured are not what a digit answers', async () => {
    const sms = '+4915100000044';
    const escalation = [
      { remind: '0m', to: 'user' },
      { after: '0m', to: 'user' },
    ];
    await addUser('reminded', { sms, escalation });
    const times = [new Date(harness.clock.now().getTime() + 2 * MINUTE_MS).toISOString().slice(11, 16)];
    const schedule = { kind: 'times_of_day', times };
    const taken = await harness.register({ user_id: 'reminded', time_zone: 'UTC', schedule });
    await harness.pass(3, () => taken.post('/v1/heartbeats').expect(204));
    expect(gateway.textsTo(sms)).toHaveLength(1);
    await harness.open(taken);
    await harness.close(taken, 1, 24);
    await harness.pass(1);
    expect(await replies(sms, '1')).toBe('No dose is waiting for an answer. Nothing was recorded.');
    const late = await lateDose('reminded', 'red');
    expect(await replies(sms, '1')).toContain('You answered: taken. It is recorded. ');
    expect(await statementsOf(taken)).toEqual([]);
    expect(await statementsOf(late)).toMatchObject([{ kind: 'taken' }]);
  });

  it('about a dose of which somebody else has stated what became of it wait for no digit', async () => {
    const sms = '+4915100000045';
    await addUser('stated', { sms });
    const bottle = await lateDose('stated', 'blue');
    const statement = { scheduled_at: bottle.due.toISOString(), kind: 'taken', attested_by: 'carer' };
    await staff().post(`/v1/bottles/${bottle.id}/attestations`).send(statement).expect(201);
    await harness.pass(1);
    expect(await replies(sms, '3')).toBe('No dose is waiting for an answer. Nothing was recorded.');
    expect(await statementsOf(bottle)).toMatchObject([{ kind: 'taken' }]);
  });

  it('of a number that is no longer the recipient’s take no digits', async () => {
    const sms = '+4915100000042';
    await addUser('moved', { sms });
    const bottle = await lateDose('moved', 'blue');
    expect(gateway.textsTo(sms)).toHaveLength(1);
    await staff()
      .put('/v1/contacts/moved')
      .send(verified({ sms: '+4915100000043' }))
      .expect(200);
    expect(await replies(sms, '1')).toBe('');
    expect(await statementsOf(bottle)).toEqual([]);
  });

  it('to one number have one limit, whoever has it', async () => {
    const sms = '+4915100000018';
    for (let count = 0; count < 5; count += 1) await openBottle({ sms });
    await harness.pass(6);
    expect(gateway.textsTo(sms)).toHaveLength(3);
    await harness.pass(60);
    expect(gateway.textsTo(sms)).toHaveLength(5);
  });

  it('ask a number, too, if a notifier without a gateway finds it first', async () => {
    const sms = '+4915100000019';
    const mail = { SMTP_URL: harness.mail.url, SMTP_ALLOW_PLAIN: 'true' };
    const without = await startNotifier(harness.database.uri, harness.clock, { ...LINKS, ...mail });
    try {
      await staff().put('/v1/contacts/asked').send({ sms }).expect(201);
      await without.app.get(AddressVerification).run();
      harness.clock.advance(10 * MINUTE_MS);
      await harness.notifier.app.get(AddressVerification).run();
      expect(gateway.textsTo(sms)).toEqual([expect.stringContaining('press its button')]);
    } finally {
      await without.app.close();
    }
  });
});
