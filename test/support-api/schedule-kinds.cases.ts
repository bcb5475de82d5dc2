import { SCHEDULE_COLUMNS } from '../../apps/support-api/src/bottles/schedule-columns.js';
import { NOW, Support } from './support.js';

const DAILY = { kind: 'times_of_day', times: ['08:00'] };
const EVERY = { kind: 'interval', every: '8h', anchor: '2026-03-01T06:00:00Z' };
const NEEDED = { kind: 'as_needed', max_per_day: 4 };
const WINDOWS = { early_window: '30m', late_after: '90m', missed_after: '1d' };
const CYCLE = { days_on: 21, days_off: 7, anchor: '2026-03-01' };

/** The console is compiled apart, for browsers: its types are not those of this program. */
const FORM = '../../apps/console/src/features/bottle/schedule/draft.js';
interface ScheduleForm {
  draftOf(schedule: object, bottleZone: string, present: number): object;
  scheduleOf(draft: object, bottleZone: string): object;
}

type Row = Record<string, string>;

/** A schedule, and the cells of the file that are the same. */
const KINDS: [string, object, Row][] = [
  ['times', { ...DAILY, times: ['20:00', '08:00'] }, { times: '20:00 08:00' }],
  ['pills', { ...DAILY, pills_per_dose: 0.25 }, { times: '08:00', pills_per_dose: '0.25' }],
  [
    'amounts by time',
    { ...DAILY, times: [{ at: '08:00', pills: 2 }, '12:00', { at: '20:00', pills: 1.5 }] },
    { times: '08:00=2;12:00;20:00=1.5' },
  ],
  [
    'amounts with a decimal comma',
    { ...DAILY, times: [{ at: '08:00', pills: 1.5 }, { at: '12:00', pills: 1 }, '20:00'] },
    { times: '08:00=1,5,12:00=1,20:00' },
  ],
  [
    'the same time twice',
    { ...DAILY, times: ['08:00', '08:00', { at: '08:00', pills: 0.5 }] },
    { times: '08:00, 08:00, 08:00=0.5' },
  ],
  [
    'days of the week',
    { ...DAILY, days_of_week: ['mon', 'fri'] },
    { times: '08:00', days_of_week: 'mon fri' },
  ],
  ['days of the month', { ...DAILY, days_of_month: [31, 1] }, { times: '08:00', days_of_month: '31;1' }],
  ['a cycle', { ...DAILY, cycle: CYCLE }, { times: '08:00', cycle: '21/7 2026-03-01' }],
  ['a last day', { ...DAILY, until: '2026-03-10' }, { times: '08:00', until: '2026-03-10' }],
  ['so many doses', { ...DAILY, doses: 14 }, { times: '08:00', doses: '14' }],
  [
    'windows',
    { ...DAILY, ...WINDOWS },
    { times: '08:00', early_window: '30m', late_after: '90m', missed_after: '1d' },
  ],
  [
    'its own zone',
    { ...DAILY, time_zone: 'Asia/Tokyo' },
    { times: '08:00', schedule_time_zone: 'Asia/Tokyo' },
  ],
  [
    'an interval in days, windows and zone',
    { ...EVERY, every: '3d', pills_per_dose: 2, ...WINDOWS, time_zone: 'Asia/Tokyo' },
    {
      every: '3d',
      anchor: '2026-03-01T06:00:00Z',
      pills_per_dose: '2',
      early_window: '30m',
      late_after: '90m',
      missed_after: '1d',
      schedule_time_zone: 'Asia/Tokyo',
    },
  ],
  [
    'an interval in minutes, to the second',
    { ...EVERY, every: '90m', anchor: '2026-10-25T01:30:30Z' },
    { every: '90m', anchor: '2026-10-25T01:30:30Z' },
  ],
  [
    'an interval until a day, with an offset',
    { ...EVERY, anchor: '2026-03-01T06:00:00+05:30', until: '2026-03-10' },
    { every: '8h', anchor: '2026-03-01T06:00:00+05:30', until: '2026-03-10' },
  ],
  [
    'an interval of so many doses',
    { ...EVERY, doses: 1_000 },
    { every: '8h', anchor: '2026-03-01T06:00:00Z', doses: '1000' },
  ],
  ['as needed', NEEDED, { max_per_day: '4' }],
  [
    'as needed, not too soon, until a day, in a zone',
    { ...NEEDED, min_interval: '4h', pills_per_dose: 0.5, until: '2026-03-10', time_zone: 'Asia/Tokyo' },
    {
      max_per_day: '4',
      min_interval: '4h',
      pills_per_dose: '0.5',
      until: '2026-03-10',
      schedule_time_zone: 'Asia/Tokyo',
    },
  ],
];

