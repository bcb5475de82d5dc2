import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import { at } from './fixtures.js';
import { NOW, Support } from './support.js';

const DAY = 24 * 60;
const READ = { bom: true, columns: true } as const;

/** NOW is noon UTC on 2026-03-01, which is 13:00 in Berlin. */
describe('figures of the taxonomy of adherence', () => {
  let support: Support;
  let users = 0;

  beforeAll(async () => {
    support = await Support.start('taxonomy');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  /**
   * A bottle with a pill due at 08:00, for four days; a letter for each day from the 25th on: taken, missed or unknown.
   */
  async function treated(letters: string, body: object = {}) {
    const user_id = `user-${(users += 1)}`;
    support.clock.set(at(-5 * DAY));
    const schedule = { kind: 'times_of_day', times: ['08:00'] };
    const { id, token } = await support.register({ user_id, schedule, ...body });
    const slotOn = (day: number): Date => at((day - 4) * DAY - 300);
    const outcomes = { t: 'taken_late', m: 'missed', u: 'unknown' } as const;
    for (const [day, letter] of letters.split('').entries()) {
      support.clock.set(new Date(slotOn(day).getTime() + 7_200_000));
      const time = support.clock.now();
      const action = { action: 'closed', time: time.toISOString(), mass_of_contents: 1, number_of_pills: 9 };
      if (letter === 't') await support.report(token, 'actions', { ...action, pills_taken: 1 });
      await support.database.db.collection('dose_outcomes').insertOne({
        bottle_id: new Types.ObjectId(id),
        scheduled_at: slotOn(day),
        outcome: outcomes[letter as 't'],
        ...(letter === 't' && { taken_at: time }),
        pills_scheduled: 1,
        pills_taken: letter === 't' ? 1 : 0,
        judged_at: time,
      });
    }
    support.clock.set(NOW);
    return { id, user_id, path: `/v1/bottles/${id}`, slotOn };
  }
  const days = async (path: string) =>
    (await support.get(`${path}/adherence/days`)).body.items.map(
      ({ local_date, measured, reported }: Record<string, Record<string, unknown>>) =>
        [local_date, measured!['implemented'], reported!['implemented'], reported!['left_out']] as const,
    );

  it('a bottle has them day by day, and as first dose, share of days and last dose, measured and with people’s word', async () => {
    const { path, slotOn } = await treated('tmut');
    await support.post(`${path}/attestations`, {
      scheduled_at: slotOn(1),
      kind: 'taken',
      source: 'elsewhere',
    });
    expect(await days(path)).toEqual([
      ['2026-02-25', 1, 1, null],
      ['2026-02-26', 0, 1, null],
      ['2026-02-27', null, null, 'unknown'],
      ['2026-02-28', 1, 1, null],
    ]);
    const first_dose_at = new Date(slotOn(0).getTime() + 7_200_000).toISOString();
    expect((await support.get(`${path}/adherence`)).body).toMatchObject({
      initiation: { first_dose_at },
      implementation: { numerator: 2, denominator: 3, break_days: 0, not_monitored_days: 0, unknown_days: 1 },
      persistence: { last_dose_on: '2026-02-28', discontinued: false },
      reported: { implementation: { numerator: 3, denominator: 3, ratio: 1 }, initiation: { first_dose_at } },
    });
    const csv = parse((await support.get(`${path}/adherence?format=csv`)).text, READ);
    expect(csv).toMatchObject([
      {
        'implementation.numerator': '2',
        'reported.implementation.ratio': '1',
        'initiation.first_dose_at': first_dose_at,
      },
    ]);
    expect(parse((await support.get(`${path}/adherence/days?format=csv`)).text, READ)[1]).toMatchObject({
      local_date: '2026-02-26',
      'measured.removed': '0',
      'reported.removed': '1',
      'reported.implemented': '1',
    });
  });

  it('pills that were no dose count on no day with people’s word, until that is withdrawn', async () => {
    const { path, slotOn } = await treated('ttmm');
    const removed_at = new Date(slotOn(0).getTime() + 7_200_000).toISOString();
    const note = 'opened at the pharmacy';
    const stated = await support.post(`${path}/attestations/no-dose`, { removed_at, note });
    expect(stated).toMatchObject({
      status: 201,
      body: { kind: 'no_dose', scheduled_at: removed_at, pills: 1, outcome: null, note, is_withdrawn: false },
    });
    expect((await days(path)).map(([, , reported]: unknown[]) => reported)).toEqual([0, 1, 0, 0]);
    const second = new Date(slotOn(1).getTime() + 7_200_000).toISOString();
    const { body } = await support.get(`${path}/adherence`);
    expect(body).toMatchObject({
      taking: { numerator: 2 },
      implementation: { numerator: 2 },
      initiation: { first_dose_at: removed_at },
      reported: {
        taking: { numerator: 2 },
        implementation: { numerator: 1 },
        initiation: { first_dose_at: second },
        attested: { numerator: 0 },
      },
    });
    await support.post(`${path}/attestations/${stated.body.id}/withdraw`, {});
    expect((await days(path)).map(([, , reported]: unknown[]) => reported)).toEqual([1, 1, 0, 0]);
  });

  it('a pill too many counts, also if what the last dose had was taken days before the time that is asked for', async () => {
    support.clock.set(at(-8 * DAY));
    const schedule = { kind: 'times_of_day', times: ['08:00'], days_of_week: ['mon'] };
    const { id, token } = await support.register({ user_id: 'weekly', schedule });
    const monday = at(-6 * DAY - 240);
    const friday = at(-2 * DAY - 240);
    for (const time of [monday, friday]) {
      support.clock.set(time);
      const action = { action: 'closed', time: time.toISOString(), number_of_pills: 9, pills_taken: 1 };
      await support.report(token, 'actions', action);
    }
    support.clock.set(NOW);
    const extraSince = async (from: Date) =>
      (await support.get(`/v1/bottles/${id}/adherence?from=${from.toISOString()}&to=${NOW.toISOString()}`))
        .body.extra;
    expect([await extraSince(at(-7 * DAY)), await extraSince(at(-3 * DAY))]).toEqual([1, 1]);
  });

  it('a pill of a bottle that was left open into the next window is none too many', async () => {
    support.clock.set(at(-2 * DAY));
    const schedule = { kind: 'times_of_day', times: ['08:00', '14:00', '20:00'] };
    const { id, token } = await support.register({ user_id: 'left-open', time_zone: 'UTC', schedule });
    const removals = [
      ['opened', '07:58'],
      ['closed', '12:30'],
      ['opened', '14:00'],
      ['closed', '14:01'],
    ] as const;
    for (const [action, clock] of removals) {
      const time = `2026-02-28T${clock}:00Z`;
      support.clock.set(new Date(time));
      const pills = action === 'closed' ? { pills_taken: 1 } : {};
      expect(
        await support.report(token, 'actions', { action, time, number_of_pills: 9, ...pills }),
      ).toMatchObject({
        status: 201,
      });
    }
    support.clock.set(NOW);
    expect((await support.get(`/v1/bottles/${id}/adherence`)).body).toMatchObject({ extra: 0 });
  });

  it('of pills that were no dose a time in the future, no pills and a viewer are refused', async () => {
    const { path } = await treated('t');
    const to = `${path}/attestations/no-dose`;
    const refused = [
      [{ removed_at: at(1).toISOString() }, 'removed_at'],
      [{ removed_at: at(-1).toISOString(), pills: 0 }, 'pills'],
      [{}, 'removed_at'],
      [{ removed_at: at(-1).toISOString(), kind: 'taken' }, 'kind'],
    ] as const;
    for (const [body, field] of refused)
      expect(await support.post(to, body)).toMatchObject({ status: 400, body: { field } });
    const body = { removed_at: at(-1).toISOString() };
    expect((await support.post(to, body, await support.keyOf('viewer'))).status).toBe(403);
    const nothing = `/v1/bottles/${new Types.ObjectId().toHexString()}/attestations/no-dose`;
    expect((await support.post(nothing, body)).status).toBe(404);
  });

  it('a person has them by medication, over all bottles, and all together: a day counts if each bottle has it', async () => {
    const one = await treated('tttm', { medication: 'Cordrazine' });
    await treated('tmtu', { medication: 'Cordrazine', user_id: one.user_id });
    await treated('ttmt', { medication: 'Inaprovaline', user_id: one.user_id });
    const answer = await support.get(`/v1/people/${one.user_id}/adherence`);
    const implementation = (numerator: number, denominator: number) => ({ numerator, denominator });
    expect(answer.body.medications).toMatchObject([
      {
        medication: 'Cordrazine',
        implementation: implementation(2, 3),
        days_covered: implementation(2, 3),
        drug_holidays: { count: 0 },
        reported: { days_covered: implementation(2, 3), drug_holidays: { count: 0 } },
      },
      { medication: 'Inaprovaline', implementation: implementation(3, 4) },
      {
        medication: null,
        implementation: implementation(1, 3),
        reported: { implementation: implementation(1, 3) },
      },
    ]);
    expect(answer.body.medications[0].bottles).toHaveLength(2);
    const csv = parse((await support.get(`/v1/people/${one.user_id}/adherence?format=csv`)).text, READ);
    expect(csv).toMatchObject([
      {
        medication: 'Cordrazine',
        'bottles.length': '2',
        'reported.implementation.numerator': '2',
        'days_covered.denominator': '3',
        'reported.drug_holidays.count': '0',
      },
      { medication: 'Inaprovaline' },
      { medication: '', 'implementation.numerator': '1' },
    ]);
    const tooLong = `/v1/people/${one.user_id}/adherence?from=2020-01-01T00:00:00Z`;
    expect((await support.get(tooLong)).body.code).toBe('invalid_range');
    expect((await support.get('/v1/people/nobody/adherence')).status).toBe(404);
  });

  it('the fleet has a line for each bottle, page by page and as CSV', async () => {
    const { id, user_id } = await treated('ttm');
    const { items } = await support.pages('/v1/fleet/adherence', 2);
    const all = await support.get('/v1/fleet/adherence?format=csv');
    const lines: Record<string, string>[] = parse(all.text, READ);
    expect(lines.map(({ bottle_id }) => bottle_id)).toEqual(items.map(({ bottle_id }) => bottle_id));
    expect(new Set(items.map(({ bottle_id }) => bottle_id)).size).toBe(items.length);
    expect(lines.at(-1)).toMatchObject({
      bottle_id: id,
      user_id,
      medication: 'Cordrazine',
      'implementation.numerator': '2',
      'implementation.denominator': '3',
      'reported.implementation.denominator': '3',
      'days_covered.numerator': '2',
      'reported.days_covered.denominator': '3',
      // 75 hours since the last dose
      'drug_holidays.count': '1',
    });
    expect((await support.get('/v1/fleet/adherence?from=2020-01-01T00:00:00Z')).body.code).toBe(
      'invalid_range',
    );
  });

  it('the day of registration is in the figures of the bottle, the person, the report and the fleet alike', async () => {
    const { id, user_id, path } = await treated('', {
      schedule: { kind: 'times_of_day', times: ['20:00'] },
    });
    await support.database.db.collection('dose_outcomes').insertOne({
      bottle_id: new Types.ObjectId(id),
      scheduled_at: at(-5 * DAY + 7 * 60),
      outcome: 'missed',
      pills_scheduled: 1,
      pills_taken: 0,
      judged_at: NOW,
    });
    const range = `from=${at(-20 * DAY).toISOString()}`;
    const fleet = await support.pages(`/v1/fleet/adherence?${range}`, 50);
    const figures = [
      (await support.get(`${path}/adherence?${range}`)).body,
      (await support.get(`/v1/people/${user_id}/adherence?${range}`)).body.medications[0],
      (await support.get(`/v1/people/${user_id}/report?${range}`)).body.bottles[0].adherence,
      fleet.items.find(({ bottle_id }) => bottle_id === id),
    ];
    for (const { implementation, days_covered } of figures)
      expect([implementation.denominator, days_covered.denominator]).toEqual([1, 1]);
  });

  it('of a bottle that changed hands each owner has their own days and first dose', async () => {
    const { path, user_id } = await treated('tt');
    support.clock.set(at(-2 * DAY));
    await support.call('patch', path, { user_id: 'next' });
    support.clock.set(NOW);
    const before = (await support.get(`/v1/people/${user_id}/adherence`)).body.medications;
    expect(before).toMatchObject([
      { implementation: { numerator: 2, denominator: 2 } },
      { medication: null },
    ]);
    const after = (await support.get(`/v1/people/next/adherence`)).body;
    expect(after.medications.map(({ initiation }: { initiation: object }) => initiation)).not.toContainEqual(
      before[0].initiation,
    );
  });
});
