import { Types } from 'mongoose';
import { at } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('plans', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('plans');
  });
  afterAll(() => support?.stop());
  beforeEach(() => support.clock.set(NOW));

  const DAILY = { kind: 'times_of_day', times: ['08:00', '20:00'] };

  describe('a preview', () => {
    it('returns the next doses of a schedule and stores nothing', async () => {
      const { id } = await support.register();
      const before = await support.stored();
      const { status, body } = await support.post(`/v1/bottles/${id}/schedule/preview`, {
        schedule: { ...DAILY, pills_per_dose: 2 },
      });
      expect(status).toBe(200);
      expect(body.doses).toHaveLength(20);
      // 13:00 in Berlin
      expect(body.doses.slice(0, 2)).toEqual([
        { scheduled_at: '2026-03-01T19:00:00.000Z', late_at: '2026-03-01T20:00:00.000Z', pills: 2 },
        { scheduled_at: '2026-03-02T07:00:00.000Z', late_at: '2026-03-02T08:00:00.000Z', pills: 2 },
      ]);
      expect(await support.stored()).toBe(before);
    });

    it('respects the current schedule until then, and pauses', async () => {
      const { id } = await support.register({ schedule: { kind: 'times_of_day', times: ['14:00'] } });
      await support.post(`/v1/bottles/${id}/pauses`, { from: at(24 * 60), to: at(72 * 60) });
      const { body } = await support.post(`/v1/bottles/${id}/schedule/preview`, {
        schedule: { ...DAILY, effective_from: '2026-03-01T23:00:00Z' },
      });
      expect(body.doses.slice(0, 3)).toMatchObject([
        { scheduled_at: '2026-03-01T13:00:00.000Z' },
        { scheduled_at: '2026-03-02T07:00:00.000Z' },
        { scheduled_at: '2026-03-04T19:00:00.000Z' },
      ]);
    });

    it('is empty for doses as needed, and refuses an invalid schedule', async () => {
      const { id } = await support.register();
      const path = `/v1/bottles/${id}/schedule/preview`;
      expect(
        (await support.post(path, { schedule: { kind: 'as_needed', max_per_day: 2 } })).body,
      ).toMatchObject({
        doses: [],
      });
      expect(
        await support.post(path, { schedule: { kind: 'times_of_day', times: ['25:00'] } }),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'schedule.times[0]' }] },
      });
      expect(
        (
          await support.post(`/v1/bottles/${new Types.ObjectId().toHexString()}/schedule/preview`, {
            schedule: DAILY,
          })
        ).status,
      ).toBe(404);
    });
  });

  describe('pauses', () => {
    const pausesOf = async (id: string): Promise<unknown> =>
      (await support.get(`/v1/bottles/${id}`)).body.pauses;

    it('are returned while current and future', async () => {
      const { id } = await support.register({ schedule: DAILY });
      await support.post(`/v1/bottles/${id}/pauses`, { to: at(60) });
      await support.post(`/v1/bottles/${id}/pauses`, { from: at(120), to: at(180) });
      const running = { from: at(0).toISOString(), to: at(60).toISOString() };
      const coming = { from: at(120).toISOString(), to: at(180).toISOString() };
      expect(await pausesOf(id)).toEqual([running, coming]);
      support.clock.set(at(90));
      expect(await pausesOf(id)).toEqual([coming]);
    });

    it('end at once when current, and are removed when future', async () => {
      const { id } = await support.register({ schedule: DAILY });
      const end = (minutes: number) =>
        support.call('delete', `/v1/bottles/${id}/pauses?from=${at(minutes).toISOString()}`);
      await support.post(`/v1/bottles/${id}/pauses`, { to: at(24 * 60) });
      await support.post(`/v1/bottles/${id}/pauses`, { from: at(48 * 60), to: at(72 * 60) });
      // the pause covers the doses of 20:00 today and 08:00 tomorrow
      expect((await support.get(`/v1/bottles/${id}`)).body.next_dose.scheduled_at).toBe(
        '2026-03-02T19:00:00.000Z',
      );
      support.clock.set(at(30));
      expect((await end(0)).status).toBe(204);
      expect((await support.get(`/v1/bottles/${id}`)).body.next_dose.scheduled_at).toBe(
        '2026-03-01T19:00:00.000Z',
      );
      expect((await end(48 * 60)).status).toBe(204);
      expect(await pausesOf(id)).toEqual([]);
      const stored = await support.database.db.collection('bottles').findOne({ _id: new Types.ObjectId(id) });
      expect(stored!['pauses']).toMatchObject([{ from: at(0), to: at(30), reason: 'pause' }]);
      const state = await support.database.db
        .collection('bottle_states')
        .findOne({ _id: new Types.ObjectId(id) });
      expect(state).toMatchObject({ schedule_changed_at: at(30) });
    });

    it('cannot be ended when past or unknown', async () => {
      const { id } = await support.register({ schedule: DAILY });
      await support.post(`/v1/bottles/${id}/pauses`, { to: at(60) });
      support.clock.set(at(61));
      const path = `/v1/bottles/${id}/pauses`;
      expect(await support.call('delete', `${path}?from=${at(0).toISOString()}`)).toMatchObject({
        status: 404,
        body: { code: 'pause_not_found' },
      });
      expect((await support.call('delete', `${path}?from=${at(600).toISOString()}`)).status).toBe(404);
      expect((await support.call('delete', `${path}?from=tomorrow`)).status).toBe(400);
      expect((await support.call('delete', path)).status).toBe(400);
    });
  });

  it('are 200 at most: schedules and pauses of a bottle', async () => {
    const { id } = await support.register({ schedule: DAILY });
    const _id = new Types.ObjectId(id);
    const bottles = support.database.db.collection('bottles');
    const { schedule_versions } = (await bottles.findOne({ _id }))!;
    const fill = (count: number) =>
      bottles.updateOne(
        { _id },
        {
          $set: {
            schedule_versions: Array.from({ length: count }, () => schedule_versions[0]),
            pauses: Array.from({ length: count }, () => ({ from: at(-9), to: at(-8) })),
          },
        },
      );
    const setSchedule = () => support.call('put', `/v1/bottles/${id}/schedule`, { schedule: DAILY });
    const pause = () => support.post(`/v1/bottles/${id}/pauses`, { to: at(60) });
    const move = (time_zone: string) => support.call('patch', `/v1/bottles/${id}`, { time_zone });
    support.clock.set(at(1));
    await fill(199);
    expect([(await setSchedule()).status, (await pause()).status]).toEqual([200, 201]);
    await fill(200);
    support.clock.set(at(2));
    const refused = (code: string) => ({ status: 409, body: { code } });
    expect(await setSchedule()).toMatchObject(refused('too_many_schedules'));
    expect(await pause()).toMatchObject(refused('too_many_periods'));
    expect(await move('Asia/Tokyo')).toMatchObject(refused('too_many_schedules'));
    const stored = (await bottles.findOne({ _id }))!;
    expect([stored['schedule_versions'].length, stored['pauses'].length]).toEqual([200, 200]);
    expect(stored['time_zone']).toBe('Europe/Berlin');
  });

  describe('days left', () => {
    const daysLeft = async (body: object): Promise<unknown> => {
      const { id } = await support.register(body);
      return (await support.get(`/v1/bottles/${id}`)).body.days_left;
    };

    it.each([
      ['two a day', { number_of_pills: 10, schedule: DAILY }, 5],
      [
        'a dose that is not whole does not count',
        { number_of_pills: 3, schedule: { ...DAILY, pills_per_dose: 2 } },
        0,
      ],
      ['at the most, as needed', { number_of_pills: 10, schedule: { kind: 'as_needed', max_per_day: 2 } }, 5],
      ['nothing is to be taken', { number_of_pills: 10 }, null],
      ['nobody knows how many there are', { schedule: DAILY }, null],
      ['longer than a year', { number_of_pills: 50_000, schedule: DAILY }, null],
    ])('%s', async (_, body, days) => expect(await daysLeft(body)).toBe(days));
  });

  it('returns the latest vitals', async () => {
    const { id, token } = await support.register({ number_of_pills: 30 });
    expect((await support.get(`/v1/bottles/${id}`)).body).toMatchObject({ vitals: null, initial_pills: 30 });
    await support.report(token, 'heartbeats', { battery_percent: 81, rssi_dbm: -61 });
    expect((await support.get(`/v1/bottles/${id}`)).body.vitals).toEqual({
      at: NOW.toISOString(),
      battery_percent: 81,
      rssi_dbm: -61,
      mass_of_contents: null,
      number_of_pills: null,
    });
  });
});
