import { Types } from 'mongoose';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { at } from './fixtures.js';
import { NOW, Support } from './support.js';

const DAY = 24 * 60;

describe('the steps of a plan', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('plan-steps');
  });
  afterAll(() => support?.stop());
  beforeEach(() => support.clock.set(NOW));

  const doseOf = (pills_per_dose: number, more: object = {}) => ({
    kind: 'times_of_day',
    times: ['08:00'],
    pills_per_dose,
    ...more,
  });
  const set = (id: string, schedule: object, more: object = {}) =>
    support.call('put', `/v1/bottles/${id}/schedule`, { schedule, ...more });
  const remove = (id: string, effective_from: Date) =>
    support.call('delete', `/v1/bottles/${id}/schedule?effective_from=${effective_from.toISOString()}`);
  const bottleOf = async (id: string) => (await support.get(`/v1/bottles/${id}`)).body;
  type Step = { effective_from: string; schedule: { pills_per_dose: number } };
  /** Minutes from NOW and pills of each step. */
  const stepsOf = (plan: Step[]) =>
    plan.map(({ effective_from, schedule }) => [
      (Date.parse(effective_from) - NOW.getTime()) / 60_000,
      schedule.pills_per_dose,
    ]);
  const storedSteps = async (id: string) => {
    const { schedule, coming_schedules } = await bottleOf(id);
    return stepsOf([...(schedule ? [schedule] : []), ...coming_schedules]);
  };

  /** 4 pills from now on, 3 in a week, 2 in two weeks. */
  async function taper(): Promise<string> {
    const { id } = await support.register({ schedule: doseOf(4) });
    await set(id, doseOf(3, { effective_from: at(7 * DAY) }));
    await set(id, doseOf(2, { effective_from: at(14 * DAY) }));
    return id;
  }

  it('sets a taper in one request: a step begins when the one before has ended, or when it says', async () => {
    const { id } = await support.register({ schedule: doseOf(9) });
    await set(id, doseOf(8, { effective_from: at(60 * DAY) }));
    const steps = [
      doseOf(4, { doses: 3 }),
      doseOf(3, { until: '2026-03-06' }),
      doseOf(2.5),
      doseOf(1, { effective_from: at(14 * DAY) }),
    ];
    const put = (body: object) => support.call('put', `/v1/bottles/${id}/schedule`, body);
    const answer = await put({ steps });
    expect(answer.status).toBe(200);
    expect(
      answer.body.plan.map(({ effective_from, schedule }: Step) => [effective_from, schedule.pills_per_dose]),
    ).toEqual([
      [NOW.toISOString(), 4],
      [expect.stringMatching(/^2026-03-0[34]T07:01/), 3],
      ['2026-03-06T23:00:00.000Z', 2.5],
      [at(14 * DAY).toISOString(), 1],
      [at(60 * DAY).toISOString(), 8],
    ]);
    expect((await put({ steps: steps.slice(0, 2), replaces_later: true })).body.plan).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['steps', { steps: [] }],
    ['steps', { steps: 'daily' }],
    ['schedule', { steps: [{}], schedule: {} }],
    ['replaces', { steps: [{}], replaces: NOW.toISOString() }],
    ['steps[0].kind', { steps: [{}] }],
    [
      'steps[1].times[0].pills',
      { steps: [doseOf(1, { doses: 1 }), doseOf(1, { times: [{ at: '08:00', pills: 0.3 }] })] },
    ],
    ['steps[1].effective_from', { steps: [doseOf(1), doseOf(2)] }],
    [
      'steps[1].until',
      { steps: [doseOf(1), doseOf(2, { effective_from: at(9 * DAY), until: '2026-03-02' })] },
    ],
    ['schedule.until', { schedule: doseOf(1, { until: '2026-02-28' }) }],
  ])('refuses %s of %j', async (field, body) => {
    const { id } = await support.register({ schedule: doseOf(9) });
    expect(await support.call('put', `/v1/bottles/${id}/schedule`, body)).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    });
  });

  it.each<[string, object]>([
    [
      'amounts by time',
      { ...doseOf(0.5), times: ['20:00', { at: '08:00', pills: 1.5 }, { at: '08:00', pills: 0.25 }] },
    ],
    ['days of the month until a day', doseOf(1, { days_of_month: [31, 1], until: '2026-09-10' })],
    [
      'so many doses of a cycle',
      doseOf(1, { doses: 14, cycle: { days_on: 2, days_off: 1, anchor: '2026-03-01' } }),
    ],
    ['an interval with an end', { kind: 'interval', every: '8h', anchor: '2026-03-01T06:00:00Z', doses: 9 }],
    ['as needed until a day', { kind: 'as_needed', max_per_day: 3, min_interval: '4h', until: '2026-09-10' }],
  ])('gives back as it was sent: %s', async (_, schedule) => {
    const { id } = await support.register({ schedule });
    expect((await bottleOf(id)).schedule.schedule).toMatchObject(schedule);
    const sent = (await bottleOf(id)).schedule.schedule;
    expect((await set(id, sent)).body.schedule).toEqual(sent);
  });

  it('leaves later steps, unless it replaces them', async () => {
    const id = await taper();
    support.clock.set(at(10));
    const today = await set(id, doseOf(5));
    const later = [
      [7 * DAY, 3],
      [14 * DAY, 2],
    ];
    expect(today).toMatchObject({
      status: 200,
      body: { effective_from: at(10).toISOString(), warnings: [] },
    });
    expect(stepsOf(today.body.plan)).toEqual([[10, 5], ...later]);
    expect(await storedSteps(id)).toEqual([[10, 5], ...later]);
    expect(await bottleOf(id)).toMatchObject({
      next_dose: { pills: 5 },
      // what applies again if today's change is removed
      previous_schedule: { effective_from: NOW.toISOString(), schedule: { pills_per_dose: 4 } },
    });

    const changed = await set(id, doseOf(1, { effective_from: at(7 * DAY) }));
    expect(stepsOf(changed.body.plan)).toEqual([
      [10, 5],
      [7 * DAY, 1],
      [14 * DAY, 2],
    ]);

    support.clock.set(at(20));
    const only = await set(id, doseOf(4), { replaces_later: true });
    expect(stepsOf(only.body.plan)).toEqual([[20, 4]]);
    expect(await storedSteps(id)).toEqual([[20, 4]]);
  });

  it('moves a planned step; one that has begun, or that is not there, is not found', async () => {
    const id = await taper();
    const moved = await set(id, doseOf(3, { effective_from: at(9 * DAY) }), { replaces: at(7 * DAY) });
    expect(stepsOf(moved.body.plan)).toEqual([
      [0, 4],
      [9 * DAY, 3],
      [14 * DAY, 2],
    ]);
    const notFound = { status: 404, body: { code: 'step_not_found' } };
    const schedule = doseOf(3, { effective_from: at(20 * DAY) });
    expect(await set(id, schedule, { replaces: at(7 * DAY) })).toMatchObject(notFound);
    expect(await set(id, schedule, { replaces: at(0) })).toMatchObject(notFound);
    support.clock.set(at(9 * DAY));
    expect(await set(id, schedule, { replaces: at(9 * DAY) })).toMatchObject(notFound);
    expect(await storedSteps(id)).toEqual([
      [9 * DAY, 3],
      [14 * DAY, 2],
    ]);
    expect(await set(id, schedule, { replaces: 'tomorrow' })).toMatchObject({ status: 400 });
    expect(await set(id, schedule, { replaces_later: 'yes' })).toMatchObject({ status: 400 });
  });

  it('removes a step: the one before it has its time, from now on', async () => {
    const id = await taper();
    await support.database.db
      .collection('bottle_states')
      .updateOne({ _id: new Types.ObjectId(id) }, { $set: { dose_due_at: at(1000) } });
    support.clock.set(at(10));
    const answer = await remove(id, at(7 * DAY));
    expect(answer.status).toBe(200);
    expect(stepsOf(answer.body.plan)).toEqual([
      [0, 4],
      [14 * DAY, 2],
    ]);
    // the version; that of the bottle has its content, too
    const bottle = (await support.get(`/v1/bottles/${id}`)).headers['etag']!;
    expect(bottle.startsWith(`${answer.headers['etag']!.slice(0, -1)}.`)).toBe(true);
    const state = await support.database.db
      .collection('bottle_states')
      .findOne({ _id: new Types.ObjectId(id) });
    expect(state).toMatchObject({ dose_due_at: at(10), schedule_changed_at: at(10) });
    support.clock.set(at(15 * DAY));
    expect(stepsOf((await remove(id, at(14 * DAY))).body.plan)).toEqual([[15 * DAY, 4]]);
    const versions = (await support.database.db
      .collection('bottles')
      .findOne({ _id: new Types.ObjectId(id) }))!;
    expect(
      versions['schedule_versions'].map((version: { effective_from: Date }) => version.effective_from),
    ).toEqual([at(0), at(14 * DAY), at(15 * DAY)]);
  });

  it('removes no step that is over, and not the first one once it has begun', async () => {
    const id = await taper();
    expect(await remove(id, at(0))).toMatchObject({ status: 409, body: { code: 'first_step' } });
    expect(await remove(id, at(1))).toMatchObject({ status: 404, body: { code: 'step_not_found' } });
    support.clock.set(at(8 * DAY));
    expect(await remove(id, at(0))).toMatchObject({ status: 404, body: { code: 'step_not_found' } });
    expect(await storedSteps(id)).toEqual([
      [7 * DAY, 3],
      [14 * DAY, 2],
    ]);
    expect((await support.call('delete', `/v1/bottles/${id}/schedule`)).status).toBe(400);
    expect((await remove('0'.repeat(24), at(0))).body.code).toBe('bottle_not_found');
    const planned = await support.register({ schedule: doseOf(4, { effective_from: at(9 * DAY) }) });
    expect((await remove(planned.id, at(9 * DAY))).body).toEqual({ plan: [] });
    expect((await bottleOf(planned.id)).schedule).toBeNull();
  });

  it('loses no step when several callers save different ones at once', async () => {
    const id = await taper();
    const days = [1, 2, 3, 4, 5, 6];
    await Promise.all([
      ...days.map((day) => set(id, doseOf(day, { effective_from: at(day * DAY) }))),
      remove(id, at(14 * DAY)),
    ]);
    expect(await storedSteps(id)).toEqual([[0, 4], ...days.map((day) => [day * DAY, day]), [7 * DAY, 3]]);
  });

  it('changes and removes only what was seen', async () => {
    const id = await taper();
    const { etag } = (await support.get(`/v1/bottles/${id}`)).headers;
    await set(id, doseOf(1, { effective_from: at(14 * DAY) }));
    const before = await support.stored(['audit']);
    const path = `/v1/bottles/${id}/schedule`;
    const step = `${path}?effective_from=${at(7 * DAY).toISOString()}`;
    const http = supertest(support.app.getHttpServer());
    for (const request of [http.put(path).send({ schedule: doseOf(5) }), http.delete(step)])
      expect(await request.set({ authorization: `Bearer ${ADMIN_TOKEN}`, 'if-match': etag! })).toMatchObject({
        status: 412,
        body: { code: 'changed_meanwhile' },
      });
    expect(await support.stored(['audit'])).toBe(before);
  });

  it('shows in a preview the plan as it would be, and stores nothing', async () => {
    const id = await taper();
    const before = await support.stored();
    const preview = async (schedule: object, more: object = {}) => {
      const { status, body } = await support.post(`/v1/bottles/${id}/schedule/preview`, {
        schedule,
        ...more,
      });
      expect(status).toBe(200);
      return body;
    };
    support.clock.set(at(10));
    const today = await preview(doseOf(5));
    expect(stepsOf(today.plan)).toEqual([
      [10, 5],
      [7 * DAY, 3],
      [14 * DAY, 2],
    ]);
    expect(today.doses.map(({ pills }: { pills: number }) => pills)).toEqual([
      ...Array(7).fill(5),
      ...Array(7).fill(3),
      ...Array(6).fill(2),
    ]);
    expect(stepsOf((await preview(doseOf(5), { replaces_later: true })).plan)).toEqual([[10, 5]]);
    const moved = await preview(doseOf(3, { effective_from: at(9 * DAY) }), { replaces: at(7 * DAY) });
    expect(stepsOf(moved.plan)).toEqual([
      [0, 4],
      [9 * DAY, 3],
      [14 * DAY, 2],
    ]);
    expect(await support.stored()).toBe(before);
  });

  it('warns of a schedule that cannot be judged well, and saves it', async () => {
    const tight = { kind: 'times_of_day', times: ['08:00', '10:00'] };
    const warnings = [
      { code: 'windows_overlap', field: 'schedule.early_window', doses_apart: '2h' },
      { code: 'missed_after_next_dose', field: 'schedule.missed_after', doses_apart: '2h' },
    ];
    const body = { user_id: 'u', medication: 'M', time_zone: 'UTC' };
    const registered = await support.post('/v1/bottles', { ...body, schedule: tight });
    expect(registered).toMatchObject({ status: 201, body: { warnings } });
    const { id } = await support.register({ schedule: doseOf(4) });
    expect(await set(id, tight)).toMatchObject({ status: 200, body: { warnings } });
    expect((await bottleOf(id)).schedule.schedule.times).toEqual(tight.times);
    const path = '/v1/bottles/schedule/preview';
    const previewed = await support.post(path, { schedule: tight, time_zone: 'UTC' });
    expect(previewed.body).toMatchObject({ warnings, plan: [{ schedule: tight }] });
    expect((await support.post('/v1/bottles', body)).body.warnings).toEqual([]);
    const csv = 'user_id,medication,time_zone,times\na,M,UTC,08:00\nb,M,UTC,08:00 10:00\n';
    const lines = warnings.map((warning) => ({ line: 3, ...warning }));
    expect(await support.sendCsv('/v1/bottles/import/check', csv)).toMatchObject({
      status: 200,
      body: { bottles: 2, warnings: lines },
    });
    expect((await support.importCsv(csv)).body.created).toMatchObject([{ warnings: [] }, { warnings }]);
  });

  it('warns of a step that ends before the next begins, and not of one dose alone with what goes on after it', async () => {
    const id = await taper();
    const gap = { kind: 'times_of_day', times: ['10:00'], pills_per_dose: 4, until: '2026-03-02' };
    const warning = {
      code: 'ends_before_next_step',
      field: 'schedule.until',
      no_dose_until: at(7 * DAY).toISOString(),
    };
    const preview = `/v1/bottles/${id}/schedule/preview`;
    expect((await support.post(preview, { schedule: gap })).body.warnings).toMatchObject([warning]);
    expect((await set(id, gap)).body.warnings).toMatchObject([warning]);
    // as it was before
    expect((await set(id, { ...gap, pills_per_dose: 5 })).body.warnings).toEqual([]);
    const today = { steps: [doseOf(4, { times: ['10:00'], doses: 1 }), doseOf(4)] };
    const alone = await support.call('put', `/v1/bottles/${await taper()}/schedule`, today);
    expect(alone.body).toMatchObject({ warnings: [] });
    expect(alone.body.plan).toHaveLength(4);
    const body = { user_id: 'u', medication: 'M', time_zone: 'UTC' };
    const steps = [doseOf(4, { doses: 1 }), doseOf(3, { effective_from: at(7 * DAY) })];
    expect((await support.post('/v1/bottles', { ...body, steps })).body.warnings).toMatchObject([
      { code: 'ends_before_next_step', field: 'schedule.doses' },
    ]);
  });

  it('are in the audit: what was replaced and removed, without the schedule', async () => {
    const id = await taper();
    await set(id, doseOf(5), { replaces_later: true });
    const entries = async () =>
      (await support.get(`/v1/audit?category=change&subject=bottle:${id}`)).body.items;
    expect((await entries())[0]).toMatchObject({
      action: 'bottle.set_schedule',
      details: { replaces_later: true, fields: ['schedule'] },
    });
    await set(id, doseOf(3, { effective_from: at(7 * DAY) }));
    await remove(id, at(7 * DAY));
    expect((await entries())[0]).toMatchObject({
      action: 'bottle.remove_step',
      details: { effective_from: at(7 * DAY).toISOString() },
    });
  });
});
