import { PeopleSearchRepository } from '#persistence';
import { jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { isWasteful, queryCosts } from '../../tools/harness/query-costs.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

const DAY = 24 * 60;

describe('a person', () => {
  let support: Support;
  /** By name: two of Ann's, one that she gave to Ben, and one that she has from him. */
  const bottles: Record<'first' | 'second' | 'given' | 'got', string> = {} as never;

  const ANN = 'ann/o’neill@users.example';
  const path = `/v1/people/${encodeURIComponent(ANN)}`;
  const DAILY = { kind: 'times_of_day', times: ['07:00', '20:00'] };
  const oid = (id: string) => new Types.ObjectId(id);

  /** A dose every twelve hours of four weeks. */
  const doses = (id: string, more: object = {}) =>
    Array.from({ length: 56 }, (_, index) => ({
      bottle_id: oid(id),
      scheduled_at: at(-index * 12 * 60),
      outcome: 'missed',
      pills_scheduled: 1,
      pills_taken: 0,
      judged_at: at(0),
      ...more,
    }));

  beforeAll(async () => {
    support = await Support.start('persons');
    const register = async (user_id: string, medication: string) => {
      const { id, token } = await support.register({ user_id, medication, schedule: DAILY });
      await support.report(token, 'heartbeats');
      return { id, token };
    };
    support.clock.set(at(-60 * DAY));
    const first = await register(ANN, 'Cordrazine');
    const given = await register(ANN, 'Inaprovaline');
    const second = await register(ANN, 'Hyronalin');
    const got = await register('ben', 'Asinolyathin');
    Object.assign(bottles, { first: first.id, second: second.id, given: given.id, got: got.id });
    const action = { action: 'opened', time: at(-60 * DAY), mass_of_contents: 1, number_of_pills: 3 };
    await support.report(given.token, 'actions', action);
    support.clock.set(at(-7 * DAY));
    await support.call('patch', `/v1/bottles/${given.id}`, { user_id: 'ben', medication: 'Bens own' });
    await support.call('patch', `/v1/bottles/${got.id}`, { user_id: ANN });
    support.clock.set(NOW);
    await support.call('put', `/v1/contacts/${encodeURIComponent(ANN)}`, {
      name: 'Ann O’Neill',
      phone: '+49 30 123456',
      email: 'ann@example.org',
      time_zone: 'Europe/Berlin',
      carer: { name: 'Ida', phone: '030 99' },
    });
    const { db } = support.database;
    await db.collection('dose_outcomes').insertMany(Object.values(bottles).flatMap((id) => doses(id)));
    const ids = await insertAlerts(support, [
      { bottle_id: oid(first.id), user_id: ANN, raised_at: at(-30) },
      { bottle_id: oid(given.id), user_id: 'ben', medication: 'Bens own', raised_at: at(-20) },
      { bottle_id: oid(given.id), user_id: ANN, kind: 'battery_low', raised_at: at(-10) },
    ]);
    await insertDeliveries(
      support,
      [first, given, given].flatMap(({ id }, index) =>
        Array.from({ length: 20 }, (_, step) => ({
          bottle_id: oid(id),
          alert_id: oid(ids[index]!),
          kind: index === 2 ? 'battery_low' : 'bottle_open',
          channel: 'email',
          recipient: `user:${index === 1 ? 'ben' : ANN}`,
          step: `raised ${step}`,
          created_at: at(-step - index),
        })),
      ),
    );
  });
  afterAll(() => support?.stop());

  it('has all bottles with today, the contact and the open alerts, and nothing of who has a bottle now', async () => {
    const { status, body, text } = await support.get(path, await support.keyOf('viewer'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_id: ANN,
      contact: { name: 'Ann O’Neill', phone: '+49 30 123456', carer: { name: 'Ida', phone: '030 99' } },
      bottles: [
        { bottle_id: bottles.first, medication: 'Cordrazine', time_zone: 'Europe/Berlin', owned: [{}] },
        { bottle_id: bottles.second, medication: 'Hyronalin' },
        { bottle_id: bottles.got, owned: [{ from: at(-7 * DAY).toISOString(), until: null }] },
      ],
      has_more_bottles: false,
      former_bottles: [
        {
          bottle_id: bottles.given,
          medication: 'Inaprovaline',
          owned: [{ from: null, until: at(-7 * DAY).toISOString() }],
        },
      ],
      open_alerts: [{ kind: 'battery_low' }, { kind: 'bottle_open', bottle_id: bottles.first }],
      notes: [],
    });
    expect(body.bottles[0].today.doses).not.toEqual([]);
    expect(text).not.toMatch(/Bens own|ben"/);
    expect((await support.get('/v1/people/nobody')).body.code).toBe('person_not_found');
  });

  it.each([3, 200])('has the doses of all bottles, each owner’s part, %i a page', async (limit) => {
    const { items } = await support.pages(`${path}/doses`, limit);
    const of = (name: keyof typeof bottles) =>
      items.filter(({ bottle_id }) => bottle_id === bottles[name]).map(({ scheduled_at }) => scheduled_at);
    expect(of('first')).toHaveLength(56);
    expect(of('second')).toEqual(of('first'));
    expect(of('got')).toEqual(of('first').filter((time) => time >= at(-7 * DAY).toISOString()));
    expect(of('given')).toEqual(of('first').filter((time) => time < at(-7 * DAY).toISOString()));
    const times = items.map(({ scheduled_at }) => scheduled_at);
    expect(times).toEqual(times.toSorted((one, other) => (one < other ? 1 : -1)));
  });

  it.each([7, 200])('has the messages with text and address, %i a page', async (limit) => {
    const { items } = await support.pages(`${path}/messages`, limit);
    expect(items).toHaveLength(40);
    expect(new Set(items.map(({ id }) => id)).size).toBe(40);
    expect(items.map(({ recipient }) => recipient)).not.toContain('user:ben');
    expect(items.find(({ kind }) => kind === 'bottle_open')).toMatchObject({
      medication: 'Cordrazine',
      address: 'ann@example.org',
      title: 'Bottle left open',
      text: expect.stringContaining('Noticed: '),
    });
    const range = `from=${at(-10).toISOString()}&to=${at(-3).toISOString()}`;
    const some = (await support.pages(`${path}/messages?${range}`, limit)).items;
    const within = ({ created_at }: { created_at: string }) =>
      created_at >= at(-10).toISOString() && created_at < at(-3).toISOString();
    expect(some).toEqual(items.filter(within));
    // the list of all people's has the same texts
    const all = (await support.pages(`/v1/deliveries?${range}`, limit)).items;
    expect(all.filter(({ user_id }) => user_id === ANN)).toHaveLength(some.length);
    expect(all).toEqual(expect.arrayContaining(some));
  });

  it('has notes of staff about the person and their bottles, which viewers only read', async () => {
    const viewer = await support.keyOf('viewer');
    expect((await support.post(`${path}/notes`, { text: 'x' }, viewer)).status).toBe(403);
    expect((await support.post('/v1/people/nobody/notes', { text: 'x' })).status).toBe(404);
    expect((await support.post(`${path}/notes`, { text: '' })).status).toBe(400);
    // two at once: nothing is lost
    const [call] = await Promise.all([
      support.post(`${path}/notes`, { text: 'Calls in the morning only.' }),
      support.post(`/v1/bottles/${bottles.second}/notes`, { text: 'The lid is stiff.' }),
    ]);
    expect(call.status).toBe(201);
    const notes = async () => (await support.get(path, viewer)).body.notes;
    expect(await notes()).toHaveLength(2);
    expect(await notes()).toContainEqual({
      id: expect.any(String),
      bottle_id: bottles.second,
      text: 'The lid is stiff.',
      by: 'ADMIN_TOKEN',
      at: NOW.toISOString(),
    });
    const onBottle = async (id: string) => (await support.get(`/v1/bottles/${id}/notes`, viewer)).body.items;
    expect(await onBottle(bottles.second)).toHaveLength(2);
    expect(await onBottle(bottles.first)).toMatchObject([{ text: 'Calls in the morning only.' }]);
    expect(await onBottle(bottles.given)).toEqual([]);
    expect((await support.call('delete', `${path}/notes/${call.body.id}`)).status).toBe(204);
    expect((await support.call('delete', `${path}/notes/${call.body.id}`)).status).toBe(404);
    expect(await notes()).toHaveLength(1);
    const audited = (
      await support.get(`/v1/audit?category=change&subject=contact:${encodeURIComponent(ANN)}`)
    ).body.items;
    expect(audited.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['person.note', 'person.delete_note']),
    );
  });

  it('has a report of a period with each bottle’s part', async () => {
    await insertAlerts(support, [
      {
        bottle_id: oid(bottles.first),
        user_id: ANN,
        kind: 'bottle_silent',
        state: 'resolved',
        open: undefined,
        raised_at: at(-3 * DAY),
        ended_at: at(-2 * DAY),
        evidence: { rule: 'silent_after', last_heard_at: at(-3 * DAY - 60) },
      },
    ]);
    const range = `from=${at(-14 * DAY).toISOString()}&to=${at(0).toISOString()}`;
    const { body } = await support.get(`${path}/report?${range}`);
    expect(body).toMatchObject({ name: 'Ann O’Neill', from: at(-14 * DAY).toISOString() });
    const missed = body.bottles.map(
      (one: { bottle_id: string; adherence: { doses: { missed: number } } }) => [
        one.bottle_id,
        one.adherence.doses.missed,
      ],
    );
    expect(missed).toEqual([
      [bottles.first, 28],
      [bottles.second, 28],
      [bottles.got, 14],
      [bottles.given, 14],
    ]);
    expect(body.bottles[0].gaps).toEqual([
      {
        from: at(-3 * DAY - 60).toISOString(),
        until: at(-2 * DAY).toISOString(),
        reason: 'silent',
      },
    ]);
    const csv = await support.get(`${path}/report?${range}&format=csv`);
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    const lines: Record<string, string>[] = parse(csv.text, { bom: true, columns: true });
    expect(lines.map((line) => [line['bottle_id'], line['adherence.doses.missed']])).toEqual(
      missed.map(([id, count]: [string, number]) => [id, String(count)]),
    );
    expect(lines[0]).toMatchObject({
      medication: 'Cordrazine',
      'adherence.taking.ratio': '0',
      'adherence.reported.taking.ratio': '0',
      'adherence.reported.attested.ratio': '0',
      'gaps.length': '1',
    });
    expect((await support.get(`${path}/report?from=2020-01-01T00:00:00Z`)).body.code).toBe('invalid_range');
    expect((await support.get(`${path}/report?format=csv&limit=1`)).body.code).toBe('unknown_field');
  });

  it('has a report that names every time in which we could not see', async () => {
    const iso = (minutes: number) => at(minutes).toISOString();
    support.clock.set(at(-90 * DAY));
    const register = async (medication: string, user_id = 'kim') => {
      const { id, token } = await support.register({ user_id, medication, schedule: DAILY });
      return { id, bottle_id: oid(id), report: () => support.report(token, 'heartbeats') };
    };
    await register('Never');
    const [long, back, got] = [await register('Long'), await register('Back'), await register('Got', 'lee')];
    for (const { report } of [long, back, got]) await report();
    support.clock.set(at(-35 * DAY));
    await support.call('patch', `/v1/bottles/${got.id}`, { user_id: 'kim' });
    support.clock.set(NOW);
    const silence = (bottle_id: Types.ObjectId, user_id: string, more: object) => ({
      bottle_id,
      user_id,
      kind: 'bottle_silent',
      raised_at: at(-80 * DAY),
      evidence: { rule: 'silent_after', last_heard_at: at(-80 * DAY - 60) },
      ...more,
    });
    const ended = { state: 'resolved', open: undefined };
    await insertAlerts(support, [
      silence(long.bottle_id, 'kim', { state: 'closed' }),
      silence(back.bottle_id, 'kim', { ...ended, ended_at: at(-38 * DAY) }),
      silence(got.bottle_id, 'lee', { ...ended, ended_at: at(-30 * DAY) }),
      // over before the period, and after it
      silence(back.bottle_id, 'kim', { ...ended, ended_at: at(-41 * DAY) }),
      silence(back.bottle_id, 'kim', {
        raised_at: at(-10 * DAY),
        evidence: { rule: 'silent_after', last_heard_at: at(-10 * DAY) },
      }),
    ]);
    const gap = { part: 'device-api', from: at(-25 * DAY), until: at(-25 * DAY + 60), doses: 0 };
    const gaps = support.database.db.collection('coverage_gaps');
    await gaps.insertMany([
      { ...gap, _id: 'ours' as never },
      // the log was complete all the same
      { ...gap, _id: 'checks' as never, part: 'notifier' },
      { ...gap, _id: 'before' as never, from: at(-41 * DAY), until: at(-41 * DAY + 60) },
    ]);
    const { body } = await support.get(`/v1/people/kim/report?from=${iso(-40 * DAY)}&to=${iso(-20 * DAY)}`);
    await gaps.deleteMany({});
    const ours = { from: iso(-25 * DAY), until: iso(-25 * DAY + 60), reason: 'coverage_gap' };
    const found = Object.fromEntries(
      body.bottles.map((one: { medication: string; gaps: object[] }) => [one.medication, one.gaps]),
    );
    const since = iso(-80 * DAY - 60);
    expect(found).toEqual({
      Never: [{ from: iso(-90 * DAY), until: null, reason: 'never_connected' }, ours],
      Long: [{ from: since, until: null, reason: 'silent' }, ours],
      Back: [{ from: since, until: iso(-38 * DAY), reason: 'silent' }, ours],
      // while it was theirs
      Got: [{ from: iso(-35 * DAY), until: iso(-30 * DAY), reason: 'silent' }, ours],
    });
  });

  it('has a report that says since when a bottle is monitored, by which schedules, and of which pauses', async () => {
    const iso = (minutes: number) => at(minutes).toISOString();
    support.clock.set(at(-9 * DAY));
    const weekly = { ...DAILY, days_of_week: ['mon'] };
    const register = async (medication: string) =>
      support.register({ user_id: 'noa', medication, schedule: weekly });
    const used = await register('Used');
    await register('Unused');
    support.clock.set(at(-5 * DAY));
    await support.report(used.token, 'heartbeats');
    support.clock.set(at(-3 * DAY));
    const twice = { ...weekly, times: ['08:00', '18:00'] };
    await support.call('put', `/v1/bottles/${used.id}/schedule`, { schedule: twice });
    await support.post(`/v1/bottles/${used.id}/periods`, {
      reason: 'hospital',
      from: iso(-2 * DAY),
      to: iso(-DAY),
      note: 'knee',
    });
    support.clock.set(NOW);
    const reportOf = async (from: number, to: number) => {
      const { body } = await support.get(`/v1/people/noa/report?from=${iso(from)}&to=${iso(to)}`);
      return body.bottles as Record<string, never>[];
    };
    const [first, second] = await reportOf(-28 * DAY, 0);
    // it does not begin before there was a bottle
    expect(first).toMatchObject({
      adherence: { from: iso(-9 * DAY), to: iso(0), monitored_since: iso(-5 * DAY) },
      schedules: [
        { effective_from: iso(-9 * DAY), schedule: { days_of_week: ['mon'], times: DAILY.times } },
        { effective_from: iso(-3 * DAY), schedule: { times: twice.times } },
      ],
      periods: [{ reason: 'hospital', from: iso(-2 * DAY), to: iso(-DAY), note: 'knee' }],
      gaps: [{ from: iso(-9 * DAY), until: iso(-5 * DAY), reason: 'never_connected' }],
    });
    expect(second).toMatchObject({
      // Saturday to Saturday, without the Monday that has a dose
      adherence: { monitored_since: null, implementation: { denominator: 0, unknown_days: 7 } },
      gaps: [{ from: iso(-9 * DAY), until: null, reason: 'never_connected' }],
    });
    const [before] = await reportOf(-8 * DAY, -4 * DAY);
    expect(before).toMatchObject({ schedules: [{ effective_from: iso(-9 * DAY) }], periods: [] });
    // the same everywhere
    const shown = await Promise.all(
      [`/v1/bottles/${used.id}`, `/v1/bottles/${used.id}/adherence`].map(
        async (of) => (await support.get(of)).body.monitored_since,
      ),
    );
    expect(shown).toEqual([iso(-5 * DAY), iso(-5 * DAY)]);
    const { body: person } = await support.get('/v1/people/noa');
    expect(person.bottles).toMatchObject([{ monitored_since: iso(-5 * DAY) }, { monitored_since: null }]);
  });

  it('has a report with the figures of the bottle’s page, also of the day of its registration', async () => {
    support.clock.set(at(-2 * DAY));
    const schedule = { ...DAILY, times: ['18:00'] };
    const { id, token } = await support.register({ user_id: 'ola', medication: 'New', schedule });
    await support.report(token, 'heartbeats');
    support.clock.set(at(-2 * DAY + 5 * 60));
    const removed = { action: 'closed', pills_taken: 1, mass_of_contents: 1, number_of_pills: 3 };
    await support.report(token, 'actions', { ...removed, time: at(-2 * DAY + 5 * 60) });
    support.clock.set(NOW);
    const [reported] = (await support.get('/v1/people/ola/report')).body.bottles;
    const { from: _from, ...figures } = (await support.get(`/v1/bottles/${id}/adherence`)).body;
    expect(figures.persistence).toMatchObject({ last_dose_on: '2026-02-27' });
    expect(reported.adherence).toMatchObject(figures);
  });

  it('has a report with the time before a late first report, and with statements about doses without an outcome', async () => {
    const iso = (minutes: number) => at(minutes).toISOString();
    support.clock.set(at(-10 * DAY));
    const register = async (medication: string) =>
      support.register({ user_id: 'mia', medication, schedule: DAILY });
    const [late, soon, old] = [await register('Late'), await register('Soon'), await register('Old')];
    support.clock.set(at(-10 * DAY + 60));
    await support.report(soon.token, 'heartbeats');
    support.clock.set(at(-7 * DAY));
    for (const { token } of [late, old]) await support.report(token, 'heartbeats');
    // the log has forgotten when it first reported, and the reconcile has noted it
    await support.database.db
      .collection('bottles')
      .updateOne({ _id: oid(old.id) }, { $set: { registered_at: at(-27 * DAY) } });
    await support.database.db
      .collection('bottle_states')
      .updateOne({ _id: oid(old.id) }, { $set: { first_heard_at: at(-20 * DAY) } });
    support.clock.set(NOW);
    const { body } = await support.get(`/v1/people/mia/report?from=${iso(-28 * DAY)}&to=${iso(0)}`);
    const before = (from: number, until: number) => [
      { from: iso(from), until: iso(until), reason: 'never_connected' },
    ];
    expect(
      Object.fromEntries(
        body.bottles.map((one: { medication: string; gaps: object[] }) => [one.medication, one.gaps]),
      ),
    ).toEqual({ Late: before(-10 * DAY, -7 * DAY), Soon: [], Old: before(-27 * DAY, -20 * DAY) });

    const path = `/v1/bottles/${late.id}/attestations`;
    const [slot] = (await support.get(`/v1/bottles/${late.id}`)).body.today.doses;
    const { scheduled_at } = slot as { scheduled_at: string };
    const statement = { scheduled_at, kind: 'skipped', reason: 'away', attested_by: 'user' };
    const stated = await support.post(path, statement);
    expect(stated.status).toBe(201);
    const unjudged = async (): Promise<unknown[]> => {
      const report = await support.get(`/v1/people/mia/report?from=${iso(-28 * DAY)}&to=${iso(DAY)}`);
      return report.body.bottles[0].unjudged;
    };
    expect(await unjudged()).toMatchObject([
      { scheduled_at, reported: { outcome: 'skipped', agreement: 'unproven' }, earlier_reports: [] },
    ]);
    // in the figures and among the doses once it has an outcome; nowhere once it is withdrawn
    const outcome = { bottle_id: oid(late.id), scheduled_at: new Date(scheduled_at), outcome: 'missed' };
    const outcomes = support.database.db.collection('dose_outcomes');
    await outcomes.insertOne({ ...outcome, pills_scheduled: 1, pills_taken: 0, judged_at: NOW });
    expect(await unjudged()).toEqual([]);
    await outcomes.deleteOne(outcome);
    await support.post(`${path}/${stated.body.id}/withdraw`, {});
    expect(await unjudged()).toEqual([]);
  });

  const search = async (q: string) =>
    (await support.get(`/v1/search?${new URLSearchParams({ q }).toString()}`)).body;

  it.each([
    'ann oneill',
    'O’Neill, Ann',
    'neill',
    'oneill Cordra',
    'cordrazine ann',
    'ida cordrazine',
    '30 123456',
    'ANN/O',
  ])('is found by “%s”, with bottles and open alerts', async (q) => {
    const { people, alerts } = await search(q);
    expect(people).toMatchObject([{ user_id: ANN, name: 'Ann O’Neill' }]);
    expect(people[0].bottles[0]).toMatchObject({ bottle_id: bottles.first, medication: 'Cordrazine' });
    expect(alerts).toMatchObject([{ bottle_id: bottles.first }]);
  });

  it('is not found by what is somebody else’s now, nor by words that do not fit together', async () => {
    for (const q of ['ann inaprovaline', 'ben cordrazine', 'ann bens', '..', 'ann ben'])
      expect((await support.get(`/v1/search?${new URLSearchParams({ q }).toString()}`)).body.people).toEqual(
        [],
      );
    expect(await search('asinoly')).toMatchObject({ people: [], medications: ['Asinolyathin'] });
    expect(await search(bottles.second.slice(-8).toUpperCase())).toMatchObject({
      bottles: [{ bottle_id: bottles.second, user_id: ANN }],
    });
    expect((await support.get('/v1/search?q=')).status).toBe(400);
  });

  it.each([
    ['a', { by: 'name', text: 'Ann O’Neill', is_near: false }],
    ['oneil', { by: 'name', text: 'Ann O’Neill', is_near: false }],
    ['O’Niell', { by: 'name', text: 'Ann O’Neill', is_near: true }],
    ['Anne Oneil', { by: 'name', text: 'Ann O’Neill', is_near: true }],
    ['3456', { by: 'phone', text: '+49 30 123456', is_near: false }],
    ['ida', { by: 'carer_name', text: 'Ida', is_near: false }],
    ['kitchen', { by: 'label', text: 'red, kitchen', is_near: false }],
    ['ann cordra', { by: 'name', text: 'Ann O’Neill', is_near: false }],
  ])('is found by “%s”, and says why', async (q, matched) => {
    await support.call('patch', `/v1/bottles/${bottles.second}`, { label: 'red, kitchen' });
    const people = (await search(q)).people as { user_id: string }[];
    expect(people).toContainEqual(expect.objectContaining({ user_id: ANN, matched }));
  });

  it('is not found by a label that the bottle has no longer', async () => {
    const label = (text: string) => support.call('patch', `/v1/bottles/${bottles.second}`, { label: text });
    await label('porch');
    expect((await search('porch')).people).toMatchObject([{ user_id: ANN }]);
    await label('attic');
    expect((await search('porch')).people).toEqual([]);
  });

  it('follows changes of the contact, also of people without bottles', async () => {
    const put = (body: object) => support.call('put', '/v1/contacts/zoe', body);
    await put({ name: 'Zoë Quill' });
    expect((await search('quill zoe')).people).toMatchObject([{ user_id: 'zoe', bottles: [] }]);
    await put({ name: 'Zoë Other' });
    expect((await search('quill')).people).toEqual([]);
    await support.call('delete', '/v1/contacts/zoe');
    expect((await search('zoe')).people).toEqual([]);
  });

  it('is found by each of their carers, and says why', async () => {
    const carers = [
      { name: 'Ida Quince' },
      { name: 'Jonas Pear' },
      { name: 'Kay Plum', phone: '+49 30 777888' },
    ];
    await support.call('put', '/v1/contacts/zoe', { name: 'Zoë Quill', carers });
    for (const [q, matched] of [
      ['quince', { by: 'carer_name', text: 'Ida Quince', is_near: false }],
      ['pear', { by: 'carer_name', text: 'Jonas Pear', is_near: false }],
      ['777888', { by: 'carer_phone', text: '+49 30 777888', is_near: false }],
    ] as const)
      expect((await search(q)).people).toMatchObject([{ user_id: 'zoe', matched }]);
    await support.call('delete', '/v1/contacts/zoe');
  });

  it('is found by what holds, whichever of two changes at once writes its entry last', async () => {
    const put = (name: string) => support.call('put', '/v1/contacts/max', { name });
    const entries = support.app.get(PeopleSearchRepository);
    const write = entries.put.bind(entries);
    let overtaken = false;
    const spy = jest.spyOn(entries, 'put').mockImplementation(async (people) => {
      if (!overtaken) {
        overtaken = true;
        await put('Max Newname');
      }
      await write(people);
    });
    await put('Max Oldname');
    spy.mockRestore();
    expect((await search('oldname')).people).toEqual([]);
    expect((await search('newname')).people).toMatchObject([{ user_id: 'max', name: 'Max Newname' }]);
  });

  it('is not named after their carer', async () => {
    await support.call('put', '/v1/contacts/noname', {
      phone: '030 4477',
      carer: { name: 'Iris Caring', phone: '030 5588' },
    });
    expect((await search('caring')).people).toMatchObject([{ user_id: 'noname', name: null }]);
  });

  it('no search examines more than twice what it returns', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `crowd-${index} smith,${index % 2 ? 'Crowdpill' : 'Otherpill'},Europe/Berlin`,
    );
    await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
    for (const q of [
      'c',
      'crowt',
      'smyth crowd',
      'crowd',
      'smith crowdpill',
      'crowd 17',
      'ann cordrazine',
      'crowdpill',
      'nobody at all',
    ]) {
      const queries = await queryCosts(support.database.db, () => search(q));
      expect(queries.length).toBeGreaterThan(0);
      expect(queries.filter(isWasteful)).toEqual([]);
    }
  });

  it('is named in lists and in the audit, with the label of a bottle that is still theirs', async () => {
    for (const id of [bottles.first, bottles.given])
      await support.call('patch', `/v1/bottles/${id}`, { label: 'blue lid' });
    await support.call('get', `/v1/bottles/${bottles.first}`);
    const named = { user_id: ANN, user_name: 'Ann O’Neill' };
    const inList = async (list: string) => (await support.get(list)).body.items as Record<string, unknown>[];
    const ofAnn = (items: Record<string, unknown>[]) => items.filter(({ user_id }) => user_id === ANN);

    expect(await inList(`/v1/bottles?user_id=${encodeURIComponent(ANN)}`)).toContainEqual(
      expect.objectContaining({ ...named, bottle_id: bottles.first, label: 'blue lid' }),
    );
    expect(await inList('/v1/bottles?user_id=ben')).toContainEqual(
      expect.objectContaining({ user_name: null, label: 'blue lid' }),
    );
    const alerts = ofAnn(await inList('/v1/alerts'));
    expect(alerts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...named, bottle_id: bottles.first, label: 'blue lid' }),
        // Ben has it now: what he calls it is not Ann's
        expect.objectContaining({ ...named, bottle_id: bottles.given, label: null }),
      ]),
    );
    const ofFirst = alerts.find(({ bottle_id }) => bottle_id === bottles.first)!;
    expect((await support.get(`/v1/alerts/${String(ofFirst['id'])}`)).body).toMatchObject({
      ...named,
      label: 'blue lid',
    });
    for (const list of ['/v1/deliveries', `${path}/messages`])
      expect(await inList(list)).toContainEqual(
        expect.objectContaining({ ...named, bottle_id: bottles.first, label: 'blue lid' }),
      );
    const subjects = async (subject: string) =>
      (await inList(`/v1/audit?subject=${encodeURIComponent(subject)}`)).map((entry) => entry['subject']);
    const { user_name: name } = named;
    expect(await subjects(`bottle:${bottles.first}`)).toContainEqual({
      kind: 'bottle',
      id: bottles.first,
      user_id: ANN,
      name,
      medication: 'Cordrazine',
      label: 'blue lid',
    });
    await eventually(async () =>
      expect(await subjects(`bottle:${bottles.first}`)).toContainEqual(
        expect.objectContaining({ kind: 'alert', user_id: ANN, name, alert_kind: 'bottle_open' }),
      ),
    );
    expect(await subjects(`contact:${ANN}`)).toContainEqual({ kind: 'contact', id: ANN, name });
  });

  it.each(['', '/doses?limit=20', '/doses?limit=200', '/messages?limit=20', '/report'])(
    'no query of %s examines more than twice what it returns',
    async (part) => {
      const queries = await queryCosts(support.database.db, () => support.get(`${path}${part}`));
      expect(queries.length).toBeGreaterThan(2);
      expect(queries.filter(isWasteful)).toEqual([]);
    },
  );
});
