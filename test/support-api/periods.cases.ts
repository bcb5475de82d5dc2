import { at } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('periods without monitoring', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('periods');
  });
  afterAll(() => support?.stop());
  beforeEach(() => support.clock.set(NOW));

  const DAILY = { kind: 'times_of_day', times: ['08:00'], time_zone: 'UTC' };
  let people = 0;
  const register = (user_id: string) => support.register({ user_id, schedule: DAILY });
  const person = () => `period-${(people += 1)}`;
  const iso = (minutes: number) => at(minutes).toISOString();
  const periods = async (path: string) => (await support.get(`${path}/periods`)).body.items;

  it('are entered, also afterwards, changed, removed, and listed with who entered them', async () => {
    const { id } = await register(person());
    const path = `/v1/bottles/${id}/periods`;
    const past = { reason: 'hospital', from: iso(-6 * 1_440), to: iso(-1_440), note: "St. Mary's" };
    const made = await support.post(path, past);
    expect(made).toMatchObject({
      status: 201,
      body: { ...past, recorded_by: 'ADMIN_TOKEN', recorded_at: iso(0), of_person: false },
    });
    const open = await support.post(path, { reason: 'travel' });
    expect(open.body).toMatchObject({ from: iso(0), to: null, note: null });
    expect(await periods(`/v1/bottles/${id}`)).toEqual([open.body, made.body]);
    expect((await support.get(`/v1/bottles/${id}`)).body.periods).toEqual([open.body]);
    const changed = await support.call('patch', `${path}/${open.body.id}`, { to: iso(60), note: 'by train' });
    expect(changed).toMatchObject({ status: 200, body: { ...open.body, to: iso(60), note: 'by train' } });
    expect((await support.call('patch', `${path}/${open.body.id}`, { to: null, note: null })).body).toEqual(
      open.body,
    );
    expect((await support.call('delete', `${path}/${made.body.id}`)).status).toBe(204);
    expect(await periods(`/v1/bottles/${id}`)).toEqual([open.body]);
    expect(await support.call('delete', `${path}/${made.body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'period_not_found' },
    });
  });

  it.each([
    ['reason', { reason: 'holiday' }],
    ['reason', {}],
    ['to', { reason: 'pause' }],
    ['to', { reason: 'travel', from: iso(10), to: iso(10) }],
    ['from', { reason: 'travel', from: 'yesterday' }],
    ['until', { reason: 'travel', until: iso(10) }],
    ['note', { reason: 'travel', note: 'x'.repeat(1_001) }],
  ])('are refused by %s: %j', async (field, body) => {
    const { id } = await register(person());
    const refused = { status: 400, body: { errors: [{ field }] } };
    expect(await support.post(`/v1/bottles/${id}/periods`, body)).toMatchObject(refused);
  });

  it('honour a pause that began six days ago', async () => {
    const { id } = await register(person());
    const pause = { from: iso(-6 * 1_440), to: iso(1_440) };
    expect(await support.post(`/v1/bottles/${id}/pauses`, pause)).toMatchObject({ status: 201, body: pause });
    expect(await periods(`/v1/bottles/${id}`)).toMatchObject([{ ...pause, reason: 'pause' }]);
    expect((await support.get(`/v1/bottles/${id}`)).body.today).toMatchObject({
      schedule_state: 'paused',
      schedule_state_until: pause.to,
    });
  });

  it('are of every bottle that the person gets, and end when a bottle is handed over', async () => {
    const [anna, ben] = [person(), person()];
    const first = await register(anna);
    const other = await register(ben);
    const made = (await support.post(`/v1/people/${anna}/periods`, { reason: 'hospital' })).body;
    expect(made).toMatchObject({ of_person: true, to: null });
    expect(await periods(`/v1/people/${anna}`)).toEqual([made]);
    support.clock.set(at(10));
    const second = await register(anna);
    expect(await periods(`/v1/bottles/${second.id}`)).toEqual([made]);
    await support.call('patch', `/v1/bottles/${other.id}`, { user_id: anna });
    expect(await periods(`/v1/bottles/${other.id}`)).toEqual([{ ...made, from: iso(10) }]);
    await support.call('patch', `/v1/bottles/${first.id}`, { user_id: ben });
    expect(await periods(`/v1/bottles/${first.id}`)).toEqual([{ ...made, to: iso(10) }]);
    const path = `/v1/people/${anna}/periods/${made.id}`;
    expect((await support.call('patch', path, { to: iso(20) })).status).toBe(200);
    expect(await periods(`/v1/bottles/${second.id}`)).toMatchObject([{ id: made.id, to: iso(20) }]);
    expect((await support.call('delete', path)).status).toBe(204);
    expect(await periods(`/v1/people/${anna}`)).toEqual([]);
    expect(await support.post('/v1/people/nobody-at-all/periods', { reason: 'travel' })).toMatchObject({
      status: 404,
    });
  });

  it('let a dose be attested that is not monitored', async () => {
    const { id } = await register(person());
    support.clock.set(at(1_440));
    await support.post(`/v1/bottles/${id}/periods`, { reason: 'pillbox', from: iso(-1_440) });
    const slot = '2026-03-02T08:00:00.000Z';
    const stated = await support.post(`/v1/bottles/${id}/attestations`, {
      scheduled_at: slot,
      kind: 'taken',
    });
    expect(stated.status).toBe(201);
    const { today } = (await support.get(`/v1/bottles/${id}`)).body;
    expect(today.doses).toMatchObject([
      {
        scheduled_at: slot,
        status: 'not_monitored',
        period: { reason: 'pillbox' },
        reported: { outcome: 'taken', agreement: 'unproven' },
      },
    ]);
  });
});
