import { alertIdOf } from '#domain';
import { signLink } from '#platform';
import { Types } from 'mongoose';
import { createHash } from 'node:crypto';
import supertest from 'supertest';
import { forged } from '../../tools/harness/forged.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { type Answer, NOW, Support } from './support.js';

describe('the page behind the link of a message about a dose', () => {
  const LINK_SECRET = 'a-secret-of-links-for-tests-0123456789';
  const SLOT = at(-60);
  const DAILY = { kind: 'times_of_day', times: ['12:00'] };
  const REASONS = [
    'forgotten',
    'felt better',
    'a side effect',
    'no pills left',
    'on medical advice',
    'not needed',
    'not at home',
    'another reason',
  ];
  let support: Support;
  let users = 0;

  beforeAll(async () => {
    support = await Support.start('statement-links', {
      LINK_SECRET,
      PUBLIC_URL: 'https://pills.example.org',
      OPERATOR_NAME: 'Apotheke <Süd> & Co',
      OPERATOR_COLOR: '#ffd500',
      OPERATOR_LOGO_URL: 'https://south.example.org/logo.png',
      OPERATOR_PHONE: '+49 30 123456',
      OPERATOR_IMPRINT_URL: 'https://south.example.org/imprint',
    });
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  /** A late dose, of which the carer got a message with a link an hour ago. */
  async function followed(
    alert: object = {},
    who: 'carer' | 'user' | 'operator' = 'carer',
    {
      name,
      label,
      event = 'raised',
      language,
    }: { name?: string; label?: string; event?: string; language?: string } = {},
  ): Promise<{
    id: string;
    user: string;
    path: string;
    alert: string;
    get: (headers?: Record<string, string>) => Promise<Answer>;
    post: (statement: string, form?: string) => Promise<Answer>;
    entries: () => Promise<object[]>;
  }> {
    const user = `user-${(users += 1)}`;
    support.clock.set(at(-24 * 60));
    const { id } = await support.register({ user_id: user, schedule: DAILY, ...(label && { label }) });
    support.clock.set(NOW);
    const contact = {
      ...(name && { name }),
      ...(language && { language }),
      time_zone: 'Europe/Berlin',
      webhook: true,
      email: 'fiona@example.org',
      email_verified: true,
      carer: { email: 'fiona@example.org', email_verified: true },
    };
    await support.call('put', `/v1/contacts/${user}`, contact);
    const bottle_id = new Types.ObjectId(id);
    const evidence = { rule: 'late_after', missed_at: at(180) };
    const late = { bottle_id, user_id: user, kind: 'missed_dose', subject: SLOT.toISOString(), evidence };
    const [alertId] = await insertAlerts(support, [{ ...late, ...alert }]);
    const [delivery_id] = await insertDeliveries(support, [
      {
        bottle_id,
        alert_id: new Types.ObjectId(alertId),
        kind: 'missed_dose',
        event,
        recipient: who === 'operator' ? who : `${who}:${user}`,
        channel: 'email',
      },
    ]);
    const claim = { id: delivery_id!, expires_at: at(60 * 24 * 3) };
    const path = `/a/${signLink(LINK_SECRET, claim, 'fiona@example.org')}`;
    const server = supertest(support.app.getHttpServer());
    return {
      id,
      user,
      path,
      alert: alertId!,
      get: (headers = {}) => server.get(path).set(headers),
      post: (statement, form = '') => server.post(`${path}/${statement}`).type('form').send(form),
      entries: () => support.database.db.collection('attestations').find({ bottle_id }).toArray(),
    };
  }
  const byNumber = (one: number, other: number): number => one - other;
  const labelsIn = (text: string): (string | undefined)[] =>
    [...text.matchAll(/<button type="submit">(.*?)<\/button>/g)].map(([, label]) => label);
  const helpIn = (text: string): string => /(help-\d+)"/.exec(text)![1]!;
  const laterIn = (text: string): string => /(later-\d+)"/.exec(text)![1]!;

  it('offers what can be stated, and changes nothing however often it is opened', async () => {
    const { path, get } = await followed();
    const { text } = await get();
    expect(labelsIn(text)).toEqual([
      'It was taken',
      'It will be taken at 13:15',
      'It will be taken at 13:45',
      'It will be taken at 14:45',
      'Record it',
      ...REASONS,
      'Record it',
      'Those of this dose are in a pillbox',
      'They are in a pillbox until Sunday 8 March, 12:00 CET',
      'I need help',
      'I am taking care of it',
    ]);
    const before = await support.stored();
    const server = supertest(support.app.getHttpServer());
    const pages = ['', '/taken', '/pillbox-week', `/${laterIn(text)}`, `/${helpIn(text)}`];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const page = `${path}${pages[index % pages.length]!}`;
        return index % 2 ? server.head(page) : server.get(page);
      }),
    );
    expect(await support.stored()).toBe(before);
  });

  it('says which dose it is, in words for whom it was sent to, and names the zone', async () => {
    const dose = 'The dose of Sunday 1 March, ';
    const carer = await followed();
    expect((await carer.get()).text).toContain(`${dose}12:00 CET.`);
    const user = (await (await followed({}, 'user')).get()).text;
    for (const text of [
      `${dose}12:00 CET.`,
      '>I took it<',
      '>I will take it at 13:15<',
      '<summary>I am skipping it: reason …</summary>',
    ])
      expect(user).toContain(text);
    const operator = (await (await followed({}, 'operator')).get()).text;
    for (const text of [`${dose}11:00 UTC.`, '>It was taken<', '>It will be taken at 12:15 UTC<'])
      expect(operator).toContain(text);
  });

  it('says whose dose it is, and of which bottle: of two that are due at once, no page can be taken for the other', async () => {
    const named = { name: 'Anna Schmidt', label: 'blue, kitchen' };
    const [blue, other] = [
      await followed({}, 'carer', named),
      await followed({}, 'carer', { name: named.name }),
    ];
    const [ofBlue, ofOther] = [(await blue.get()).text, (await other.get()).text];
    const end = (id: string) => id.slice(-6);
    expect(ofBlue).toMatch(
      new RegExp(`<dd>Anna Schmidt</dd>[^]*<dd>blue, kitchen \\(ends in ${end(blue.id)}\\)</dd>`),
    );
    expect(ofOther).toContain(`<dd>ends in ${end(other.id)}</dd>`);
    expect(ofOther).not.toContain('blue');
    // MAIL_NAMES_MEDICATION is not set; the operator knows
    expect(ofBlue).not.toContain('Cordrazine');
    expect((await (await followed({}, 'operator')).get()).text).toContain('<dd>Cordrazine</dd>');
  });

  it('says what its message says, or what became of the dose since, and what is known of it', async () => {
    const evidence = {
      rule: 'late_after',
      missed_at: at(-1),
      pills_scheduled: 2,
      pills_taken: 1,
      part_taken_at: at(-50),
      open_at_end_since: at(-50),
    };
    const titled = async (alert: object, event = 'raised') =>
      /<h1>(.*)<\/h1>/.exec((await (await followed(alert, 'carer', { event })).get()).text)?.[1];
    const ended = (outcome: string) => ({
      state: 'resolved',
      open: undefined,
      evidence: { ...evidence, outcome },
    });
    expect(await titled({}, 'escalated')).toBe('Reminder: dose still not taken');
    expect(await titled(ended('missed'), 'missed')).toBe('Dose missed');
    expect(await titled(ended('missed'))).toBe('Dose missed');
    expect(await titled(ended('unknown'), 'unknown')).toBe('Rest of the dose cannot be confirmed');
    const { text } = await (await followed(ended('partial'), 'carer', { event: 'partial' })).get();
    for (const line of [
      '1 of 2 pills of this dose were removed: Sunday 1 March, 12:10 CET.',
      'It was open from Sunday 1 March, 12:10 CET on: the pills may have been taken.',
      'The bottle has never reported.',
      'Whether pills were taken from elsewhere, such as a pillbox, is not known.',
    ])
      expect(text).toContain(`<li>${line}</li>`);
    expect(text).not.toContain('no pills removed');
  });

  it.each([
    ['missed_dose', 'resolved', 'taken_late', 'All clear: late dose taken'],
    ['missed_dose', 'retracted', 'taken_on_time', 'Correction: the dose was taken'],
    ['coverage_gap', 'retracted', 'taken_late', 'Correction: the dose was taken'],
    ['dose_reminder', 'resolved', 'taken_on_time', 'Dose taken'],
  ])(
    'says of the %s that is %s that the dose was taken, also while help is asked for: it is not taken again',
    async (kind, state, outcome, title) => {
      const before = { scheduled_at: SLOT, late_at: at(-1), missed_at: at(180), pills_scheduled: 1 };
      const gap = { rule: 'coverage_grace', from: at(-90), until: at(-30) };
      const evidence = { ...before, ...(kind === 'coverage_gap' ? gap : { rule: 'slot', pills_taken: 0 }) };
      const { get, post, alert } = await followed({ kind, evidence }, 'user', { event: 'escalated' });
      expect((await post(helpIn((await get()).text))).status).toBe(200);
      const measured =
        kind === 'dose_reminder'
          ? { outcome, over: 'taken' }
          : { outcome, pills_taken: 1, taken_at: at(-10) };
      await support.database.db
        .collection('alerts')
        .updateOne(
          { _id: new Types.ObjectId(alert) },
          { $set: { state, evidence: { ...evidence, ...measured } }, $unset: { open: '' } },
        );
      const { text } = await get();
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(
        kind === 'dose_reminder'
          ? '<li>It reported all pills of this dose removed.</li>'
          : '<li>1 of 1 pills of this dose were removed: Sunday 1 March, 12:50 CET.</li>',
      );
      expect(text).not.toContain('no pills removed');
      expect(text).toContain('>I no longer need help<');
    },
  );

  it.each([
    [
      'resolved',
      { outcome: 'taken_late', pills_taken: 1, taken_at: at(-10) },
      'Dose taken',
      'removed: Sunday',
    ],
    ['resolved', { outcome: 'missed', pills_taken: 0 }, 'Dose missed', 'no pills removed'],
    ['open', { pills_taken: 0 }, 'Reminder: dose still not taken', 'no pills removed'],
  ])(
    'says of a dose that was reminded of, and then late, what is known since: %s, %j',
    async (state, ended, title, known) => {
      const of = { scheduled_at: SLOT, late_at: at(-15), missed_at: at(180), pills_scheduled: 1 };
      const reminder = { kind: 'dose_reminder', state: 'resolved', open: undefined };
      const { get, id, user } = await followed(
        { ...reminder, evidence: { ...of, rule: 'slot', pills_taken: 0, over: 'late' } },
        'user',
        { event: 'escalated' },
      );
      const bottle_id = new Types.ObjectId(id);
      const kind = 'missed_dose';
      await insertAlerts(support, [
        {
          _id: new Types.ObjectId(alertIdOf({ bottle: { _id: bottle_id }, kind, cause: SLOT })),
          bottle_id,
          user_id: user,
          kind,
          subject: SLOT.toISOString(),
          state,
          evidence: { ...of, rule: 'late_after', ...ended },
        },
      ]);
      const { text } = await get();
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(known);
      expect(text.includes('no pills removed')).toBe(known === 'no pills removed');
    },
  );

  it('is titled by what people say of the dose, also once it is missed, and shows all of it, and which of it can be undone', async () => {
    const { id, alert, get, post } = await followed({}, 'user', { name: 'Anna' });
    const titleIn = ({ text }: Answer) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
    await post('taken');
    expect(titleIn(await get())).toBe('Dose reported taken');
    support.clock.set(at(1));
    await support.post(`/v1/bottles/${id}/attestations`, {
      scheduled_at: SLOT.toISOString(),
      kind: 'skipped',
      reason: 'away',
      attested_by: 'carer',
    });
    await support.database.db
      .collection('alerts')
      .updateOne(
        { _id: new Types.ObjectId(alert) },
        { $set: { state: 'resolved', 'evidence.outcome': 'missed' }, $unset: { open: '' } },
      );
    const page = await get();
    expect(titleIn(page)).toBe('Dose reported skipped');
    const on = 'on Sunday 1 March, 13:0';
    for (const text of [
      `<p>The carer (recorded by staff) reported it skipped (not at home), ${on}1 CET.</p>`,
      `<p>Anna reported it taken, ${on}0 CET. You can undo your answer until 14:00.</p>`,
    ])
      expect(page.text).toContain(text);
  });

  it('is in the language of the contact or the browser, and carries the operator’s name, logo, phone and imprint', async () => {
    const { get, post } = await followed({}, 'user', { label: '<b>' });
    const german = await get({ 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' });
    for (const text of [
      '<html lang="de">',
      '<h1>Einnahme noch nicht erfolgt</h1>',
      '>Ich habe sie genommen<',
      'Die Einnahme von Sonntag, 1. März, 12:00 MEZ.',
      '<img src="https://south.example.org/logo.png" alt=""',
      'Apotheke &#60;Süd&#62; &#38; Co',
      '<dd>&#60;b&#62; (endet auf ',
      '<a href="tel:+4930123456">Fragen? Rufen Sie an: +49 30 123456</a>',
      '<a href="https://south.example.org/imprint">Impressum</a>',
    ])
      expect(german.text).toContain(text);
    const { headers } = german as Answer & { headers: Record<string, string> };
    const policy = headers['content-security-policy']!;
    const [, style] = /<style>(.*)<\/style>/s.exec(german.text)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src https://south.example.org/logo.png',
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    // yellow: the text on it is black
    expect(style).toContain('.main button{background:#ffd500;color:#000000');
    expect(german.text).not.toContain('<script');
    expect((await get({ 'accept-language': 'fr' })).text).toContain('<html lang="en">');
    const ofContact = await followed({}, 'user', { language: 'de' });
    expect((await ofContact.get({ 'accept-language': 'en' })).text).toContain('<html lang="de">');
    expect((await post('taken')).text).toContain('Thank you');
  });

  it('takes when and from where a dose was taken, by the clock of its recipient, and why it is skipped, in words', async () => {
    const { post, entries } = await followed();
    // it is 13:00 in Berlin; the window of the dose began at 10:00
    for (const [time, status] of [
      ['09:59', 400],
      ['13:01', 400],
      ['noon', 400],
    ] as const)
      expect((await post('taken', `at=${time}`)).status).toBe(status);
    expect(await entries()).toEqual([]);
    expect((await post('taken', 'at=12%3A10&source=elsewhere')).status).toBe(200);
    expect(await entries()).toMatchObject([
      { kind: 'taken', taken_at: at(-50), outcome: 'taken_on_time', source: 'elsewhere' },
    ]);
    const skipped = await followed();
    expect((await skipped.post('skipped-other', 'note=+on+holiday%0Ain+%3CRome%3E+')).status).toBe(200);
    expect(await skipped.entries()).toMatchObject([{ reason: 'other', note: 'on holiday in <Rome>' }]);
    const blank = await followed();
    await blank.post('taken', 'at=&source=nowhere');
    expect((await blank.entries())[0]).not.toHaveProperty('source');
    expect((await blank.entries())[0]).not.toHaveProperty('taken_at');
  });

  it('lets an answer be undone for an hour, by a further entry, once; then another can be given', async () => {
    const { path, get, post, entries, user } = await followed();
    // nothing stands yet
    expect((await post('undo')).status).toBe(303);
    expect((await post('skipped-forgot')).text).toContain('>Undo my answer<');
    const asked = await get();
    expect(asked.text).toContain('>Undo my answer<');
    expect(asked.text).toContain('The carer reported it skipped (forgotten), on Sunday 1 March, 13:00 CET.');
    const before = await support.stored();
    await supertest(support.app.getHttpServer()).get(`${path}/undo`);
    expect(await support.stored()).toBe(before);
    support.clock.set(at(60));
    const undone = await Promise.all([post('undo'), post('undo')]);
    expect(undone.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 303]);
    expect(await entries()).toMatchObject([
      { kind: 'skipped', reason: 'forgot' },
      { kind: 'withdrawn', attested_by: 'carer', recorded_by: `carer:${user}` },
    ]);
    expect((await get()).text).toContain('>It was taken<');
    const again = await Promise.all([post('taken'), post('taken')]);
    expect(again.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 303]);
    expect(await entries()).toHaveLength(3);
    // exactly an hour later it can still be undone, and then no more
    support.clock.set(at(120.02));
    expect((await post('undo')).status).toBe(409);
    expect((await get()).text).not.toContain('Undo');
    support.clock.set(at(120));
    expect((await post('undo')).status).toBe(200);
  });

  it('calls for help once however often it is pressed, shows who takes care of it, and withdraws it for an hour', async () => {
    const { id, get, post, user } = await followed({}, 'user', { name: 'Anna' });
    const calls = () =>
      support.database.db
        .collection('alerts')
        .find({ bottle_id: new Types.ObjectId(id), kind: 'help_requested' })
        .sort({ raised_at: 1 })
        .toArray();
    const press = helpIn((await get()).text);
    const asked = await Promise.all([post(press), post(press), post('help-1')]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await calls()).toMatchObject([
      {
        subject: SLOT.toISOString(),
        state: 'open',
        evidence: { asked_by: 'user' },
        history: [{ event: 'raised', by: `user:${user}` }],
        escalation: [{ after: '0m', to: 'user' }],
        next_step_at: NOW,
      },
    ]);
    expect((await get()).text).toContain('Anna asked for help, on Sunday 1 March, 13:00 CET.');
    const before = await support.stored();
    await get();
    expect(await support.stored()).toBe(before);
    support.clock.set(at(60.02));
    expect((await post('undo-help')).status).toBe(409);
    support.clock.set(at(60));
    expect((await get()).text).toContain('>I no longer need help<');
    const undone = await Promise.all([post('undo-help'), post('undo-help')]);
    expect(undone.some(({ status }) => status === 200)).toBe(true);
    const [first] = await calls();
    expect(first).toMatchObject({ state: 'resolved', end_owed: 'resolved' });
    expect(first!['history']).toHaveLength(2);
    expect((await support.get(`/v1/alerts/${first!._id.toHexString()}`)).body).toMatchObject({
      ended_as: 'withdrawn',
      closing: null,
    });
    expect((await post('undo-help')).status).toBe(303);
    // the same press again is the call that was withdrawn; a new one is another
    expect((await post(press)).status).toBe(303);
    expect(await calls()).toHaveLength(1);
    expect((await post(helpIn((await get()).text))).text).toContain('>I no longer need help<');
    expect(await calls()).toHaveLength(2);
    const operator = await followed({}, 'operator');
    expect((await operator.get()).text).not.toContain('I need help');
    expect((await operator.post(press)).status).toBe(404);
  });

  it('answers that the pills of a dose, or of a week, are in a pillbox, once, and withdraws it for an hour', async () => {
    const { id, get, post, user } = await followed({}, 'user');
    const periods = async () => (await support.get(`/v1/bottles/${id}/periods`)).body.items;
    expect((await post('pillbox')).status).toBe(409);
    const entered = await Promise.all([post('pillbox-dose'), post('pillbox-week')]);
    expect(entered.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 409]);
    expect(await periods()).toMatchObject([
      { reason: 'pillbox', from: SLOT.toISOString(), recorded_by: `user:${user}` },
    ]);
    support.clock.set(at(60.02));
    expect((await post('undo-pillbox')).status).toBe(409);
    support.clock.set(at(60));
    const inPillbox = (await get()).text;
    for (const text of [
      'undo-pillbox"',
      '<h1>Dose expected from a pillbox</h1>',
      '<p>The patient reported its pills in a pillbox, on Sunday 1 March, 13:00 CET. You can undo your answer until 14:00.</p>',
    ])
      expect(inPillbox).toContain(text);
    expect((await post('undo-pillbox')).status).toBe(200);
    expect((await post('undo-pillbox')).status).toBe(303);
    expect(await periods()).toEqual([]);
    expect((await post('pillbox-week')).status).toBe(200);
    expect((await post('pillbox-week')).status).toBe(303);
    expect((await post('pillbox-dose')).status).toBe(409);
    expect(await periods()).toMatchObject([{ to: at(7 * 24 * 60 - 60).toISOString() }]);
  });

  it('answers that pills that were too many are in a pillbox, and withdraws it also when the alert is retracted', async () => {
    const evidence = {
      rule: 'several_doses',
      removed_at: at(-5),
      extra_pills: 7,
      pillbox_until: at(24 * 60),
    };
    const extra = { kind: 'extra_dose', subject: at(-5).toISOString(), evidence };
    const { id, get, post, alert } = await followed(extra, 'user');
    const periods = async () => (await support.get(`/v1/bottles/${id}/periods`)).body.items;
    expect((await post('pillbox')).text).toContain('undo-pillbox"');
    // the notifier has found the period meanwhile
    await support.database.db
      .collection('alerts')
      .updateOne(
        { _id: new Types.ObjectId(alert) },
        { $set: { state: 'retracted', 'evidence.not_monitored': 'pillbox' } },
      );
    const [page, pressed] = [await get(), await post('pillbox')];
    expect(page.text).toContain('undo-pillbox"');
    expect(page.text).not.toContain('/pillbox"');
    expect(pressed.status).toBe(303);
    expect((await post('undo-pillbox')).status).toBe(200);
    expect(await periods()).toEqual([]);
    // it can be answered again
    expect((await get()).text).toContain('/pillbox"');
    expect((await post('pillbox')).status).toBe(200);
    support.clock.set(at(60.02));
    expect((await get()).text).toContain('This alert has ended');
    expect(await periods()).toHaveLength(1);
  });

  it('stops messages to an address that they are not for: only by a POST, once, and staff see it', async () => {
    const { path, get, post, entries, user } = await followed({}, 'user');
    const server = supertest(support.app.getHttpServer());
    const stop = path.replace('/a/', '/s/');
    expect((await get()).text).toContain(`href="../s/${path.slice(3)}"`);
    const contact = async () => (await support.get(`/v1/contacts/${user}`)).body;
    expect((await server.get(stop)).text).toContain('>Stop messages<');
    expect((await contact()).email_verified_at).toBeDefined();
    const body = [
      '--x',
      'content-disposition: form-data; name="List-Unsubscribe"',
      '',
      'One-Click',
      '--x--',
      '',
    ];
    support.clock.set(at(3));
    const posted = await server
      .post(stop)
      .set('content-type', 'multipart/form-data; boundary=x')
      .send(body.join('\r\n'));
    expect([posted.status, posted.text.includes('Messages are stopped')]).toEqual([200, true]);
    // the carer has the same address
    const { email_verified_at: own, email_health, carer } = await contact();
    expect([own, carer.email_verified_at]).toEqual([undefined, undefined]);
    const unverified = { state: 'unverified', since: at(3).toISOString() };
    expect([email_health, carer.email_health]).toEqual([unverified, unverified]);
    expect(await support.database.db.collection('contacts').findOne({ _id: user as never })).toMatchObject({
      verification: { asked: ['fiona@example.org'] },
    });
    expect(
      (await support.get(`/v1/audit?category=change&subject=contact:${user}`)).body.items,
    ).toContainEqual(
      expect.objectContaining({
        action: 'contact.stop',
        who: expect.objectContaining({ kind: 'link', id: `user:${user}` }),
      }),
    );
    // a second time nothing is recorded, and the pages show what is recorded
    const before = await support.stored();
    for (const again of [await server.post(stop), await server.get(stop)]) {
      expect(again.status).toBe(200);
      expect(again.text).toContain('<h1>Messages are stopped</h1>');
      expect(again.text).not.toContain('>Stop messages<');
    }
    expect(await support.stored()).toBe(before);
    for (const page of [await get(), await post('taken')]) {
      expect(page.status).toBe(403);
      expect(page.text).toContain('<h1>Messages are stopped</h1>');
    }
    expect(await entries()).toEqual([]);
    expect((await server.post('/s/x.y.z')).status).toBe(404);
  });

  it('shows what was reported before, and no more once it is withdrawn', async () => {
    const { id, get } = await followed();
    const path = `/v1/bottles/${id}/attestations`;
    const stated = await support.post(path, {
      scheduled_at: SLOT.toISOString(),
      kind: 'taken',
      taken_at: at(-50).toISOString(),
      attested_by: 'user',
    });
    expect((await get()).text).toContain(
      'The patient (recorded by staff) reported on Sunday 1 March, 13:00 CET that it was taken on Sunday 1 March, 12:10 CET.',
    );
    await support.post(`${path}/${stated.body.id}/withdraw`, {});
    expect((await get()).text).not.toContain('reported it');
  });

  it('acknowledges no missed dose whose steps are still to come: that is for staff', async () => {
    const { alert, path, get } = await followed({ state: 'resolved', next_step_at: at(60) }, 'user');
    const missed = await get();
    expect(missed.text).toContain('I took it');
    expect(missed.text).not.toContain('I am taking care of it');
    const posted = await supertest(support.app.getHttpServer()).post(path).type('form').send('');
    expect(posted.text).toContain('This alert has ended');
    const stored = () => support.database.db.collection('alerts').findOne({ _id: new Types.ObjectId(alert) });
    expect(await stored()).toHaveProperty('next_step_at');
    await support.post(`/v1/alerts/${alert}/acknowledge`);
    expect(await stored()).not.toHaveProperty('next_step_at');
  });

  it.each([
    ['taken', { kind: 'taken', outcome: 'taken' }],
    ['skipped-side_effect', { kind: 'skipped', reason: 'side_effect' }],
  ])(
    'records %s by a POST, once: the same again leads to the page, another is refused',
    async (statement, expected) => {
      const { path, post, get, entries, user } = await followed();
      expect(await post(statement)).toMatchObject({
        status: 200,
        text: expect.stringContaining('Thank you'),
      });
      const recorded = [{ ...expected, attested_by: 'carer', recorded_by: `carer:${user}` }];
      expect(await entries()).toMatchObject(recorded);
      const again = (await post(statement)) as Answer & { headers: Record<string, string> };
      const page = `../${path.slice(3)}`;
      expect([again.status, again.headers['location']]).toEqual([303, page]);
      for (const other of ['taken', 'skipped-away'].filter((each) => each !== statement))
        expect(await post(other)).toMatchObject({
          status: 409,
          text: expect.stringContaining(`href="${page}"`),
        });
      // the address that the browser has after a press
      const { status, headers } = await supertest(support.app.getHttpServer()).get(`${path}/${statement}`);
      expect([status, headers['location']]).toEqual([303, page]);
      expect(await entries()).toHaveLength(1);
      expect((await get()).text).not.toContain('It was taken');
    },
  );

  it('of two presses at once one is recorded', async () => {
    const { post, entries } = await followed();
    const answers = await Promise.all([post('taken'), post('skipped-away')]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect(await entries()).toHaveLength(1);
  });

  it('lets reminders wait until the time that is promised, and takes no second promise meanwhile', async () => {
    const { get, post, alert, entries } = await followed();
    const later = laterIn((await get()).text);
    expect(await post(later)).toMatchObject({ status: 200, text: expect.stringContaining('13:15') });
    expect((await support.get(`/v1/alerts/${alert}`)).body).toMatchObject({
      snoozed_until: at(15).toISOString(),
    });
    expect(await entries()).toEqual([]);
    expect((await post(later)).status).toBe(303);
    expect((await post(`${later.slice(0, -2)}99`)).status).toBe(409);
    // it can be withdrawn, and given again
    support.clock.set(at(10));
    expect((await get()).text).toContain('undo-later"');
    expect((await post('undo-later')).status).toBe(200);
    expect((await post('undo-later')).status).toBe(303);
    expect(
      await support.database.db.collection('alerts').findOne({ _id: new Types.ObjectId(alert) }),
    ).toMatchObject({
      state: 'open',
      next_step_at: at(10),
    });
    expect((await post(laterIn((await get()).text))).status).toBe(200);
    support.clock.set(at(16));
    expect((await post(later)).status).toBe(409);
    expect((await post('taken')).status).toBe(200);
  });

  it('keeps a promise while somebody else takes care of the alert: there is no other, and it can be withdrawn', async () => {
    const { get, post, alert } = await followed({}, 'user');
    const later = laterIn((await get()).text);
    await post(later);
    await support.post(`/v1/alerts/${alert}/acknowledge`);
    const { text } = await get();
    expect(text).toContain('Staff is taking care of it');
    expect(text).toContain(
      'You answered on Sunday 1 March, 13:00 CET: it will be taken on Sunday 1 March, 13:15 CET.',
    );
    expect(text).toContain('undo-later"');
    expect(text).not.toContain('I will take it at');
    expect((await post(`later-${Number(later.slice(6)) + 30}`)).status).toBe(409);
    expect((await post('undo-later')).status).toBe(200);
    // whoever takes care of it still does, and nobody is reminded
    const stored = await support.database.db.collection('alerts').findOne({ _id: new Types.ObjectId(alert) });
    expect(stored).toMatchObject({ state: 'acknowledged' });
    expect(stored).not.toHaveProperty('next_step_at');
    const again = (await get()).text;
    expect(again).not.toContain('You answered');
    expect(again).toContain('I will take it at');
  });

  it('can be used for a missed dose, and no more once the bottle measured that it was taken', async () => {
    const ended = (outcome: string) => ({
      state: 'resolved',
      open: undefined,
      evidence: { rule: 'late_after', missed_at: at(-1), outcome },
    });
    const missed = await followed(ended('missed'));
    expect((await missed.get()).text).not.toContain('It will be taken');
    expect((await missed.post('taken')).status).toBe(200);
    const late = await followed(ended('taken_late'));
    expect((await late.get()).text).toContain('This alert has ended');
    expect((await late.post('taken')).status).toBe(409);
    expect(await late.entries()).toEqual([]);
  });

  it('answers that extra pills are in a pillbox, once, while the alert is open', async () => {
    const extra = {
      kind: 'extra_dose',
      subject: at(-30).toISOString(),
      evidence: {
        rule: 'several_doses',
        removed_at: at(-30),
        extra_pills: 7,
        pillbox_until: at(7 * 24 * 60 - 60),
      },
    };
    const { id, get, post, user } = await followed(extra, 'user');
    const periods = async () => (await support.get(`/v1/bottles/${id}/periods`)).body.items;
    const { text } = await get();
    expect(text).toContain('Pills were removed on Sunday 1 March, 12:30 CET');
    expect(text).toContain('They are in a pillbox until Sunday 8 March, 12:00 CET');
    expect(await periods()).toEqual([]);
    expect((await post('pillbox')).status).toBe(200);
    expect((await post('pillbox')).status).toBe(303);
    expect(await periods()).toMatchObject([
      {
        reason: 'pillbox',
        from: at(-30).toISOString(),
        to: at(7 * 24 * 60 - 60).toISOString(),
        recorded_by: `user:${user}`,
      },
    ]);
    const ended = await followed({ ...extra, state: 'resolved', open: undefined });
    expect((await ended.post('pillbox')).text).toContain('has ended');
    expect((await support.get(`/v1/bottles/${ended.id}/periods`)).body.items).toEqual([]);
    const few = await followed({ ...extra, evidence: { ...extra.evidence, pillbox_until: undefined } });
    expect((await few.get()).text).not.toContain('pillbox');
    expect((await few.post('pillbox')).status).toBe(409);
  });

  it('serves for a dose that a coverage gap left unconfirmed, once, and records nothing by GET', async () => {
    const gap = {
      kind: 'coverage_gap',
      state: 'resolved',
      open: undefined,
      evidence: { rule: 'coverage_grace', from: at(-90), until: at(-30) },
    };
    const { id, get, post, entries, user } = await followed(gap);
    const { text } = await get();
    expect(text).toContain('<h1>Doses cannot be confirmed</h1>');
    expect(text).toContain('The dose of Sunday 1 March, 12:00 CET.');
    expect(labelsIn(text)).toEqual([
      'It was taken',
      'Record it',
      ...REASONS,
      'Record it',
      'Those of this dose are in a pillbox',
      'They are in a pillbox until Sunday 8 March, 12:00 CET',
      'I need help',
    ]);
    expect(await entries()).toEqual([]);
    expect((await post('taken')).status).toBe(200);
    expect((await post('skipped-away')).status).toBe(409);
    expect(await entries()).toMatchObject([
      { kind: 'taken', attested_by: 'carer', recorded_by: `carer:${user}`, scheduled_at: SLOT },
    ]);
    expect((await support.get(`/v1/bottles/${id}/attestations`)).body.items).toHaveLength(1);
    // the bottle proved it by now, and the alert was wrong
    const retracted = await followed({ ...gap, state: 'retracted' });
    expect((await retracted.post('taken')).status).toBe(409);
    const removed = await followed(gap);
    await support.call('delete', `/v1/contacts/${removed.user}`);
    expect((await removed.post('taken')).status).toBe(403);
    const late = await followed(gap);
    support.clock.set(at(60 * 24 * 3));
    expect((await late.post('taken')).status).toBe(410);
    // a gap of the service is no dose
    support.clock.set(NOW);
    const service = await followed({
      ...gap,
      evidence: { rule: 'coverage_gap_after', coverage_gap_after_ms: 600_000 },
      subject: 'device-api',
    });
    expect((await service.post('taken')).text).toContain('This alert has ended');
    for (const each of [retracted, removed, late, service]) expect(await each.entries()).toEqual([]);
  });

  it('is refused when it has expired, is of another make, or its contact was removed; nothing is recorded', async () => {
    const { path, post, user, entries } = await followed();
    const server = supertest(support.app.getHttpServer());
    expect(
      (
        await server
          .post(`${forged(path)}/taken`)
          .type('form')
          .send('')
      ).status,
    ).toBe(404);
    const foreign = await followed();
    const mixed = [foreign.path.split('.')[0]!, ...path.split('.').slice(1)].join('.');
    expect((await server.post(`${mixed}/taken`).type('form').send('')).status).toBe(404);
    for (const statement of ['eaten', 'skipped-', 'skipped-lazy'])
      expect((await post(statement)).status).toBe(404);
    for (const statement of ['later-', 'later-1', 'later-x'])
      expect((await post(statement)).status).toBe(409);
    await support.call('delete', `/v1/contacts/${user}`);
    expect((await post('taken')).status).toBe(403);
    support.clock.set(at(60 * 24 * 3));
    expect((await post('taken')).status).toBe(410);
    expect([...(await entries()), ...(await foreign.entries())]).toEqual([]);
  });
});
