import { Types } from 'mongoose';
import { eventually } from '../../tools/harness/eventually.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

let support: Support;

beforeAll(async () => {
  support = await Support.start('erasure');
});
beforeEach(() => support.clock.set(NOW));
afterAll(() => support?.stop());

const DAY = { _id: { bottle_id: new Types.ObjectId(), timestamp: at(0) }, values: { 12: { 0: {} } } };

/** Something of it in every log. */
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

/** How often a bottle stands in the database, beside the audit. */
async function mentions(id: string): Promise<number> {
  const { db } = support.database;
  const names = (await db.listCollections({ name: /^ts_vitals/ }, { nameOnly: true }).toArray()).map(
    ({ name }) => name,
  );
  const charts = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
  const all = (await support.stored(['audit'])) + JSON.stringify(charts);
  return all.split(id).length - 1;
}

const COUNTS = { actions: 3, heartbeats: 1, doses: 1, alerts: 2, deliveries: 1, vitals: 4 };

it('leaves nothing of the bottle and everything of the others', async () => {
  const [gone, stays] = [
    await support.register({ user_id: 'gone' }),
    await support.register({ user_id: 'stays' }),
  ];
  for (const { id, token } of [gone, stays]) await fill(id, token);
  const before = await mentions(stays.id);
  expect(before).toBeGreaterThan(9);
  expect((await support.call('delete', `/v1/bottles/${gone.id}`)).status).toBe(200);
  expect(await mentions(gone.id)).toBe(0);
  expect(await mentions(stays.id)).toBe(before);
  expect(await support.report(gone.token, 'heartbeats')).toMatchObject({
    status: 401,
    body: { code: 'token_unknown' },
  });
  expect((await support.call('delete', `/v1/bottles/${gone.id}`)).status).toBe(404);
});

it('leaves a receipt that anyone of the staff can look at, without anything about the patient', async () => {
  const { id, token } = await support.register({ user_id: 'a-patient', medication: 'Inaprovaline' });
  await fill(id, token);
  const path = `/v1/bottles/${id}/erasure`;
  expect(await support.get(path)).toMatchObject({ status: 404, body: { code: 'erasure_not_found' } });
  const answer = await support.call('delete', `/v1/bottles/${id}`);
  const receipt = { bottle_id: id, erased_at: NOW.toISOString(), erased_by: 'ADMIN_TOKEN', counts: COUNTS };
  expect(answer.body).toEqual(receipt);
  support.clock.set(at(60 * 24 * 365));
  const later = await support.get(path, await support.keyOf('viewer'));
  expect(later).toMatchObject({ status: 200, body: receipt });
  const { body } = await support.get(`/v1/audit?subject=bottle:${id}`);
  expect(body.items).toMatchObject([{ action: 'bottle.erase', details: { counts: COUNTS } }, {}]);
  expect(JSON.stringify(body)).not.toMatch(/a-patient|Inaprovaline/);
});

it('that was cut short can be asked for again, and its receipt tells of all of it', async () => {
  const { id, token } = await support.register();
  await fill(id, token);
  const { db } = support.database;
  const _id = new Types.ObjectId(id);
  // as a crash leaves it: the state and the actions are gone, and counted
  await db.collection('bottle_states').deleteOne({ _id });
  await db.collection('bottle_actions').deleteMany({ bottle_id: _id });
  await db.collection('bottles').updateOne({ _id }, { $inc: { 'erased.actions': 3 } });
  expect((await support.get(`/v1/bottles/${id}/erasure`)).status).toBe(404);
  const answer = await support.call('delete', `/v1/bottles/${id}`);
  expect(answer).toMatchObject({ status: 200, body: { counts: COUNTS } });
  expect(await mentions(id)).toBe(0);
});

it('of a bottle that two ask for at once is one receipt at least, and counts nothing twice', async () => {
  const { id, token } = await support.register();
  await fill(id, token);
  const answers = await Promise.all([1, 2, 3].map(() => support.call('delete', `/v1/bottles/${id}`)));
  expect(new Set(answers.map(({ status }) => status)).has(200)).toBe(true);
  expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true);
  expect((await support.get(`/v1/bottles/${id}/erasure`)).body.counts).toEqual(COUNTS);
});