/** A schedule that is refused, and the field that the answer names. */
const MALFORMED: [string, unknown][] = [
  ['schedule', 'daily'],
  ['schedule', [DAILY]],
  ['schedule.kind', {}],
  ['schedule.kind', { ...DAILY, kind: 'daily' }],
  ['schedule.colour', { ...DAILY, colour: 'red' }],
  ['schedule.every', { ...DAILY, every: '8h' }],
  ['schedule.times', { kind: 'times_of_day' }],
  ['schedule.times', { ...DAILY, times: [] }],
  ['schedule.times', { ...DAILY, times: Array.from({ length: 25 }, () => '08:00') }],
  ['schedule.times[0]', { ...DAILY, times: ['8:00'] }],
  ['schedule.times[1]', { ...DAILY, times: ['08:00', null] }],
  ['schedule.times[1].at', { ...DAILY, times: ['08:00', { pills: 1 }] }],
  ['schedule.times[0].at', { ...DAILY, times: [{ at: '24:00', pills: 1 }] }],
  ['schedule.times[0].pills', { ...DAILY, times: [{ at: '08:00' }] }],
  ['schedule.times[0].pills', { ...DAILY, times: [{ at: '08:00', pills: 0 }] }],
  ['schedule.times[0].pills', { ...DAILY, times: [{ at: '08:00', pills: 1.3 }] }],
  ['schedule.times[0].pills', { ...DAILY, times: [{ at: '08:00', pills: '1.5' }] }],
  ['schedule.times[0].unit', { ...DAILY, times: [{ at: '08:00', pills: 1, unit: 'mg' }] }],
  ['schedule.days_of_week', { ...DAILY, days_of_week: [] }],
  ['schedule.days_of_week[0]', { ...DAILY, days_of_week: ['monday'] }],
  ['schedule.days_of_week[1]', { ...DAILY, days_of_week: ['mon', 'mon'] }],
  ['schedule.days_of_month[0]', { ...DAILY, days_of_month: [0] }],
  ['schedule.days_of_month[1]', { ...DAILY, days_of_month: [1, 32] }],
  ['schedule.days_of_month', { ...EVERY, days_of_month: [1] }],
  ['schedule.cycle', { ...DAILY, cycle: 21 }],
  ['schedule.cycle.days_on', { ...DAILY, cycle: { ...CYCLE, days_on: 0 } }],
  ['schedule.cycle.days_off', { ...DAILY, cycle: { ...CYCLE, days_off: 1.5 } }],
  ['schedule.cycle.anchor', { ...DAILY, cycle: { ...CYCLE, anchor: '2026-02-30' } }],
  ['schedule.until', { ...DAILY, until: '2026-02-30' }],
  ['schedule.until', { ...NEEDED, until: 20260301 }],
  ['schedule.doses', { ...DAILY, doses: 0 }],
  ['schedule.doses', { ...EVERY, doses: 1_001 }],
  ['schedule.doses', { ...DAILY, doses: 3, until: '2026-03-10' }],
  ['schedule.doses', { ...NEEDED, doses: 3 }],
  ['schedule.every', { ...EVERY, every: '59m' }],
  ['schedule.every', { kind: 'interval', anchor: EVERY.anchor }],
  ['schedule.anchor', { ...EVERY, anchor: '2026-03-01' }],
  ['schedule.max_per_day', { kind: 'as_needed' }],
  ['schedule.max_per_day', { ...NEEDED, max_per_day: '4' }],
  ['schedule.min_interval', { ...NEEDED, min_interval: '25h' }],
  ['schedule.pills_per_dose', { ...DAILY, pills_per_dose: 0.1 }],
  ['schedule.pills_per_dose', { ...NEEDED, pills_per_dose: null }],
  ['schedule.early_window', { ...DAILY, early_window: '25h' }],
  ['schedule.late_after', { ...DAILY, late_after: '4h' }],
  ['schedule.missed_after', { ...DAILY, missed_after: '8d' }],
  ['schedule.time_zone', { ...DAILY, time_zone: '+02:00' }],
  ['schedule.effective_from', { ...DAILY, effective_from: 'tomorrow' }],
];

/** Cells that are refused, and the column that the answer names. */
const MALFORMED_CELLS: [string, Row][] = [
  ['times', { times: '08:00=two' }],
  ['times', { times: '08:00=1=2' }],
  ['times', { times: '=2' }],
  ['times', { times: ';' }],
  ['days_of_week', { times: '08:00', days_of_week: 'Monday' }],
  ['days_of_month', { times: '08:00', days_of_month: '1 32' }],
  ['cycle', { times: '08:00', cycle: '21' }],
  ['cycle', { times: '08:00', cycle: '21/0 2026-03-01' }],
  ['doses', { times: '08:00', doses: 'many' }],
  ['doses', { times: '08:00', doses: '3', until: '2026-03-10' }],
  ['every', { times: '08:00', every: '8h' }],
  ['anchor', { every: '8h' }],
  ['every', { anchor: '2026-03-01T06:00:00Z' }],
  ['max_per_day', { min_interval: '4h' }],
  ['late_after', { times: '08:00', late_after: '4h' }],
  ['schedule_time_zone', { times: '08:00', schedule_time_zone: 'Mars/Phobos' }],
  ['pills_per_dose', { pills_per_dose: '2', until: '2026-03-10' }],
  ['until', { until: '2026-03-10' }],
];

