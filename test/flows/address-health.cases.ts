import { HOUR_MS } from '#domain';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { RefusalSummary } from '../../apps/notifier/src/delivery/refusal-summary.js';
import { TestMessages } from '../../apps/notifier/src/delivery/test-messages.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { Harness } from '../../tools/harness/harness.js';
import { verified } from '../../tools/harness/verified.js';

describe('an address that refuses messages', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await Harness.start('address-health', '2026-03-02T09:00:00Z');
  });
  afterAll(() => harness?.stop());
  beforeEach(() => {
    harness.mail.refused.clear();
    harness.mail.mails.length = 0;
  });

  const staff = () => asAdmin(harness.support);
  const mailsTo = (address: string): string[] =>
    harness.mail.mails.filter(({ to }) => to.includes(address)).map(({ subject }) => subject);
  const contactOf = async (user: string) => (await staff().get(`/v1/contacts/${user}`).expect(200)).body;
  const messagesOf = async (user: string) =>
    (await staff().get(`/v1/people/${user}/messages`).expect(200)).body.items;

  /** The notifier records that it runs. */
  const runs = () => harness.notifier.app.get(CoverageGaps).recordChecks(harness.clock.now());

  /** What is refused is looked at again, goes to the next person, and is sent. */
  async function passOn(): Promise<void> {
    await harness.pass(6);
    for (let run = 0; run < 3; run += 1) await harness.notifier.deliver();
  }

  async function openBottle(user: string, contact?: object): Promise<TestBottle> {
    if (contact) await staff().put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);
    const bottle = await harness.register({ user_id: user });
    await harness.open(bottle);
    return bottle;
  }

  it('brings the next person of the plan forward at once, and is shown; a later success heals it', async () => {
    const contact = {
      email: 'ann@example.test',
      carer: { email: 'carl@example.test' },
      escalation: [
        { after: '0m', to: 'user' },
        { after: '2h', to: 'carer' },
      ],
    };
    harness.mail.refused.set('ann@example.test', '550 5.1.1 No such user');
    const bottle = await openBottle('ann', contact);
    await passOn();
    expect(mailsTo('carl@example.test')).toEqual(['Bottle left open']);
    expect(await messagesOf('ann')).toMatchObject([
      {
        recipient: 'carer:ann',
        status: 'delivered',
        address: 'carl@example.test',
        attempts: [
          { ok: false, status: 550, address: 'ann@example.test' },
          { ok: true, address: 'carl@example.test' },
        ],
      },
    ]);
    await runs();
    expect(await contactOf('ann')).toMatchObject({
      email_health: { state: 'refused', by: '127.0.0.1', reply: '550 5.1.1 No such user' },
      unreachable_reason: 'email_refused',
      messages_go_to: 'carer',
      carer: { email_health: { state: 'verified' } },
    });
    expect((await staff().get('/v1/people/ann')).body.contact.email_health.state).toBe('refused');
    await harness.close(bottle);
    await harness.pass(2);
    expect(mailsTo('carl@example.test')).toEqual(['Bottle left open', 'All clear: bottle closed']);

    // for a day nothing is tried there; a change of something else does not forget it
    await staff()
      .put('/v1/contacts/ann')
      .send({ ...(await contactOf('ann')), name: 'Ann' })
      .expect(200);
    harness.mail.refused.clear();
    await harness.open(bottle);
    await harness.pass(6);
    expect(mailsTo('ann@example.test')).toEqual([]);
    expect(mailsTo('carl@example.test')).toHaveLength(3);
    await harness.close(bottle);
    await harness.pass(2);

    await staff().post('/v1/contacts/ann/test').send({ to: 'user', channel: 'email' }).expect(202);
    await harness.notifier.app.get(TestMessages).run();
    await runs();
    expect(await contactOf('ann')).toMatchObject({ email_health: { state: 'verified' }, reachable: true });
    await harness.open(bottle);
    await harness.pass(6);
    expect(mailsTo('ann@example.test')).toEqual(['Test message', 'Bottle left open']);
    await harness.close(bottle);
    await harness.pass(2);
  });

  it('of somebody whom nobody follows brings the operator forward, and is tried again after a day', async () => {
    harness.mail.refused.set('ben@example.test', '552 5.2.2 Mailbox full');
    const bottle = await openBottle('ben', { email: 'ben@example.test' });
    await passOn();
    expect(harness.receiver.received(bottle.id)).toEqual(['bottle_open raised']);
    const { since } = (await contactOf('ben')).email_health;
    await harness.close(bottle);
    await harness.pass(2);

    harness.clock.advance(24 * HOUR_MS);
    await harness.coverage.record();
    await harness.open(bottle);
    await passOn();
    // refused once more: the operator hears of it all the same, and it is the same problem
    expect(harness.receiver.received(bottle.id).at(-1)).toBe('bottle_open raised');
    expect((await contactOf('ben')).email_health).toMatchObject({ state: 'refused', since });
    await harness.close(bottle);
    await harness.pass(2);

    harness.clock.advance(24 * HOUR_MS);
    await harness.coverage.record();
    harness.mail.refused.clear();
    await harness.open(bottle);
    await harness.pass(6);
    expect(mailsTo('ben@example.test')).toEqual(['Bottle left open']);
    expect((await contactOf('ben')).email_health.state).toBe('verified');
  });

  it('is another one when staff enter another; of past messages the list shows where they went', async () => {
    const bottle = await openBottle('cleo', { email: 'cleo@example.test' });
    await harness.pass(6);
    await staff()
      .put('/v1/contacts/cleo')
      .send(verified({ email: 'cleo2@example.test' }))
      .expect(200);
    await harness.close(bottle);
    await harness.pass(2);
    const shown = (await messagesOf('cleo')).map(({ address }: { address: string }) => address);
    expect(shown).toEqual(['cleo2@example.test', 'cleo@example.test']);
    harness.mail.refused.set('cleo2@example.test', '550 no');
    await harness.open(bottle);
    await harness.pass(6);
    expect((await contactOf('cleo')).email_health.state).toBe('refused');
    await staff()
      .put('/v1/contacts/cleo')
      .send(verified({ email: 'cleo@example.test' }))
      .expect(200);
    expect((await contactOf('cleo')).email_health.state).toBe('verified');
  });

  it('is in one summary for the operator at six the next morning, once', async () => {
    const summary = harness.notifier.app.get(RefusalSummary);
    const summaries = () => harness.receiver.requests.filter(({ type }) => type === 'addresses.refused');
    await summary.run();
    harness.receiver.requests.length = 0;
    const refused = ['dora', 'emil', 'finn'];
    const bottles: TestBottle[] = [];
    for (const user of refused) {
      harness.mail.refused.set(`${user}@example.test`, `550 5.1.1 <${user}@example.test> unknown`);
      bottles.push(await openBottle(user, { email: `${user}@example.test` }));
      await harness.pass(6);
    }
    // healed before anybody was notified: no problem
    await staff()
      .put('/v1/contacts/finn')
      .send(verified({ email: 'finn2@example.test' }))
      .expect(200);
    const six = new Date(harness.clock.now());
    six.setUTCHours(30, 0, 0, 0);
    harness.clock.set(new Date(six.getTime() - 1));
    await summary.run();
    expect(summaries()).toEqual([]);
    harness.clock.set(six);
    harness.receiver.behaviour = 'fails';
    await summary.run();
    harness.receiver.behaviour = 'works';
    await summary.run();
    await summary.run();
    expect(summaries()).toHaveLength(1);
    const { addresses } = summaries()[0]!.data as unknown as { addresses: Record<string, string>[] };
    expect(addresses.map(({ user_id, role, channel, reply }) => [user_id, role, channel, reply])).toEqual([
      ['dora', 'user', 'email', '550 5.1.1 <...> unknown'],
      ['emil', 'user', 'email', '550 5.1.1 <...> unknown'],
    ]);

    // refused again a day later: the same problem
    await harness.close(bottles[0]!);
    await harness.pass(2);
    harness.clock.advance(24 * HOUR_MS);
    await harness.coverage.record();
    await harness.open(bottles[0]!);
    await passOn();
    expect(harness.receiver.received(bottles[0]!.id).at(-1)).toBe('bottle_open raised');
    harness.clock.advance(24 * HOUR_MS);
    await summary.run();
    expect(summaries()).toHaveLength(1);
  });

  it('is erased with its person, and what was sent there with them', async () => {
    harness.mail.refused.set('gus@example.test', '550 5.1.1 unknown');
    await openBottle('gus', { email: 'gus@example.test' });
    await harness.pass(6);
    await staff()
      .delete('/v1/people/gus')
      .expect(({ status }) => expect(status).toBeLessThan(300));
    for (const name of ['contacts', 'deliveries', 'alerts'])
      for await (const document of harness.database.db.collection(name).find())
        expect(JSON.stringify(document)).not.toContain('gus@example.test');
  });
});
