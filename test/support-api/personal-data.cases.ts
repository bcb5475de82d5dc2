import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('personal data', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('personal-data');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const DAY = { _id: { bottle_id: new Types.ObjectId(), timestamp: at(0) }, values: { 12: { 0: {} } } };

  /** Fills every log with data of a bottle. */
  async function fill(id: string, token: string): Promise<void> {
    const { db } = support.database;
    const bottle_id = new Types.ObjectId(id);
    await support.report(token, 'heartbeats');
    for (const minute of [0, 1, 2]) {
      await support.report(token, 'actions', {
        action: 'opened',
        time: at(-minute),
        mass_of_contents: 1,
        number_of_pills: 1,
      });
    }
    const [alert] = await insertAlerts(support, [{ bottle_id }, { bottle_id, kind: 'low_supply' }]);
    await insertDeliveries(support, [{ bottle_id, alert_id: new Types.ObjectId(alert) }]);
    await db.collection('dose_outcomes').insertOne({ bottle_id, scheduled_at: NOW });
    for (const [name, timestamp] of [
      ['ts_vitals_202601', '2026-01-31T00:00:00Z'],
      ['ts_vitals_202602', '2026-02-28T00:00:00Z'],
      ['ts_vitals_seconds_20260228', '2026-02-28T23:00:00Z'],
    ] as const) {
      await db
        .collection(name)
        .insertOne({ ...DAY, _id: { bottle_id, timestamp: new Date(timestamp) } } as never);
    }
    // device-api counts in memory, and writes once a second
    await eventually(async () =>
      expect(await db.collection('ts_vitals_202603').countDocuments({ '_id.bottle_id': bottle_id })).toBe(1),
    );
  }

  /** How often a bottle's id occurs in the database, except in the audit log. */
  async function mentions(id: string): Promise<number> {
    const { db } = support.database;
    const names = (await db.listCollections({ name: /^ts_vitals/ }, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    const charts = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
    const all = (await support.stored(['audit'])) + JSON.stringify(charts);
    return all.split(id).length - 1;
  }

  describe('an erasure', () => {
    const COUNTS = { actions: 3, heartbeats: 1, doses: 1, alerts: 2, deliveries: 1, vitals: 4 };

    it('removes all data of the bottle and none of the others', async () => {
      const [erased, stays] = [
        await support.register({ user_id: 'gone' }),
        await support.register({ user_id: 'stays' }),
      ];
      for (const { id, token } of [erased, stays]) await fill(id, token);
      const before = await mentions(stays.id);
      expect(before).toBeGreaterThan(9);
      expect((await support.call('delete', `/v1/bottles/${erased.id}`)).status).toBe(200);
      expect(await mentions(erased.id)).toBe(0);
      expect(await mentions(stays.id)).toBe(before);
      expect(await support.report(erased.token, 'heartbeats')).toMatchObject({
        status: 401,
        body: { code: 'token_unknown' },
      });
      expect((await support.call('delete', `/v1/bottles/${erased.id}`)).status).toBe(404);
    });

    it('leaves a receipt for all staff, without patient data', async () => {
      const { id, token } = await support.register({ user_id: 'a-patient', medication: 'Inaprovaline' });
      await fill(id, token);
      const path = `/v1/bottles/${id}/erasure`;
      expect(await support.get(path)).toMatchObject({ status: 404, body: { code: 'erasure_not_found' } });
      const answer = await support.call('delete', `/v1/bottles/${id}`);
      const receipt = {
        bottle_id: id,
        erased_at: NOW.toISOString(),
        erased_by: 'ADMIN_TOKEN',
        counts: COUNTS,
      };
      expect(answer.body).toEqual(receipt);
      support.clock.set(at(60 * 24 * 365));
      const later = await support.get(path, await support.keyOf('viewer'));
      expect(later).toMatchObject({ status: 200, body: receipt });
      const { body } = await support.get(`/v1/audit?category=change&subject=bottle:${id}`);
      expect(body.items).toMatchObject([{ action: 'bottle.erase', details: { counts: COUNTS } }, {}]);
      expect(JSON.stringify(body)).not.toMatch(/a-patient|Inaprovaline/);
    });

    it('can be repeated after a crash, and its receipt counts everything', async () => {
      const { id, token } = await support.register();
      await fill(id, token);
      const { db } = support.database;
      const _id = new Types.ObjectId(id);
      // the state after a crash: the bottle's state and actions are deleted and counted
      await db.collection('bottle_states').deleteOne({ _id });
      await db.collection('bottle_actions').deleteMany({ bottle_id: _id });
      await db.collection('bottles').updateOne({ _id }, { $inc: { 'erased.actions': 3 } });
      expect((await support.get(`/v1/bottles/${id}/erasure`)).status).toBe(404);
      const answer = await support.call('delete', `/v1/bottles/${id}`);
      expect(answer).toMatchObject({ status: 200, body: { counts: COUNTS } });
      expect(await mentions(id)).toBe(0);
    });

    it('by concurrent callers succeeds at least once, and counts nothing twice', async () => {
      const { id, token } = await support.register();
      await fill(id, token);
      const answers = await Promise.all([1, 2, 3].map(() => support.call('delete', `/v1/bottles/${id}`)));
      expect(new Set(answers.map(({ status }) => status)).has(200)).toBe(true);
      expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true);
      expect((await support.get(`/v1/bottles/${id}/erasure`)).body.counts).toEqual(COUNTS);
    });
  });

  describe('an export', () => {
    it('contains everything stored about a bottle, about no other, without secrets', async () => {
      const { id, token } = await support.register({ user_id: '<b>a "patient"</b>', number_of_pills: 30 });
      const other = await support.register({ user_id: 'someone-else' });
      const { db } = support.database;
      for (const bottle of [{ id, token }, other]) {
        const bottle_id = new Types.ObjectId(bottle.id);
        await support.report(bottle.token, 'heartbeats', { battery_percent: 81 });
        const action = { action: 'opened', time: at(-1), mass_of_contents: 1, number_of_pills: 30 };
        await support.report(bottle.token, 'actions', action);
        const [alert] = await insertAlerts(support, [{ bottle_id }]);
        await insertDeliveries(support, [
          { bottle_id, alert_id: new Types.ObjectId(alert), claim: { token: 'x', until: NOW } },
        ]);
        await db.collection('dose_outcomes').insertOne({ bottle_id, scheduled_at: NOW, outcome: 'missed' });
        await db
          .collection('ts_vitals_202602')
          .insertOne({ _id: { bottle_id, timestamp: at(-24 * 60) }, values: {} } as never);
      }
      await db
        .collection('bottle_states')
        .updateOne({ _id: new Types.ObjectId(id) }, { $set: { dose_claim: { token: 'x', until: NOW } } });
      const answer = await support.get(`/v1/bottles/${id}/export`);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="bottle-${id}.json"`);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      const file = JSON.parse(answer.text);
      expect(file).toMatchObject({
        exported_at: NOW.toISOString(),
        bottle: { _id: id, user_id: '<b>a "patient"</b>', time_zone: 'Europe/Berlin', initial_pills: 30 },
        state: { _id: id, vitals: { battery_percent: 81 } },
        actions: [{ bottle_id: id, action: 'opened', time: at(-1).toISOString() }],
        heartbeats: [{ bottle_id: id, time: NOW.toISOString(), battery_percent: 81 }],
        doses: [{ bottle_id: id, outcome: 'missed' }],
        alerts: [{ bottle_id: id, kind: 'bottle_open', evidence: { rule: 'open for 5m' } }],
        deliveries: [{ bottle_id: id, channel: 'webhook' }],
        pill_weights: [],
      });
      expect(file.vitals).toContainEqual({
        _id: { bottle_id: id, timestamp: at(-24 * 60).toISOString() },
        values: {},
      });
      expect(answer.text).not.toMatch(/someone-else|token_hash|claim/);
      expect(answer.text).not.toContain(other.id);
    });

    it('is audited before anything is sent, and is not for viewers', async () => {
      const { id } = await support.register();
      const path = `/v1/bottles/${id}/export`;
      expect(await support.get(path, await support.keyOf('viewer'))).toMatchObject({
        status: 403,
        body: { code: 'role_insufficient' },
      });
      expect((await support.get(path, await support.keyOf('support'))).status).toBe(200);
      const { body } = await support.get(`/v1/audit?subject=bottle:${id}`);
      expect(body.items).toMatchObject([
        { action: 'bottle.export', who: { name: 'a support' } },
        { action: 'bottle.register' },
      ]);
    });

    it('contains a long history completely, and in order', async () => {
      const { id } = await support.register();
      const bottle_id = new Types.ObjectId(id);
      const actions = Array.from({ length: 5_000 }, (_, index) => ({
        bottle_id,
        user_id: 'willcross1024',
        medication: 'Cordrazine',
        action: index % 2 ? 'opened' : 'closed',
        time: at(-index),
      }));
      await support.database.db.collection('bottle_actions').insertMany(actions);
      const { text } = await support.get(`/v1/bottles/${id}/export`);
      const times = JSON.parse(text).actions.map(({ time }: { time: string }) => time);
      expect(times).toEqual(actions.map(({ time }) => time.toISOString()).reverse());
    });

    it('of an unknown bottle is a 404, and not a file', async () => {
      const answer = await support.get(`/v1/bottles/${new Types.ObjectId().toHexString()}/export`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'bottle_not_found' } });
      expect(answer.headers['content-disposition']).toBeUndefined();
    });
  });
});
