import { Types } from 'mongoose';
import { at, insertAlerts, setState } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('bottles', () => {
  const DAILY = { kind: 'times_of_day', times: ['08:00'] };

  let support: Support;

  beforeAll(async () => {
    support = await Support.start('bottles');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const getBottle = async (id: string) => (await support.get(`/v1/bottles/${id}`)).body;
  const stateOf = (id: string) =>
    support.database.db.collection('bottle_states').findOne({ _id: new Types.ObjectId(id) });

  describe('registering', () => {
    it('returns an id and a token with which the bottle can report at once', async () => {
      const answer = await support.post('/v1/bottles', {
        user_id: 'will',
        medication: 'Cordrazine',
        time_zone: 'Europe/Berlin',
        number_of_pills: 30,
        schedule: DAILY,
      });
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body).sort()).toEqual(['bottle_id', 'token', 'warnings']);
      expect(answer.body.token).toMatch(/^pwb_[\w-]{43}$/);
      expect(await support.stored()).not.toContain(answer.body.token);
      expect((await support.report(answer.body.token, 'heartbeats')).status).toBe(204);
    });

    it('arms the dose deadline only for a bottle with a schedule', async () => {
      const [daily, free] = [await support.register({ schedule: DAILY }), await support.register()];
      expect(await stateOf(daily.id)).toMatchObject({ quiet: 'never_heard', dose_due_at: NOW });
      expect(await stateOf(free.id)).not.toHaveProperty('dose_due_at');
    });
  });

  describe('looking up', () => {
    it('returns every field of a new bottle', async () => {
      const { id } = await support.register({ number_of_pills: 30, schedule: DAILY });
      expect(await getBottle(id)).toEqual({
        bottle_id: id,
        user_id: 'willcross1024',
        medication: 'Cordrazine',
        label: null,
        status: 'unknown',
        reasons: [{ status: 'unknown', since: NOW.toISOString(), text: expect.any(String) }],
        last_heard_at: null,
        last_action: null,
        pills_left: 30,
        plan_members: [],
        plan_of: null,
        life: { state: 'in_use', since: NOW.toISOString(), reason: null, note: null, by: null },
        device: { status: 'unknown', since: NOW.toISOString(), text: 'Registered, no report yet.' },
        today: {
          local_date: '2026-03-01',
          schedule_state: 'active',
          schedule_state_until: null,
          doses: [],
          as_needed: null,
          changes_at: '2026-03-01T23:00:00.000Z',
        },
        time_zone: 'Europe/Berlin',
        registered_at: NOW.toISOString(),
        schedule: {
          effective_from: NOW.toISOString(),
          time_zone: 'Europe/Berlin',
          schedule: { ...DAILY, pills_per_dose: 1, early_window: '2h', late_after: '1h', missed_after: '4h' },
        },
        previous_schedule: null,
        doses_left: null,
        coming_schedules: [],
        pauses: [],
        periods: [],
        initial_pills: 30,
        days_left: 30,
        vitals: null,
        last_doses: [],
        monitored_since: null,
        next_dose: {
          scheduled_at: '2026-03-02T07:00:00.000Z',
          late_at: '2026-03-02T08:00:00.000Z',
          pills: 1,
        },
        open_alerts: [],
        bad_clock: null,
        set_aside: null,
        report_problems: [],
      });
    });

    it('follows what the bottle reports', async () => {
      const { id, token } = await support.register({ number_of_pills: 30 });
      const opened = { action: 'opened', time: at(-3), mass_of_contents: 60, number_of_pills: 30 };
      expect((await support.report(token, 'actions', opened)).status).toBe(201);
      expect(await getBottle(id)).toMatchObject({
        status: 'open',
        reasons: [{ status: 'open', since: at(-3).toISOString() }],
        last_heard_at: NOW.toISOString(),
      });
      const closed = {
        action: 'closed',
        time: at(-2),
        mass_of_contents: 58,
        number_of_pills: 29,
        pills_taken: 1,
      };
      expect((await support.report(token, 'actions', closed)).status).toBe(201);
      expect(await getBottle(id)).toMatchObject({
        status: 'ok',
        pills_left: 29,
        last_action: {
          action: 'closed',
          time: at(-2).toISOString(),
          received_at: NOW.toISOString(),
          number_of_pills: 29,
        },
      });
    });

    it('returns every reason, the status first', async () => {
      const { id, token } = await support.register();
      await support.report(token, 'actions', {
        action: 'opened',
        time: at(-90),
        mass_of_contents: 60,
        number_of_pills: 30,
      });
      await support.database.db
        .collection('bottle_states')
        .updateOne(
          { _id: new Types.ObjectId(id) },
          { $set: { quiet: 'silent', silent: true, late: true, last_heard_at: at(-80) } },
        );
      await insertAlerts(support, [
        { bottle_id: new Types.ObjectId(id), kind: 'missed_dose', subject: 'a', deadline: at(-200) },
        { bottle_id: new Types.ObjectId(id), kind: 'missed_dose', subject: 'b', deadline: at(-100) },
        {
          bottle_id: new Types.ObjectId(id),
          kind: 'missed_dose',
          subject: 'c',
          deadline: at(-300),
          state: 'resolved',
          open: undefined,
        },
      ]);
      const bottle = await getBottle(id);
      expect(bottle.status).toBe('silent');
      expect(bottle.reasons).toEqual([
        { status: 'silent', since: at(-80).toISOString(), text: expect.any(String) },
        { status: 'late', since: at(-200).toISOString(), text: '2 doses were not taken in time.' },
        { status: 'open', since: at(-90).toISOString(), text: expect.any(String) },
      ]);
      expect(bottle.open_alerts).toMatchObject([{ dead_deliveries: 0 }, { dead_deliveries: 0 }]);
    });

    it('returns the last three doses, a clock offset and a quarantine', async () => {
      const { id } = await support.register({ schedule: DAILY });
      const judged = { pills_scheduled: 1, pills_taken: 0, judged_at: NOW };
      await support.database.db.collection('dose_outcomes').insertMany(
        [1, 2, 3, 4].map((day) => ({
          bottle_id: new Types.ObjectId(id),
          scheduled_at: at(-day * 1440),
          outcome: day === 1 ? 'missed' : 'unknown',
          ...judged,
        })),
      );
      await setState(support, id, {
        bad_clock: { offset_ms: -7, at: NOW },
        set_aside: { check: 'dose', error: 'why', at: NOW },
      });
      const bottle = await getBottle(id);
      expect(bottle.last_doses.map((dose: { scheduled_at: string }) => dose.scheduled_at)).toEqual(
        [1, 2, 3].map((day) => at(-day * 1440).toISOString()),
      );
      expect(bottle.last_doses[0]).toEqual({
        scheduled_at: at(-1440).toISOString(),
        outcome: 'missed',
        taken_at: null,
        pills_scheduled: 1,
        pills_taken: 0,
        judged_at: NOW.toISOString(),
        reported: null,
        unreported: null,
        unclear_closing: null,
        period: null,
        earlier_reports: [],
      });
      expect(bottle).toMatchObject({
        bad_clock: { offset_ms: -7, at: NOW.toISOString() },
        set_aside: { check: 'dose', error: 'why', at: NOW.toISOString() },
      });
    });

    it('returns 404 for an unknown bottle', async () => {
      const answer = await support.get(`/v1/bottles/${'0'.repeat(24)}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'bottle_not_found' } });
    });
  });

  describe('today', () => {
    /** 14:10 and 22:00 in Berlin. */
    const TWICE = { kind: 'times_of_day', times: ['14:10', '22:00'] };
    const berlin = (time: string): Date => new Date(`2026-03-01T${time}:00+01:00`);
    const doses = ({ today }: { today: { doses: { scheduled_at: string; status: string }[] } }) =>
      today.doses.map(({ status }) => status);
    /** device-api has accepted reports since midnight. */
    const listenUntil = async (until: Date): Promise<void> => {
      await support.database.db
        .collection('listening_spans')
        .updateOne({ _id: 'today' as never }, { $set: { from: berlin('00:00'), until } }, { upsert: true });
    };
    const heartbeats = async (token: string, ...times: string[]): Promise<void> => {
      for (const time of times) {
        support.clock.set(berlin(time));
        await listenUntil(berlin(time));
        expect((await support.report(token, 'heartbeats')).status).toBe(204);
      }
    };
    const take = (token: string, pills = 1, left = 9) =>
      support.report(token, 'actions', {
        action: 'closed',
        time: support.clock.now(),
        mass_of_contents: 50,
        number_of_pills: left,
        pills_taken: pills,
      });

    it('counts unknown doses in a coverage gap apart, and lists the gap', async () => {
      const { id } = await support.register({ schedule: TWICE });
      const { db } = support.database;
      const gap = { part: 'device-api', from: berlin('14:00'), until: berlin('15:00'), doses: 1 };
      await db.collection('coverage_gaps').insertOne({ _id: 'gap' as never, ...gap });
      const outcome = { outcome: 'unknown', pills_scheduled: 1, pills_taken: 0, judged_at: berlin('23:00') };
      await db.collection('dose_outcomes').insertMany(
        ['14:10', '22:00'].map((time) => ({
          bottle_id: new Types.ObjectId(id),
          scheduled_at: berlin(time),
          ...outcome,
        })),
      );
      const range = `from=${berlin('13:30').toISOString()}&to=${berlin('23:30').toISOString()}`;
      const { body } = await support.get(`/v1/bottles/${id}/adherence?${range}`);
      expect(body).toMatchObject({ unknown: { doses: 2 }, unknown_in_coverage_gaps: 1 });
      const listed = await support.get(`/v1/fleet/coverage-gaps?${range}`);
      expect(listed.body.items).toEqual([
        { ...gap, from: gap.from.toISOString(), until: gap.until.toISOString() },
      ]);
      expect(
        (
          await support.get(
            `/v1/fleet/coverage-gaps?from=${gap.until.toISOString()}&to=${berlin('23:30').toISOString()}`,
          )
        ).body,
      ).toEqual({ items: [] });
    });

    it('shows a dose as due at its time, and as taken as soon as the report is logged', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(token, '14:00');
      support.clock.set(berlin('14:13'));
      const due = await getBottle(id);
      expect(due.today).toMatchObject({
        local_date: '2026-03-01',
        schedule_state: 'active',
        changes_at: berlin('15:00').toISOString(),
      });
      expect(due.today.doses[0]).toEqual({
        scheduled_at: berlin('14:10').toISOString(),
        status: 'due',
        late_at: berlin('15:10').toISOString(),
        missed_at: berlin('18:10').toISOString(),
        pills_scheduled: 1,
        pills_taken: 0,
        taken_at: null,
        offline: null,
        unreported: null,
        unclear_closing: null,
        period: null,
        reported: null,
        earlier_reports: [],
      });
      expect(due.next_dose).toEqual({
        scheduled_at: berlin('22:00').toISOString(),
        late_at: berlin('23:00').toISOString(),
        pills: 1,
      });
      await take(token);
      const taken = await getBottle(id);
      expect(taken.today.doses[0]).toMatchObject({
        status: 'taken_on_time',
        taken_at: berlin('14:13').toISOString(),
        pills_taken: 1,
      });
      expect(doses(taken)).toEqual(['taken_on_time', 'upcoming']);
    });

    it('keeps the device and its doses apart: a bottle that is ok may have missed doses', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(token, '14:00', '14:30', '15:00', '15:30');
      expect(doses(await getBottle(id))).toEqual(['late', 'upcoming']);
      await heartbeats(token, '16:00', '16:30', '17:00', '17:30', '18:00', '18:30');
      const bottle = await getBottle(id);
      expect(doses(bottle)).toEqual(['missed', 'upcoming']);
      expect(bottle.device).toEqual({ status: 'ok', since: null, text: 'It reports, and it is closed.' });
    });

    it('says since when a dose cannot be known, without a notifier', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(token, '14:00');
      await take(token);
      await heartbeats(token, '21:00');
      support.clock.set(berlin('22:30'));
      // reports were not accepted meanwhile: that is no silence of the bottle
      expect(await getBottle(id)).toMatchObject({ device: { status: 'ok' } });
      expect(doses(await getBottle(id))).toEqual(['taken_early', 'due']);
      await support.database.db
        .collection('listening_spans')
        .insertOne({ _id: id as never, from: berlin('13:00'), until: berlin('22:30') });
      const silent = await getBottle(id);
      expect(silent.device).toMatchObject({ status: 'silent', since: berlin('21:00').toISOString() });
      expect(doses(silent)).toEqual(['taken_early', 'unknown']);
      expect(silent.today.doses[1].offline).toEqual({ since: berlin('21:00').toISOString(), until: null });
      await support.database.db.collection('listening_spans').deleteOne({ _id: id as never });
    });

    it('reads actions as contacts where heartbeats leave a silence, and the last heartbeat before it', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(token, '13:10');
      support.clock.set(berlin('13:40'));
      await support.report(token, 'actions', {
        action: 'opened',
        time: support.clock.now(),
        mass_of_contents: 50,
        number_of_pills: 10,
      });
      await heartbeats(token, '19:00', '19:30');
      const { today } = await getBottle(id);
      expect(today.doses[0]).toMatchObject({
        status: 'unknown',
        offline: { since: berlin('13:40').toISOString(), until: berlin('19:00').toISOString() },
      });
    });

    it('shows a dose as missed that is so on record, though no log has what has shown its end', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(
        token,
        '14:00',
        '14:30',
        '15:00',
        '15:30',
        '16:00',
        '16:30',
        '17:00',
        '17:30',
        '18:00',
      );
      await heartbeats(token, '19:30', '20:00');
      expect(doses(await getBottle(id))).toEqual(['unknown', 'upcoming']);
      await support.database.db.collection('dose_outcomes').insertOne({
        bottle_id: new Types.ObjectId(id),
        scheduled_at: berlin('14:10'),
        outcome: 'missed',
        pills_scheduled: 1,
        pills_taken: 0,
        judged_at: berlin('18:15'),
      });
      expect(doses(await getBottle(id))).toEqual(['missed', 'upcoming']);
    });

    it('leaves the doses of today out of the last doses', async () => {
      const { id, token } = await support.register({ schedule: TWICE });
      await heartbeats(token, '14:00');
      await take(token);
      const judged = { outcome: 'taken_early', pills_scheduled: 1, pills_taken: 1, judged_at: NOW };
      const slots = [berlin('14:10'), at(-1_440), at(-2_880), at(-4_320), at(-5_760)];
      await support.database.db
        .collection('dose_outcomes')
        .insertMany(
          slots.map((scheduled_at) => ({ bottle_id: new Types.ObjectId(id), scheduled_at, ...judged })),
        );
      const { last_doses } = await getBottle(id);
      expect(last_doses.map((dose: { scheduled_at: string }) => dose.scheduled_at)).toEqual(
        slots.slice(1, 4).map((slot) => slot.toISOString()),
      );
    });

    it('says what was taken in 24 hours as needed, and the limit', async () => {
      const { id, token } = await support.register({
        schedule: { kind: 'as_needed', max_per_day: 3, pills_per_dose: 2 },
      });
      support.clock.set(berlin('14:00'));
      await take(token, 3);
      expect((await getBottle(id)).today).toMatchObject({
        schedule_state: 'as_needed',
        doses: [],
        as_needed: { pills_taken: 3, doses: 1, max_pills: 6, extra_pills: 0 },
      });
      support.clock.set(new Date('2026-03-02T00:00:00+01:00'));
      expect((await getBottle(id)).today.as_needed).toMatchObject({ pills_taken: 3 });
      support.clock.set(new Date('2026-03-02T14:01:00+01:00'));
      expect((await getBottle(id)).today.as_needed).toMatchObject({
        since: berlin('14:01').toISOString(),
        pills_taken: 0,
      });
    });

    it('says that the schedule is paused, not started, or missing', async () => {
      const paused = await support.register({ schedule: TWICE });
      await support.post(`/v1/bottles/${paused.id}/pauses`, { to: at(1_440) });
      expect((await getBottle(paused.id)).today).toMatchObject({
        schedule_state: 'paused',
        schedule_state_until: at(1_440).toISOString(),
        doses: [{ status: 'not_monitored' }, { status: 'not_monitored' }],
      });
      const later = await support.register({ schedule: { ...TWICE, effective_from: at(30) } });
      expect((await getBottle(later.id)).today).toMatchObject({
        schedule_state: 'not_started',
        schedule_state_until: at(30).toISOString(),
      });
      const none = await support.register();
      expect((await getBottle(none.id)).today).toMatchObject({ schedule_state: 'none', doses: [] });
    });

    it('needs no more pills for a dose that was taken early', async () => {
      const { id, token } = await support.register({
        number_of_pills: 2,
        schedule: { ...TWICE, times: ['14:10'] },
      });
      expect(await getBottle(id)).toMatchObject({ days_left: 2 });
      await take(token, 1, 1);
      // one pill is left, for tomorrow
      expect(await getBottle(id)).toMatchObject({
        days_left: 2,
        next_dose: { scheduled_at: '2026-03-02T13:10:00.000Z' },
      });
    });
  });

  describe('changing', () => {
    it('changes the registry and the lists together', async () => {
      const { id } = await support.register();
      const answer = await support.call('patch', `/v1/bottles/${id}`, {
        user_id: 'anna',
        medication: 'Inaprovaline',
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { user_id: 'anna', medication: 'Inaprovaline', time_zone: 'Europe/Berlin' },
      });
      const list = await support.get('/v1/bottles?user_id=anna&medication=Inaprovaline');
      expect(list.body.items.map((item: { bottle_id: string }) => item.bottle_id)).toEqual([id]);
    });

    it('has a label by which people tell it from their others, until it is removed', async () => {
      const { id } = await support.register({ user_id: 'lea', label: 'blue, kitchen' });
      const listed = async () => (await support.get('/v1/bottles?user_id=lea')).body.items[0].label;
      expect([(await getBottle(id)).label, await listed()]).toEqual(['blue, kitchen', 'blue, kitchen']);
      expect((await support.get('/v1/people/lea')).body.bottles).toMatchObject([{ label: 'blue, kitchen' }]);
      for (const label of ['two\nlines', ' ', 'blue ', 'x'.repeat(61)])
        expect(await support.call('patch', `/v1/bottles/${id}`, { label })).toMatchObject({
          status: 400,
          body: { errors: [{ field: 'label' }] },
        });
      expect(await support.call('patch', `/v1/bottles/${id}`, { label: 'red, bath' })).toMatchObject({
        status: 200,
      });
      expect(await listed()).toBe('red, bath');
      expect((await support.call('patch', `/v1/bottles/${id}`, { label: '' })).body.label).toBeNull();
      expect(await listed()).toBeNull();
    });

    it('moves the doses to another time zone from now on, except past ones and schedules with their own zone', async () => {
      const [follows, own] = [
        await support.register({ schedule: DAILY }),
        await support.register({ schedule: { ...DAILY, time_zone: 'Europe/Berlin' } }),
      ];
      await support.call('put', `/v1/bottles/${follows.id}/schedule`, {
        schedule: { ...DAILY, times: ['09:00'], effective_from: at(2 * 1440) },
      });
      support.clock.set(at(60));
      for (const { id } of [follows, own]) {
        expect(
          (await support.call('patch', `/v1/bottles/${id}`, { time_zone: 'America/New_York' })).status,
        ).toBe(200);
      }
      expect(await getBottle(follows.id)).toMatchObject({
        time_zone: 'America/New_York',
        schedule: { effective_from: at(60).toISOString(), time_zone: 'America/New_York' },
        coming_schedules: [{ effective_from: at(2 * 1440).toISOString(), time_zone: 'America/New_York' }],
        next_dose: { scheduled_at: '2026-03-02T13:00:00.000Z' },
      });
      expect(await getBottle(own.id)).toMatchObject({
        schedule: { effective_from: NOW.toISOString(), time_zone: 'Europe/Berlin' },
        next_dose: { scheduled_at: '2026-03-02T07:00:00.000Z' },
      });
      const stored = await support.database.db
        .collection('bottles')
        .findOne({ _id: new Types.ObjectId(follows.id) });
      expect(stored?.['schedule_versions'][0]).toMatchObject({
        effective_from: NOW,
        time_zone: 'Europe/Berlin',
      });
    });

    it('shows which doses move to when, and keeps home time', async () => {
      const { id } = await support.register({ schedule: DAILY });
      const preview = (body: object) => support.post(`/v1/bottles/${id}/move/preview`, body);
      const moved = await preview({ time_zone: 'America/New_York' });
      expect(moved.status).toBe(200);
      expect(moved.body.doses.slice(0, 2)).toEqual([
        { was: null, is: '2026-03-01T13:00:00.000Z', pills: 1 },
        { was: '2026-03-02T07:00:00.000Z', is: '2026-03-02T13:00:00.000Z', pills: 1 },
      ]);
      const kept = await preview({ time_zone: 'America/New_York', dose_times: 'keep_home_time' });
      expect(kept.body.doses[0]).toMatchObject({
        was: '2026-03-02T07:00:00.000Z',
        is: '2026-03-02T07:00:00.000Z',
      });
      expect((await preview({ time_zone: 'America/New_York', dose_times: 'neither' })).body).toMatchObject({
        errors: [{ field: 'dose_times' }],
      });
      expect(await getBottle(id)).toMatchObject({ time_zone: 'Europe/Berlin' });
      const answer = await support.call('patch', `/v1/bottles/${id}`, {
        time_zone: 'America/New_York',
        dose_times: 'keep_home_time',
      });
      expect(answer.body).toMatchObject({
        time_zone: 'America/New_York',
        schedule: { time_zone: 'Europe/Berlin', schedule: { time_zone: 'Europe/Berlin' } },
        moved_doses: kept.body.doses,
      });
    });
  });

  describe('rotating the token', () => {
    it('revokes the old one at once', async () => {
      const { id, token } = await support.register();
      const answer = await support.post(`/v1/bottles/${id}/token`);
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual(['token']);
      expect(await support.report(token, 'heartbeats')).toMatchObject({
        status: 401,
        body: { code: 'token_revoked' },
      });
      expect((await support.report(answer.body.token, 'heartbeats')).status).toBe(204);
    });

    it('returns a working token to exactly the last callers who get 201', async () => {
      const { id } = await support.register();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => support.post(`/v1/bottles/${id}/token`)),
      );
      expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
      for (const { status, body } of answers) {
        expect([201, 409]).toContain(status);
        if (status === 409) expect(body.code).toBe('changed_meanwhile');
      }
      const tokens = answers.flatMap(({ body }) => body.token ?? []);
      const reports = await Promise.all(tokens.map((token) => support.report(token, 'heartbeats')));
      expect(reports.filter(({ status }) => status === 204)).toHaveLength(1);
    });
  });

  describe('setting a schedule', () => {
    it('adds a version from now on, keeps the previous one, and arms the dose deadline', async () => {
      const { id } = await support.register({ schedule: DAILY });
      await setState(support, id, { dose_due_at: at(1000) });
      support.clock.set(at(10));
      const answer = await support.call('put', `/v1/bottles/${id}/schedule`, {
        schedule: { ...DAILY, times: ['20:00'], time_zone: 'Asia/Tokyo' },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          effective_from: at(10).toISOString(),
          time_zone: 'Asia/Tokyo',
          schedule: { times: ['20:00'], late_after: '1h' },
        },
      });
      const stored = await support.database.db.collection('bottles').findOne({ _id: new Types.ObjectId(id) });
      expect(
        stored?.['schedule_versions'].map((version: { effective_from: Date }) => version.effective_from),
      ).toEqual([NOW, at(10)]);
      expect(await stateOf(id)).toMatchObject({ dose_due_at: at(10) });
    });

    it('never changes the past: a version with an earlier start takes effect now', async () => {
      const { id } = await support.register({ schedule: { ...DAILY, effective_from: at(-60_000) } });
      expect((await getBottle(id)).schedule.effective_from).toBe(NOW.toISOString());
      support.clock.set(at(10));
      const answer = await support.call('put', `/v1/bottles/${id}/schedule`, {
        schedule: { ...DAILY, times: ['20:00'], effective_from: at(5) },
      });
      expect(answer).toMatchObject({ status: 200, body: { effective_from: at(10).toISOString() } });
      const stored = await support.database.db.collection('bottles').findOne({ _id: new Types.ObjectId(id) });
      expect(
        stored?.['schedule_versions'].map((version: { effective_from: Date }) => version.effective_from),
      ).toEqual([NOW, at(10)]);
    });

    it('keeps the versions in order when several callers save at once', async () => {
      const { id } = await support.register();
      const save = (minutes: number) =>
        support.call('put', `/v1/bottles/${id}/schedule`, {
          schedule: { ...DAILY, effective_from: at(minutes) },
        });
      await Promise.all([5, 3, 1, 4, 2, 6].map(save));
      const stored = await support.database.db.collection('bottles').findOne({ _id: new Types.ObjectId(id) });
      const begins = stored?.['schedule_versions'].map((version: { effective_from: Date }) =>
        version.effective_from.getTime(),
      );
      expect(begins).toEqual([...begins].sort((one: number, other: number) => one - other));
    });
  });
});