describe('every kind of schedule', () => {
  let support: Support;
  let form: ScheduleForm;

  beforeAll(async () => {
    form = (await import(FORM)) as ScheduleForm;
    support = await Support.start('schedule-kinds');
  });
  afterAll(() => support?.stop());

  const ZONE = 'Europe/Berlin';
  const storedOf = async (id: string) => (await support.get(`/v1/bottles/${id}`)).body.schedule.schedule;
  const fileOf = (row: Row): string => {
    const cells = ['user', 'Metformin', ZONE, ...SCHEDULE_COLUMNS.map((column) => `"${row[column] ?? ''}"`)];
    return [['user_id', 'medication', 'time_zone', ...SCHEDULE_COLUMNS].join(), cells.join()].join('\n');
  };

  it.each(KINDS)('goes through API, file and form unchanged: %s', async (_, schedule, row) => {
    const { id } = await support.register({ schedule });
    const stored = await storedOf(id);
    expect(stored).toMatchObject(schedule);

    const set = (body: object) => support.call('put', `/v1/bottles/${id}/schedule`, { schedule: body });
    expect((await set(stored)).body.schedule).toEqual(stored);

    const imported = await support.importCsv(fileOf(row));
    expect(imported.status).toBe(201);
    expect(await storedOf(imported.body.created[0].bottle_id)).toEqual(stored);

    const saved = await set(form.scheduleOf(form.draftOf(stored, ZONE, NOW.getTime()), ZONE));
    expect(saved.body.schedule).toEqual(stored);
  });

  it('goes out in a file that the import takes, which is then the same', async () => {
    const user_id = '=anna, "a" ; +b';
    for (const [name, schedule] of KINDS)
      await support.register({ user_id, medication: `-${name}`, schedule });
    await support.register({ user_id, medication: 'none', number_of_pills: 7.25 });
    const path = `/v1/bottles/plans?user_id=${encodeURIComponent(user_id)}`;
    const before = (await support.get(path)).body.items;
    const file = await support.get(`${path}&format=csv`);
    expect(file.headers['content-type']).toContain('text/csv');
    const imported = await support.importCsv(file.text);
    expect(imported).toMatchObject({ status: 201, body: { created: { length: KINDS.length + 1 } } });
    const after = (await support.get(path)).body.items;
    const plansOf = (items: object[]) => items.map((item) => ({ ...item, bottle_id: undefined }));
    expect(plansOf(after.slice(before.length))).toEqual(plansOf(before));
    expect(before.map(({ steps }: { steps: object[] }) => steps.length)).toEqual([...KINDS.map(() => 1), 0]);
    const again = await support.get(`${path}&format=csv`);
    const [head, ...lines] = file.text.trimEnd().split('\r\n');
    expect(again.text.trimEnd().split('\r\n')).toEqual([head, ...lines, ...lines]);
  });

  it('goes in and out with all steps of a taper', async () => {
    const file = [
      'user_id,medication,time_zone,number_of_pills,step,times,doses,effective_from',
      `taper,Prednisolone,${ZONE},60,1,08:00=4,7,`,
      ',,,,2,08:00=3 20:00=0.5,7,',
      `taper,Prednisolone,${ZONE},,3,08:00=2,,`,
      `taper,Metformin,${ZONE},,,08:00,,2026-04-01T00:00:00Z`,
    ].join('\n');
    expect(await support.sendCsv('/v1/bottles/import/check', file)).toMatchObject({ body: { bottles: 2 } });
    const { body } = await support.importCsv(file);
    expect(body.created.map(({ line }: { line: number }) => line)).toEqual([2, 5]);
    const planOf = async (id: string) => {
      const { schedule, coming_schedules } = (await support.get(`/v1/bottles/${id}`)).body;
      return [schedule, ...coming_schedules];
    };
    const plan = await planOf(body.created[0].bottle_id);
    expect(plan.map(({ schedule }) => schedule.times)).toEqual([
      [{ at: '08:00', pills: 4 }],
      [
        { at: '08:00', pills: 3 },
        { at: '20:00', pills: 0.5 },
      ],
      [{ at: '08:00', pills: 2 }],
    ]);
    const out = await support.get('/v1/bottles/plans?user_id=taper&format=csv');
    const imported = await support.importCsv(out.text);
    expect(await planOf(imported.body.created[0].bottle_id)).toEqual(plan);
  });

  it('goes out with what is left of a course, and without one that is over', async () => {
    const steps = [
      { ...DAILY, doses: 5 },
      { ...DAILY, pills_per_dose: 2, until: '2026-03-09' },
    ];
    const answer = await support.post('/v1/bottles', {
      user_id: 'left',
      medication: 'Metformin',
      time_zone: ZONE,
      steps,
    });
    expect(answer.status).toBe(201);
    const left = async () => (await support.get('/v1/bottles/plans?user_id=left')).body.items[0].steps;
    try {
      support.clock.set(new Date('2026-03-04T12:00:00Z'));
      expect(await left()).toMatchObject([{ doses: 2 }, { pills_per_dose: 2 }]);
      support.clock.set(new Date('2026-03-08T12:00:00Z'));
      expect(await left()).toMatchObject([{ until: '2026-03-09' }]);
      support.clock.set(new Date('2026-03-20T12:00:00Z'));
      expect(await left()).toEqual([]);
    } finally {
      support.clock.set(NOW);
    }
  });

  it.each([
    ['step', 3, ['1,08:00,', '3,09:00,']],
    ['step', 2, ['2,08:00,']],
    ['step', 3, ['1,08:00,', '2,,']],
    ['times', 3, ['1,08:00,', '2,8 Uhr,']],
    ['times', 4, ['1,08:00,', '2,09:00,2026-04-01T00:00:00Z', '3,24:30,']],
    ['effective_from', 3, ['1,08:00,', '2,09:00,']],
  ])('of a file refuses steps by column and line: %s of line %i in %j', async (field, line, cells) => {
    const lines = cells.map((cell) => `anna,Metformin,UTC,${cell}`);
    const csv = ['user_id,medication,time_zone,step,times,effective_from', ...lines].join('\n');
    expect(await support.sendCsv('/v1/bottles/import/check', csv)).toMatchObject({
      status: 400,
      body: { code: 'invalid_csv', errors: [{ line, field }] },
    });
  });

  it('of a file refuses a step of another bottle', async () => {
    const csv = 'user_id,medication,time_zone,step,times\na,b,UTC,1,08:00\na,c,UTC,2,09:00';
    expect(await support.sendCsv('/v1/bottles/import/check', csv)).toMatchObject({
      status: 400,
      body: { errors: [{ line: 3, field: 'medication' }] },
    });
  });

  it.each(MALFORMED)('is refused by its field: %s of %j', async (field, schedule) => {
    const refusal = { status: 400, body: { errors: [{ field }] } };
    const bottle = { user_id: 'anna', medication: 'Metformin', time_zone: ZONE };
    expect(await support.post('/v1/bottles', { ...bottle, schedule })).toMatchObject(refusal);
  });

  it.each(MALFORMED_CELLS)('is refused by its column: %s of %j', async (field, row) => {
    const message = expect.stringMatching(new RegExp(`^${field}\\b`));
    const refusal = { status: 400, body: { code: 'invalid_csv', errors: [{ line: 2, field, message }] } };
    expect(await support.sendCsv('/v1/bottles/import/check', fileOf(row))).toMatchObject(refusal);
  });

  it('says how a cycle is written in a file', async () => {
    const row = { times: '08:00', cycle: '21-7' };
    const { body } = await support.sendCsv('/v1/bottles/import/check', fileOf(row));
    expect(body.errors).toMatchObject([
      { field: 'cycle', message: expect.stringContaining('21/7 2026-03-01') },
    ]);
  });

  it('says how many doses of a course are left', async () => {
    const { id } = await support.register({ schedule: { ...DAILY, doses: 2 } });
    const left = async (): Promise<unknown> => (await support.get(`/v1/bottles/${id}`)).body.doses_left;
    expect(await left()).toBe(2);
    support.clock.set(new Date('2026-03-02T08:00:00Z'));
    expect(await left()).toBe(1);
    support.clock.set(new Date('2026-03-09T08:00:00Z'));
    expect(await left()).toBe(0);
    support.clock.set(NOW);
    const endless = await support.register({ schedule: DAILY });
    expect((await support.get(`/v1/bottles/${endless.id}`)).body).toMatchObject({ doses_left: null });
  });

  it('begins when the file says', async () => {
    const row = { times: '08:00', effective_from: '2026-03-05T00:00:00Z' };
    const { body } = await support.importCsv(fileOf(row));
    expect((await support.get(`/v1/bottles/${body.created[0].bottle_id}`)).body).toMatchObject({
      schedule: null,
      coming_schedules: [{ effective_from: '2026-03-05T00:00:00.000Z' }],
    });
  });
});
