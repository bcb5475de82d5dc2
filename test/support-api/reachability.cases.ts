import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { startNotifier, type TestNotifier } from '../../tools/harness/services.js';
import { Support } from './support.js';

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:1', SMTP_ALLOW_PLAIN: 'true' };
const EMAIL = { email: 'will@example.org', email_verified: true };

describe('a contact', () => {
  let support: Support;
  const running: TestNotifier[] = [];

  beforeEach(async () => {
    support = await Support.start('reachability');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ app }) => app.close()));
    await support?.stop();
  });

  /** A notifier with these settings, which has recorded that it runs. */
  async function notifier(env: Record<string, string> = {}): Promise<TestNotifier> {
    const started = await startNotifier(support.database.uri, support.clock, env);
    running.push(started);
    await beat(started);
    return started;
  }
  const beat = ({ app }: TestNotifier): Promise<void> =>
    app.get(CoverageGaps).recordChecks(support.clock.now());
  const stop = (one: TestNotifier): Promise<void> => running.splice(running.indexOf(one), 1)[0]!.app.close();
  const put = async (body: object) => {
    const { body: put } = await support.call('put', '/v1/contacts/willcross1024', body);
    const { body: got } = await support.get('/v1/contacts/willcross1024');
    expect(got).toEqual(put);
    return got;
  };

  it('says whom each step of the plan reaches, and where, by the rule by which messages are sent', async () => {
    await put({
      name: 'Will',
      sms: '+4915100000000',
      sms_verified: true,
      carer: { name: 'Jonas', email: 'jonas@example.org' },
      escalation: [
        { after: '0m', to: 'user' },
        { after: '30m', to: 'carer', repeat: '1h', kinds: ['missed_dose'] },
      ],
    });
    const plan = async () => (await support.get('/v1/contacts/willcross1024/plan')).body.steps;
    expect(await plan()).toMatchObject([{ goes_to: null, reason: 'no_notifier', addresses: [] }, {}]);
    await notifier({ ...SMTP, SMS_URL: 'http://a:b@127.0.0.1:1/' });
    const sms = [{ channel: 'sms', address: '+4915100000000' }];
    expect(await plan()).toEqual([
      {
        after: '0m',
        remind: null,
        repeat: null,
        kinds: [],
        to: 'user',
        named: 'Will',
        goes_to: 'user',
        name: 'Will',
        addresses: sms,
        reason: null,
        at: null,
      },
      {
        after: '30m',
        remind: null,
        repeat: '1h',
        kinds: ['missed_dose'],
        to: 'carer',
        named: 'Jonas',
        goes_to: 'user',
        name: 'Will',
        addresses: sms,
        reason: 'email_unverified',
        at: null,
      },
    ]);
    // another notifier without a gateway: any of them may send
    await notifier(SMTP);
    expect(await plan()).toMatchObject([
      {
        goes_to: 'operator',
        name: null,
        addresses: [{ channel: 'console', address: null }],
        reason: 'sms_not_set_up',
      },
      { goes_to: 'operator', reason: 'email_unverified' },
    ]);
  });

  it('says when each step of the plan is sent of a dose that is late, after the quiet hours of who gets it', async () => {
    await put({
      name: 'Will',
      time_zone: 'Europe/Berlin',
      ...EMAIL,
      carer: {
        name: 'Jonas',
        email: 'jonas@example.org',
        time_zone: 'America/New_York',
        quiet_hours: { from: '22:00', to: '07:00' },
        email_verified: true,
      },
      escalation: [
        { after: '30m', to: 'carer' },
        { after: '0m', to: 'user' },
        { remind: '0m', to: 'user' },
        { after: '0m', to: 'user', kinds: ['battery_low'] },
        { after: '6h', to: 'carer' },
      ],
    });
    await notifier(SMTP);
    const plan = async (query = '') =>
      (await support.get(`/v1/contacts/willcross1024/plan${query}`)).body.steps.map(
        ({ at }: { at: string | null }) => at,
      );
    expect(await plan()).toEqual([null, null, null, null, null]);
    // 03:30 in New York
    expect(await plan('?late_at=2026-03-02T08:00:00Z')).toEqual([
      '2026-03-02T12:00:00.000Z',
      '2026-03-02T08:00:00.000Z',
      null,
      null,
      '2026-03-02T14:00:00.000Z',
    ]);
    expect((await support.get('/v1/contacts/willcross1024/plan?late_at=soon')).status).toBe(400);
  });

  it.each<[string, object, Record<string, string>, object]>([
    ['a webhook', { webhook: true }, {}, { reachable: true }],
    ['a verified address and a mail server', EMAIL, SMTP, { reachable: true }],
    [
      'a verified address and no mail server',
      EMAIL,
      {},
      { reachable: false, unreachable_reason: 'email_not_set_up', messages_go_to: 'operator' },
    ],
    [
      'an address that is not verified',
      { email: 'will@example.org' },
      SMTP,
      { reachable: false, unreachable_reason: 'email_unverified', messages_go_to: 'operator' },
    ],
    [
      'a verified number and no gateway',
      { sms: '+4915100000000', sms_verified: true },
      SMTP,
      { reachable: false, unreachable_reason: 'sms_not_set_up', messages_go_to: 'operator' },
    ],
    [
      'a number that is not verified',
      { sms: '+4915100000000' },
      { SMS_URL: 'http://a:b@127.0.0.1:1/' },
      { reachable: false, unreachable_reason: 'sms_unverified', messages_go_to: 'operator' },
    ],
    [
      'a phone only',
      { phone: '+49 30 123456' },
      SMTP,
      { reachable: false, unreachable_reason: 'no_address', messages_go_to: 'operator' },
    ],
  ])('with %s says whether messages reach the user', async (_, body, env, expected) => {
    await notifier(env);
    const shown = await put(body);
    const { reachable, unreachable_reason, messages_go_to } = shown;
    expect({ reachable, unreachable_reason, messages_go_to }).toEqual({
      unreachable_reason: undefined,
      messages_go_to: undefined,
      ...expected,
    });
    // whoever changes a field of what was read sends all of it
    expect((await put({ ...shown, name: 'Will' })).reachable).toBe(reachable);
    expect((await support.get('/v1/people/willcross1024')).body.contact).toMatchObject(expected);
  });

  it('says of the carer, too, and who gets the messages instead, by the steps of the plan', async () => {
    await notifier();
    const email = 'kay@example.org';
    expect(await put({ webhook: true, carer: { email } })).toMatchObject({
      reachable: true,
      carer: { reachable: false, unreachable_reason: 'email_unverified', messages_go_to: 'user' },
    });
    const carer = { webhook: true };
    expect(await put({ ...EMAIL, carer })).toMatchObject({
      messages_go_to: 'operator',
      carer: { reachable: true },
    });
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '30m', to: 'carer' },
    ];
    expect(await put({ ...EMAIL, carer, escalation })).toMatchObject({ messages_go_to: 'carer' });
  });

  it('is reachable if every notifier that runs reaches it; one that stopped does not count', async () => {
    expect(await put(EMAIL)).toMatchObject({ reachable: false, unreachable_reason: 'no_notifier' });
    const [withMail, without] = [await notifier(SMTP), await notifier()];
    expect(await put(EMAIL)).toMatchObject({ reachable: false, unreachable_reason: 'email_not_set_up' });
    await stop(without);
    expect(await put(EMAIL)).toMatchObject({ reachable: true });
    // as if it were killed: nothing ends its record
    support.clock.advance(59_999);
    expect(await put(EMAIL)).toMatchObject({ reachable: true });
    support.clock.advance(1);
    expect(await put(EMAIL)).toMatchObject({ reachable: false, unreachable_reason: 'no_notifier' });
    await beat(withMail);
    expect(await put(EMAIL)).toMatchObject({ reachable: true });
  });

  it('whose address the mail server refused for good is not reachable for a day, until that address is another', async () => {
    await notifier(SMTP);
    await put(EMAIL);
    const at = support.clock.now();
    const refused = { email: { at, last_at: at, by: 'mail.example.org', reply: '550 5.1.1 unknown' } };
    await support.database.db
      .collection('contacts')
      .updateOne({ _id: 'willcross1024' as never }, { $set: { refused } });
    const shown = await put(EMAIL);
    expect(shown).toMatchObject({
      reachable: false,
      unreachable_reason: 'email_refused',
      messages_go_to: 'operator',
      email_health: {
        state: 'refused',
        since: at.toISOString(),
        by: 'mail.example.org',
        reply: '550 5.1.1 unknown',
      },
    });
    expect(await put({ ...EMAIL, webhook: true })).toMatchObject({ reachable: true });
    const other = { email: 'cross@example.org', email_verified: true };
    expect(await put(other)).toMatchObject({ reachable: true, email_health: { state: 'verified' } });
    expect(await put({ email: 'third@example.org' })).toMatchObject({
      email_health: { state: 'unverified', since: support.clock.now().toISOString() },
    });
  });

  it('warns while no bottle has its user_id', async () => {
    expect((await put({ webhook: true })).warnings).toMatchObject([{ code: 'no_bottles' }]);
    await support.register();
    expect((await put({ webhook: true })).warnings).toEqual([]);
  });
});
