import { Types } from 'mongoose';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { Support } from './support.js';

describe('timeline', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('timeline');
  });
  afterAll(() => support?.stop());

  interface Entry {
    at: string;
    kind: string;
    action?: { action: string; pills_taken: number | null };
    gap?: { after: string; until: string | null; missed: number; listened_ms: number };
    alert?: { id: string; state: string; dead_deliveries: number };
    message?: { id: string };
    refusal?: { field: string };
  }

  /** Inserts heartbeats at these minutes, as device-api does. */
  async function insertHeartbeats(bottle: string, minutes: number[]): Promise<void> {
    await support.database.db.collection('bottle_heartbeats').insertMany(
      minutes.map((minute) => ({
        bottle_id: new Types.ObjectId(bottle),
        user_id: 'willcross1024',
        medication: 'Cordrazine',
        time: at(minute),
      })),
    );
  }

  const every = (from: number, to: number, step: number): number[] =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

  async function sendAction(token: string, action: 'opened' | 'closed', minute: number): Promise<void> {
    const weight = { mass_of_contents: 10, number_of_pills: 20 };
    const taken = action === 'closed' ? { pills_taken: 1 } : {};
    const time = at(minute).toISOString();
    const answer = await support.report(token, 'actions', { action, time, ...weight, ...taken });
    if (answer.status !== 201) throw new Error(answer.text);
  }

  const short = ({ at: time, kind, action, gap }: Entry): string =>
    [
      (new Date(time).getTime() - at(0).getTime()) / 60_000,
      kind,
      ...(action ? [action.action] : []),
      ...(gap ? [gap.missed] : []),
    ].join(' ');

  const read = async (id: string, limit: number, query = ''): Promise<{ items: Entry[]; pages: number }> =>
    support.pages(`/v1/bottles/${id}/timeline${query}`, limit);

  /** So often device-api beats: what comes so soon after a beat is listened. Milliseconds. */
  const BEAT = 10_000;

  it('says since when reports are refused, and the bottle what else is wrong with them', async () => {
    const { id, token } = await support.register();
    const problem = (field: string, minute: number, more: object = {}) => ({
      effect: 'refused',
      field,
      reason: 'invalid_time',
      value_kind: 'string',
      first_at: at(minute),
      last_at: at(minute),
      count: 3,
      ...more,
    });
    const over = { last_at: at(-7 * 24 * 60 - 1) };
    const report_problems = [
      problem('battery_percent', -30, { effect: 'ignored' }),
      problem('time', -50, { last_at: at(-5) }),
      problem('sent_at', -50),
      problem('event_id', -8 * 24 * 60, over),
    ];
    await support.database.db
      .collection('bottle_states')
      .updateOne({ _id: new Types.ObjectId(id) }, { $set: { report_problems } });
    await sendAction(token, 'opened', -60);
    const refused = ['-50 reports_refused', '-50 reports_refused', '-60 action opened'];
    for (const limit of [1, 10]) {
      const { items } = await read(id, limit);
      expect(items.map(short)).toEqual(refused);
      expect(new Set(items.map(({ refusal }) => refusal?.field))).toEqual(
        new Set(['time', 'sent_at', undefined]),
      );
    }
    const bottle = (await support.get(`/v1/bottles/${id}`)).body as { report_problems: { field: string }[] };
    expect(bottle.report_problems.map(({ field }) => field)).toEqual(['time', 'battery_percent', 'sent_at']);
    expect(bottle.report_problems[0]).toEqual({
      ...problem('time', -50),
      first_at: at(-50).toISOString(),
      last_at: at(-5).toISOString(),
    });
  });

  describe('the timeline of a bottle', () => {
    let id: string;
    let alerts: string[];

    beforeAll(async () => {
      const bottle = await support.register();
      id = bottle.id;
      const bottle_id = new Types.ObjectId(id);
      await sendAction(bottle.token, 'opened', -600);
      await sendAction(bottle.token, 'closed', -599);
      await sendAction(bottle.token, 'opened', -90);
      await sendAction(bottle.token, 'closed', -60);
      // 30 minutes apart; three are missing from -420 on, and all since -90
      await insertHeartbeats(id, [...every(-720, -450, 30), ...every(-330, -90, 30)]);
      alerts = await insertAlerts(support, [
        { bottle_id, raised_at: at(-85), ended_at: at(-60), state: 'resolved', open: undefined },
        { bottle_id, kind: 'bottle_silent', raised_at: at(-60), state: 'acknowledged' },
        {
          bottle_id,
          kind: 'low_supply',
          raised_at: at(-60),
          ended_at: at(-60),
          state: 'retracted',
          open: undefined,
        },
      ]);
      await insertDeliveries(support, [
        { bottle_id, created_at: at(-60) },
        { bottle_id, created_at: at(-60) },
        { bottle_id, created_at: at(-84), status: 'dead' },
      ]);
      // one of the low_supply notifications is dead
      await insertDeliveries(support, [
        { bottle_id, alert_id: new Types.ObjectId(alerts[2]), created_at: at(-700), status: 'dead' },
      ]);
      // of another bottle
      const other = await support.register();
      await sendAction(other.token, 'opened', -61);
      await insertAlerts(support, [{ raised_at: at(-60) }]);
      await insertDeliveries(support, [{ created_at: at(-60) }]);
    });

    const STORY = [
      '-60 message',
      '-60 message',
      '-60 alert_ended',
      '-60 alert_ended',
      '-60 alert_raised',
      '-60 alert_raised',
      '-60 heartbeats_missed 2',
      '-60 action closed',
      '-84 message',
      '-85 alert_raised',
      '-90 action opened',
      '-420 heartbeats_missed 3',
      '-599 action closed',
      '-600 action opened',
      '-700 message',
    ];

    it('is ordered, newest first', async () => {
      const { items } = await read(id, 200);
      expect(items.map(short)).toEqual(STORY);
      expect(items.find(({ kind }) => kind === 'alert_ended')).toMatchObject({
        alert: { bottle_id: id, ended_at: at(-60).toISOString() },
      });
      expect(items.at(-5)!).toMatchObject({ kind: 'action', action: { time: at(-90).toISOString() } });
      expect(items.filter(({ kind }) => kind === 'heartbeats_missed').map(({ gap }) => gap)).toEqual([
        // device-api never recorded that it was accepting reports
        { after: at(-90).toISOString(), until: null, missed: 2, listened_ms: 0 },
        { after: at(-450).toISOString(), until: at(-330).toISOString(), missed: 3, listened_ms: 0 },
      ]);
      expect(items.flatMap(({ alert }) => (alert ? [[alert.id, alert.dead_deliveries]] : []))).toEqual(
        expect.arrayContaining([
          [alerts[2], 1],
          [alerts[0], 0],
        ]),
      );
      expect(new Set(items.flatMap(({ alert }) => alert?.id ?? []))).toEqual(new Set(alerts));
    });

    it.each([1, 2, 3, 5, 7, 14, 15, 16])('is the same in pages of %i', async (limit) => {
      const whole = (await read(id, 200)).items;
      const { items, pages } = await read(id, limit);
      expect(items).toEqual(whole);
      expect(pages).toBe(Math.ceil(STORY.length / limit));
    });

    it('is limited to a range without its end', async () => {
      const range = (from: number, to: number): string =>
        `?from=${at(from).toISOString()}&to=${at(to).toISOString()}`;
      expect((await read(id, 2, range(-420, -85))).items.map(short)).toEqual([
        '-90 action opened',
        '-420 heartbeats_missed 3',
      ]);
      expect((await read(id, 50, range(-419, -90))).items).toEqual([]);
    });

    it('says how long of a gap we were accepting reports', async () => {
      await support.database.db
        .collection<{ _id: string }>('listening_spans')
        .insertOne({ _id: 'another', from: at(-400), until: at(-370) } as never);
      const { items } = await read(id, 200, `?to=${at(-300).toISOString()}`);
      await support.database.db.collection<{ _id: string }>('listening_spans').deleteOne({ _id: 'another' });
      expect(items[0]!.gap).toMatchObject({ missed: 3, listened_ms: 30 * 60_000 + BEAT });
    });

    it('does not count as listened, as when silence is judged, that one of two device-apis may have been frozen', async () => {
      const spans = support.database.db.collection<{ _id: string }>('listening_spans');
      const frozen = { from: at(-440), until: at(-420), listener: 'a' };
      const other = { from: at(-450), until: at(-325), listener: 'b' };
      await spans.insertMany([
        { _id: 'frozen', ...frozen },
        { _id: 'other', ...other },
      ] as never);
      const { items } = await read(id, 200, `?to=${at(-300).toISOString()}`);
      await spans.deleteMany({ _id: { $in: ['frozen', 'other'] } });
      expect(items[0]!.gap).toMatchObject({ missed: 3, listened_ms: 118 * 60_000 + BEAT });
    });
  });

  it('finds a gap behind thousands of heartbeats in pages that each read a few thousand', async () => {
    const { id } = await support.register();
    // a heartbeat every 7 seconds, after a gap of two hours
    await insertHeartbeats(id, [-900, ...every(-780, 0, 0.12)]);
    const { items, pages } = await read(id, 10);
    expect(items.map(short)).toEqual(['-870 heartbeats_missed 3']);
    expect(pages).toBe(2);
  });

  it('of a new bottle is empty, and of an unknown one a 404', async () => {
    const { id } = await support.register();
    expect((await read(id, 10)).items).toEqual([]);
    expect((await support.get(`/v1/bottles/${new Types.ObjectId().toHexString()}/timeline`)).status).toBe(
      404,
    );
  });

  it('refuses a foreign cursor', async () => {
    const { id } = await support.register();
    for (const cursor of ['x', Buffer.from(`actions 0 ${'0'.repeat(24)}`).toString('base64url')]) {
      expect(await support.get(`/v1/bottles/${id}/timeline?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor', field: 'cursor' },
      });
    }
    expect(await support.get(`/v1/bottles/${id}/timeline?from=tomorrow`)).toMatchObject({ status: 400 });
  });
});
