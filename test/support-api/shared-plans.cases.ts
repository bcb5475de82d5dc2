import { Types } from 'mongoose';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { at } from './fixtures.js';
import { type Answer, NOW, Support } from './support.js';

const DAILY = { kind: 'times_of_day', times: ['12:00', '20:00'], time_zone: 'UTC' };
const MISSING = 'aaaaaaaaaaaaaaaaaaaaaaaa';

describe('a plan of several bottles', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('shared-plans');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const view = async (id: string) => (await support.get(`/v1/bottles/${id}`)).body;
  const change = (id: string, body: object): Promise<Answer> =>
    support.call('patch', `/v1/bottles/${id}`, body);
  const stateOf = (id: string) =>
    support.database.db.collection('bottle_states').findOne({ _id: new Types.ObjectId(id) });

  /** A bottle with a plan, and another one that is for it. */
  async function pair(): Promise<{ home: string; work: string; token: string; homeToken: string }> {
    const { id: home, token: homeToken } = await support.register({ schedule: DAILY, number_of_pills: 2 });
    const { id: work, token } = await support.register({ plan_of: home, number_of_pills: 3 });
    return { home, work, token, homeToken };
  }

  it('is shown by the bottle that has it and by those that are for it', async () => {
    const { home, work } = await pair();
    const { body: other } = await support.get(`/v1/bottles/${work}`);
    expect(other).toMatchObject({
      plan_of: home,
      plan_members: [],
      schedule: null,
      next_dose: null,
      days_left: null,
      today: { schedule_state: 'shared', doses: [] },
    });
    expect(await view(home)).toMatchObject({
      plan_of: null,
      plan_members: [{ bottle_id: work, since: NOW.toISOString(), pills_left: 3 }],
      pills_left: 2,
      // five pills, and two doses a day, of which one is due now
      days_left: 2,
    });
    expect(await stateOf(home)).toMatchObject({ schedule_changed_at: NOW });
  });

  it('shows its doses with the bottle that has it, judged by the reports of all', async () => {
    support.clock.set(at(-60));
    const { home, token, homeToken } = await pair();
    for (const one of [homeToken, token]) await support.report(one, 'heartbeats');
    support.clock.set(at(5));
    await support.report(homeToken, 'heartbeats');
    const removed = { pills_taken: 1, number_of_pills: 2 };
    await support.report(token, 'actions', { action: 'closed', time: at(5).toISOString(), ...removed });
    expect((await view(home)).today.doses).toMatchObject([
      { status: 'taken_on_time', taken_at: at(5).toISOString() },
      { status: 'upcoming' },
    ]);
    const days = await support.get(
      `/v1/bottles/${home}/adherence?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z`,
    );
    expect(days.body.initiation).toMatchObject({ first_dose_at: at(5).toISOString() });
  });

  it('ends the bottle’s own plan, and is left again', async () => {
    const { id: home } = await support.register({ schedule: DAILY });
    const { id: work } = await support.register({ schedule: DAILY });
    support.clock.set(at(30));
    const joined = await change(work, { plan_of: home });
    expect(joined.body).toMatchObject({ plan_of: home, schedule: null, next_dose: null });
    // once more changes nothing
    support.clock.set(at(40));
    expect((await change(work, { plan_of: home })).status).toBe(200);
    expect((await view(home)).plan_members).toMatchObject([{ bottle_id: work, since: at(30).toISOString() }]);
    support.clock.set(at(60));
    expect((await change(work, { plan_of: null })).body).toMatchObject({ plan_of: null, schedule: null });
    expect(await view(home)).toMatchObject({ plan_members: [] });
    expect(await stateOf(home)).toMatchObject({ schedule_changed_at: at(60) });
    const registry = support.database.db.collection('bottles');
    expect(await registry.findOne({ _id: new Types.ObjectId(work) })).toMatchObject({
      shared_plans: [{ of: new Types.ObjectId(home), from: at(30), until: at(60) }],
    });
    expect((await change(work, { plan_of: null })).status).toBe(200);
    expect((await support.call('put', `/v1/bottles/${work}/schedule`, { schedule: DAILY })).status).toBe(200);
  });

  it('is changed for another one in one request', async () => {
    const { home, work } = await pair();
    const { id: other } = await support.register({ schedule: DAILY });
    support.clock.set(at(30));
    expect((await change(work, { plan_of: other })).body).toMatchObject({ plan_of: other });
    expect(await view(home)).toMatchObject({ plan_members: [] });
    expect(await view(other)).toMatchObject({ plan_members: [{ bottle_id: work }] });
  });

  it.each<[string, (of: { home: string; work: string }) => Promise<object>, object]>([
    ['an id that is none', async () => ({ plan_of: 'home' }), { code: 'invalid_id' }],
    ['a bottle that is not there', async () => ({ plan_of: MISSING }), { code: 'unknown_bottle' }],
    [
      'a bottle of another user',
      async ({ home }) => ({ plan_of: home, user_id: 'u2' }),
      { code: 'other_user' },
    ],
    [
      'a bottle of another medication',
      async ({ home }) => ({ plan_of: home, medication: 'Aspirin' }),
      { code: 'other_medication' },
    ],
    ['a bottle without a plan of its own', async ({ work }) => ({ plan_of: work }), { code: 'no_own_plan' }],
    [
      'a schedule beside it',
      async ({ home }) => ({ plan_of: home, schedule: DAILY }),
      { code: 'has_schedule' },
    ],
    [
      'steps beside it',
      async ({ home }) => ({ plan_of: home, steps: [{ ...DAILY, doses: 3 }, DAILY] }),
      { code: 'has_schedule' },
    ],
    [
      'a bottle that is not in use',
      async () => {
        const { id } = await support.register({ schedule: DAILY });
        await support.post(`/v1/bottles/${id}/store`, {});
        return { plan_of: id };
      },
      { code: 'bottle_not_in_use' },
    ],
  ])('is refused by field: %s', async (_what, bodyOf, error) => {
    const body = await bodyOf(await pair());
    const given = { user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'UTC', ...body };
    const answer = await support.post('/v1/bottles', given);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ field: 'plan_of', ...error });
  });

  it('is no plan of the bottle itself, nor of one that is for its own', async () => {
    const { home, work } = await pair();
    const { id: other } = await support.register({ schedule: DAILY });
    expect((await change(other, { plan_of: other })).body).toMatchObject({
      field: 'plan_of',
      code: 'own_bottle',
    });
    expect((await change(home, { plan_of: other })).body).toMatchObject({ status: 409, code: 'leads_plan' });
    expect((await change(other, { plan_of: work })).body).toMatchObject({ code: 'no_own_plan' });
    expect((await change(MISSING, { plan_of: home })).status).toBe(404);
  });

  it('that is refused leaves the other facts of the request as they were', async () => {
    const { home, work } = await pair();
    const { id: other } = await support.register({ schedule: DAILY });
    expect((await change(other, { plan_of: work, label: 'at work' })).status).toBe(400);
    expect((await change(other, { plan_of: home, medication: 'Aspirin' })).body.code).toBe(
      'other_medication',
    );
    expect(await view(other)).toMatchObject({ label: null, medication: 'Cordrazine', plan_of: null });
  });

  it('keeps the bottle that has it from leaving, and the others from having one', async () => {
    const { home, work } = await pair();
    const leads = { status: 409, code: 'leads_plan' };
    expect((await support.post(`/v1/bottles/${home}/retire`, { reason: 'lost' })).body).toMatchObject(leads);
    expect((await support.post(`/v1/bottles/${home}/store`, {})).body).toMatchObject(leads);
    expect((await change(home, { user_id: 'u2' })).body).toMatchObject(leads);
    expect((await change(home, { medication: 'Aspirin' })).body).toMatchObject(leads);
    expect((await support.call('delete', `/v1/bottles/${home}`)).body).toMatchObject(leads);
    const shares = { status: 409, code: 'shares_plan' };
    expect(
      (await support.call('put', `/v1/bottles/${work}/schedule`, { schedule: DAILY })).body,
    ).toMatchObject(shares);
    expect((await change(work, { user_id: 'u2' })).body).toMatchObject(shares);
    expect((await change(work, { medication: 'Aspirin' })).body).toMatchObject(shares);
    expect((await support.call('delete', `/v1/bottles/${work}`)).body).toMatchObject(shares);
    // what changes nothing, and the zone, are allowed
    expect((await change(home, { medication: 'Cordrazine', time_zone: 'Asia/Tokyo' })).status).toBe(200);
    const left = await change(work, { plan_of: null, user_id: 'u2' });
    expect(left.body).toMatchObject({ user_id: 'u2', plan_of: null });
    expect((await change(home, { user_id: 'u2' })).status).toBe(200);
  });

  it('is left by a bottle that is stored', async () => {
    const { home, work } = await pair();
    support.clock.set(at(30));
    expect((await support.post(`/v1/bottles/${work}/store`, {})).body).toMatchObject({ plan_of: null });
    expect(await view(home)).toMatchObject({ plan_members: [] });
    expect(await stateOf(home)).toMatchObject({ schedule_changed_at: at(30) });
    expect((await change(work, { plan_of: home })).body.code).toBe('bottle_not_in_use');
    expect((await support.post(`/v1/bottles/${home}/store`, {})).status).toBe(200);
  });

  it('of two who change both bottles at once, one is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id: home } = await support.register({ schedule: DAILY });
      const { id: work } = await support.register();
      const [joined, stored] = await Promise.all([
        change(work, { plan_of: home }),
        support.post(`/v1/bottles/${home}/store`, {}),
      ]);
      const { plan_of } = await view(work);
      expect([joined.status === 200, stored.status === 200]).not.toEqual([true, true]);
      expect((await view(home)).life.state).toBe(plan_of ? 'in_use' : 'stored');
    }
  });

  it('is erased with the person, whichever bottle comes first', async () => {
    const { id: home } = await support.register({ schedule: DAILY, user_id: 'u-erased' });
    await support.register({ plan_of: home, user_id: 'u-erased' });
    expect((await support.call('delete', '/v1/people/u-erased')).status).toBe(200);
    expect((await support.get(`/v1/bottles?user_id=u-erased`)).body.items).toEqual([]);
  });

  it('is erased with the person, the bottle that has it first', async () => {
    const { id: work } = await support.register({ user_id: 'u-erased-2' });
    const { id: home } = await support.register({ schedule: DAILY, user_id: 'u-erased-2' });
    expect((await change(work, { plan_of: home })).status).toBe(200);
    expect((await support.call('delete', '/v1/people/u-erased-2')).status).toBe(200);
    const erased = await support.database.db
      .collection('audit')
      .find({ action: 'bottle.erase', 'subject.id': { $in: [home, work] } })
      .sort({ _id: 1 })
      .toArray();
    expect(erased.map(({ subject }) => subject.id)).toEqual([home, work]);
  });

  it('that is over is in the data of its owner of then, and not of the next one', async () => {
    const { home, work } = await pair();
    support.clock.set(at(30));
    await change(work, { plan_of: null, user_id: 'u-next' });
    await change(home, { user_id: 'u-next' });
    const next = (await support.get('/v1/people/u-next/export')).body;
    expect(next.bottles).toHaveLength(2);
    for (const bottle of next.bottles) {
      expect(bottle.shared_plans ?? []).toEqual([]);
      expect(bottle.plan_members ?? []).toEqual([]);
    }
    const before = (await support.get('/v1/people/willcross1024/export')).body;
    const of = (id: string) => before.bottles.find(({ _id }: { _id: string }) => _id === id);
    expect(of(work).shared_plans).toMatchObject([{ of: home }]);
    expect(of(home).plan_members).toMatchObject([{ bottle_id: work }]);
  });

  it('changes only the version that was seen', async () => {
    const { work } = await pair();
    const { headers } = await support.get(`/v1/bottles/${work}`);
    const leave = () =>
      supertest(support.app.getHttpServer())
        .patch(`/v1/bottles/${work}`)
        .set({ authorization: `Bearer ${ADMIN_TOKEN}`, 'if-match': headers['etag']! })
        .send({ plan_of: null });
    expect((await leave()).status).toBe(200);
    expect((await leave()).status).toBe(412);
  });
});
