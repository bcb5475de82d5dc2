import { Types } from 'mongoose';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

let support: Support;

beforeAll(async () => {
  support = await Support.start('export');
});
beforeEach(() => support.clock.set(NOW));
afterAll(() => support?.stop());

it('is everything that is stored of a bottle, and of no other, without secrets', async () => {
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

it('is written down, before anything is sent, and is not for viewers', async () => {
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

it('of a long history is whole, and in order', async () => {
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

it('of a bottle that is not there is a 404, and no file', async () => {
  const answer = await support.get(`/v1/bottles/${new Types.ObjectId().toHexString()}/export`);
  expect(answer).toMatchObject({ status: 404, body: { code: 'bottle_not_found' } });
  expect(answer.headers['content-disposition']).toBeUndefined();
});
