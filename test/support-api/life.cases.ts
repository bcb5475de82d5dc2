import { RegistryWatch } from '../../apps/device-api/src/auth/registry-watch.js';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { at, insertAlerts } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('the life of a bottle', () => {
  const DAILY = { kind: 'times_of_day', times: ['20:00'] };

  let support: Support;

  beforeAll(async () => {
    support = await Support.start('lives');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const view = async (id: string) => (await support.get(`/v1/bottles/${id}`)).body;
  const stateOf = (id: string) =>
    support.database.db.collection('bottle_states').findOne({ _id: new Types.ObjectId(id) });
  const idsIn = async (query: string): Promise<string[]> =>
    (await support.pages(`/v1/bottles${query}`, 50)).items.map(({ bottle_id }) => bottle_id);
  const does = (id: string, verb: string, body: object = {}) =>
    support.post(`/v1/bottles/${id}/${verb}`, body);

  it('is in use since its registration', async () => {
    const { id } = await support.register();
    expect((await view(id)).life).toEqual({
      state: 'in_use',
      since: NOW.toISOString(),
      reason: null,
      note: null,
      by: null,
    });
  });

  it('retires with a date, a reason, a note and who did it; repeated, it corrects the reason', async () => {
    const { id } = await support.register({ schedule: DAILY });
    const retired = await does(id, 'retire', { reason: 'lost', note: 'On a train.' });
    expect(retired.status).toBe(200);
    const life = {
      state: 'retired',
      since: NOW.toISOString(),
      reason: 'lost',
      note: 'On a train.',
      by: 'ADMIN_TOKEN',
    };
    expect(retired.body).toMatchObject({ life, schedule: null, next_dose: null, status: 'ok' });
    support.clock.advance(60_000);
    await does(id, 'retire', { reason: 'returned' });
    expect((await view(id)).life).toEqual({ ...life, reason: 'returned', note: null });
    expect((await does(id, 'retire', { reason: 'bored' })).body.code).toBe('invalid_value');
    expect((await does(id, 'retire')).body).toMatchObject({ code: 'missing_field', field: 'reason' });
  });

  it('closes its alerts, and disarms what was armed', async () => {
    const { id } = await support.register({ schedule: DAILY });
    const [alert] = await insertAlerts(support, [
      { bottle_id: new Types.ObjectId(id), kind: 'bottle_open', raised_at: at(-1) },
    ]);
    await does(id, 'store', { note: 'spare' });
    const stored = await support.database.db
      .collection('alerts')
      .findOne({ bottle_id: new Types.ObjectId(id) });
    expect(stored).toMatchObject({
      state: 'closed',
      end_owed: 'closed_by_staff',
      closing: { reason: 'not_in_use', by: 'ADMIN_TOKEN', notified: true },
    });
    expect(stored).not.toHaveProperty('open');
    expect(String(stored!._id)).toBe(String(alert));
    const state = await stateOf(id);
    expect(state).toMatchObject({ life: 'stored', dose_due_at: NOW });
    for (const field of ['quiet', 'silent_at', 'open_overdue_at', 'next_dose_at', 'late'])
      expect(state).not.toHaveProperty(field);
  });

  it('leaves the lists and the counts; a filter and a search show it', async () => {
    const user = `u-${new Types.ObjectId().toHexString()}`;
    const [used, stored, retired] = [
      await support.register({ user_id: user }),
      await support.register({ user_id: user }),
      await support.register({ user_id: user }),
    ];
    await does(stored.id, 'store');
    await does(retired.id, 'retire', { reason: 'broken' });
    expect(await idsIn(`?user_id=${user}`)).toEqual([used.id]);
    expect(await idsIn(`?user_id=${user}&life=stored`)).toEqual([stored.id]);
    expect(await idsIn(`?user_id=${user}&life=retired`)).toEqual([retired.id]);
    expect(await idsIn(`?user_id=${user}&life=any`)).toEqual([used.id, stored.id, retired.id]);
    expect(await idsIn('')).not.toContain(retired.id);
    expect(await idsIn('?sort=user_id')).not.toContain(stored.id);
    expect(await idsIn('?life=retired')).toContain(retired.id);
    expect((await idsIn(`?q=${user}`)).toSorted()).toEqual([used.id, stored.id, retired.id].toSorted());
    expect(await idsIn(`?q=${user}&life=in_use`)).toEqual([used.id]);
    expect((await support.get('/v1/bottles?life=stored&sort=user_id')).body.code).toBe('unsupported_sort');
  });

  it('has no plan and no other user while it is nobody’s; periods of before can be entered', async () => {
    const { id } = await support.register({ schedule: DAILY });
    await does(id, 'store');
    const refused = [
      await support.call('put', `/v1/bottles/${id}/schedule`, { schedule: DAILY }),
      await support.call('patch', `/v1/bottles/${id}`, { user_id: 'somebody' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'bottle_not_in_use']),
    );
    expect((await support.call('patch', `/v1/bottles/${id}`, { medication: 'Hyronalin' })).status).toBe(200);
    const hospital = { reason: 'hospital', from: at(-60).toISOString() };
    expect((await does(id, 'periods', hospital)).status).toBe(201);
    support.clock.advance(60_000);
    await does(id, 'assign', { user_id: 'somebody' });
    const { items } = (await support.get(`/v1/bottles/${id}/periods`)).body;
    expect(items).toMatchObject([{ reason: 'hospital', to: NOW.toISOString() }]);
  });

  it('comes back by assigning it, to somebody else with a plan of their own', async () => {
    const { id, token } = await support.register({ user_id: 'first', schedule: DAILY });
    expect((await does(id, 'assign', { user_id: 'second' })).body.code).toBe('bottle_in_use');
    await support.report(token, 'heartbeats');
    support.clock.advance(60_000);
    await does(id, 'retire', { reason: 'returned' });
    support.clock.advance(60_000);
    const schedule = { kind: 'times_of_day', times: ['09:00'] };
    const { body } = await does(id, 'assign', { user_id: 'second', schedule });
    expect(body).toMatchObject({
      user_id: 'second',
      life: { state: 'in_use', since: at(2).toISOString(), by: 'ADMIN_TOKEN' },
      schedule: { schedule: { times: ['09:00'] } },
      previous_schedule: null,
      status: 'unknown',
      reasons: [{ text: 'In use again, no report since.' }],
    });
    const ofFirst = (await support.get('/v1/people/first/export')).body;
    const ofSecond = (await support.get('/v1/people/second/export')).body;
    expect([ofFirst.bottles.length, ofSecond.bottles.length]).toEqual([1, 1]);
    const times = ({ bottles }: { bottles: { schedule_versions: { schedule: { times: string[] } }[] }[] }) =>
      bottles[0]!.schedule_versions.map(({ schedule }) => schedule.times[0]);
    expect([times(ofFirst), times(ofSecond)]).toEqual([['20:00'], ['09:00']]);
  });

  it('is changed by the version that somebody saw, and by one of two at once', async () => {
    const { id } = await support.register();
    const { headers } = await support.get(`/v1/bottles/${id}`);
    const storeAs = (version: string) =>
      supertest(support.app.getHttpServer())
        .post(`/v1/bottles/${id}/store`)
        .set('authorization', `Bearer ${ADMIN_TOKEN}`)
        .set('if-match', version)
        .send({});
    const both = await Promise.all([storeAs(headers['etag']!), storeAs(headers['etag']!)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412]);
    const known = both.find(({ status }) => status === 200)!.headers['etag'] as string;
    expect((await storeAs(known)).status).toBe(200);
  });

  it('stops the token while it is retired, within a minute, and takes reports again when it is assigned', async () => {
    const { id, token } = await support.register();
    expect((await support.report(token, 'heartbeats')).status).toBe(204);
    await does(id, 'retire', { reason: 'lost' });
    const poll = () => support.device.get(RegistryWatch).poll();
    await poll();
    const refused = await support.report(token, 'heartbeats');
    expect([refused.status, refused.body.code]).toEqual([403, 'bottle_retired']);
    await does(id, 'assign', { user_id: 'willcross1024' });
    await poll();
    expect((await support.report(token, 'heartbeats')).status).toBe(204);
    await does(id, 'store');
    await poll();
    expect((await support.report(token, 'heartbeats')).status).toBe(204);
  });

  it('is for staff of the role support, and on record', async () => {
    const { id } = await support.register();
    const viewer = await support.keyOf('viewer');
    expect((await support.post(`/v1/bottles/${id}/retire`, { reason: 'lost' }, viewer)).status).toBe(403);
    await does(id, 'retire', { reason: 'owner_died', note: 'a secret' });
    await does(id, 'assign', { user_id: 'somebody' });
    const { body } = await support.get(`/v1/audit?subject=bottle:${id}`);
    const text = JSON.stringify(body);
    for (const action of ['bottle.retire', 'bottle.assign', 'owner_died']) expect(text).toContain(action);
    expect(text).not.toContain('a secret');
  });
});
