import { DeliveriesRepository } from '#persistence';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { eventually } from '../../tools/harness/eventually.js';
import { HOUR, MINUTE, World } from './world.js';

const DAY = 24 * HOUR;

let world: World;

beforeAll(async () => {
  world = await World.start('delivery');
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

/** A bottle whose alert is recorded and whose message waits to be sent. */
async function overdue(): Promise<TestBottle> {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.pass(5 * MINUTE);
  await world.notifier.open.run();
  return bottle;
}

/** Lets time pass, with an attempt at each moment at which one is due. */
async function deliverUntil(end: Date): Promise<void> {
  const deliveries = world.database.db.collection<{ next_attempt_at: Date }>('deliveries');
  for (;;) {
    const [next] = await deliveries
      .find({ next_attempt_at: { $lte: end } })
      .sort({ next_attempt_at: 1 })
      .limit(1)
      .toArray();
    if (!next) break;
    if (next.next_attempt_at > world.clock.now()) world.clock.set(next.next_attempt_at);
    await world.notifier.deliverer.run();
  }
  world.clock.set(end);
}

const close = async (bottle: TestBottle): Promise<void> => {
  await world.pass(1_000);
  await world.action(bottle, 'closed');
};

it('tries again after a failure, later and later, and once it works says so', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'fails';
  await world.notifier.deliverer.run();
  let [delivery] = await world.deliveries(bottle);
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ ok: false, status: 500 }] });
  const wait = (delivery!['next_attempt_at'] as Date).getTime() - world.clock.now().getTime();
  expect(wait).toBeGreaterThanOrEqual(1_600);
  expect(wait).toBeLessThanOrEqual(2_400);
  await world.pass(1_599);
  await world.notifier.deliverer.run();
  expect((await world.deliveries(bottle))[0]!['attempts']).toHaveLength(1);
  await world.pass(801);
  world.receiver.behaviour = 'works';
  await world.notifier.deliverer.run();
  [delivery] = await world.deliveries(bottle);
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status: 500 }, { ok: true, status: 204 }],
  });
  expect(delivery).not.toHaveProperty('next_attempt_at');
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
});

it('gives up after ten attempts, until staff have it sent again', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'fails';
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await world.notifier.deliverer.run();
    await world.pass(2 * DAY);
  }
  const [dead] = await world.deliveries(bottle);
  expect(dead).toMatchObject({ status: 'dead', reason: '10 attempts failed' });
  expect(dead!['attempts']).toHaveLength(10);
  world.receiver.behaviour = 'works';
  await world.notifier.deliverer.run();
  expect(world.receiver.requests).toEqual([]);

  await asAdmin(world.support)
    .post(`/v1/deliveries/${String(dead!._id)}/replay`)
    .expect(200);
  await world.notifier.deliverer.run();
  const [replayed] = await world.deliveries(bottle);
  expect(replayed).toMatchObject({ _id: dead!._id, status: 'delivered', attempts: [{ ok: true }] });
  expect(replayed!['earlier_attempts']).toHaveLength(10);
  expect(world.receiver.requests).toMatchObject([{ id: dead!._id }]);
});

it('a receiver that fails for a day is asked at most ten times for each message, and gets them all', async () => {
  const bottles = await world.registerMany(10);
  await Promise.all(bottles.map((bottle) => world.action(bottle, 'opened')));
  await world.pass(5 * MINUTE);
  await world.notifier.open.run();
  const began = world.clock.now().getTime();
  world.receiver.behaviour = 'fails';
  await deliverUntil(new Date(began + HOUR));
  const ofTheFirstHour = [...world.receiver.attempts.values()];
  expect(ofTheFirstHour).toHaveLength(bottles.length);
  expect(Math.max(...ofTheFirstHour)).toBeLessThanOrEqual(6);
  await deliverUntil(new Date(began + DAY));
  expect(world.receiver.requests).toEqual([]);
  world.receiver.behaviour = 'works';
  await deliverUntil(new Date(began + DAY + 30 * HOUR));
  for (const bottle of bottles) expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
  const attempts = [...world.receiver.attempts.values()];
  expect(attempts).toHaveLength(bottles.length);
  expect(Math.max(...attempts)).toBeLessThanOrEqual(10);
  expect(world.receiver.requests).toHaveLength(bottles.length);
});

it('what was taken without an answer is repeated under the same id, and its end is told', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'hangs';
  const run = world.notifier.deliverer.run();
  await eventually(() => expect(world.receiver.requests).toHaveLength(1));
  await run;
  expect(await world.deliveries(bottle)).toMatchObject([
    { status: 'pending', attempts: [{ ok: false, error: 'no answer in time' }] },
  ]);
  world.receiver.behaviour = 'works';
  await world.pass(15_000);
  await world.notifier.deliverer.run();
  expect(world.receiver.requests).toHaveLength(2);
  expect(world.receiver.messages).toHaveLength(1);
  await close(bottle);
  await world.notifier.runAll();
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
});

it('the end is told to who may have heard of the beginning, even if that was never answered', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'hangs';
  await world.notifier.deliverer.run();
  await close(bottle);
  world.receiver.behaviour = 'works';
  await world.notifier.runAll();
  await world.pass(MINUTE);
  await world.notifier.runAll();
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
  // not once more what they may have heard already
  expect(world.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id)).toHaveLength(2);
});

it('an alert that ended before it was sent is never heard of', async () => {
  const bottle = await overdue();
  await close(bottle);
  await world.notifier.open.run();
  await world.live(2);
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
  expect(world.receiver.received(bottle.id)).toEqual([]);
  for (const delivery of await world.deliveries(bottle)) {
    expect(delivery).toMatchObject({ status: 'cancelled', reason: expect.any(String), attempts: [] });
  }
});

it('an alert that ended while the receiver refused it is never heard of', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'fails';
  await world.notifier.deliverer.run();
  world.receiver.behaviour = 'works';
  await close(bottle);
  await world.live(2);
  expect(world.receiver.received(bottle.id)).toEqual([]);
  const statuses = (await world.deliveries(bottle)).map(({ status }) => status as string);
  expect(new Set(statuses)).toEqual(new Set(['cancelled']));
});

it('two notifiers that deliver at once send each message once', async () => {
  const bottles = await world.registerMany(100);
  await Promise.all(bottles.map((bottle) => world.action(bottle, 'opened')));
  await world.pass(5 * MINUTE);
  await world.notifier.open.run();
  const other = await world.addNotifier();
  await Promise.all([world.notifier.deliverer.run(), other.deliverer.run()]);
  expect(world.receiver.requests).toHaveLength(bottles.length);
  expect(world.receiver.messages).toHaveLength(bottles.length);
});

it('a notifier that was killed while sending: another sends it after the lease, under the same id', async () => {
  const bottle = await overdue();
  const [waiting] = await world.deliveries(bottle);
  const claim = {
    token: 'of a notifier that was killed',
    until: new Date(world.clock.now().getTime() + 30_000),
  };
  await world.database.db
    .collection<{ _id: string }>('deliveries')
    .updateOne({ _id: String(waiting!._id) }, { $set: { claim } });
  await world.pass(29_999);
  await world.notifier.deliverer.run();
  expect(world.receiver.requests).toEqual([]);
  await world.pass(1);
  await world.notifier.deliverer.run();
  expect(world.receiver.requests).toMatchObject([{ id: waiting!._id }]);
});

describe('a notifier that is killed when the receiver has the message, before it is marked', () => {
  async function killedAfterSending(): Promise<TestBottle> {
    const bottle = await overdue();
    const victim = await world.addNotifier();
    victim.app.get(DeliveriesRepository).recordResults = async () => {
      throw new Error('killed');
    };
    await expect(victim.deliverer.run()).rejects.toThrow('killed');
    expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
    return bottle;
  }

  it('the alert ends before the lease does: who was told hears the end', async () => {
    const bottle = await killedAfterSending();
    await close(bottle);
    await world.notifier.runAll();
    await world.live(2);
    expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
    // not once more what has arrived, or may have
    const sent = world.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id);
    expect(sent).toHaveLength(2);
    const deliveries = await world.deliveries(bottle);
    expect(deliveries.find(({ event }) => event === 'raised')).toMatchObject({
      status: 'cancelled',
      attempts: [{ ok: false, error: 'the notifier stopped before the answer' }],
    });
  });

  it('the alert goes on: it is sent again under its id, and the attempt that was cut off is on record', async () => {
    const bottle = await killedAfterSending();
    await world.live(1);
    const sent = world.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id);
    expect(sent).toHaveLength(2);
    expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
    expect(await world.deliveries(bottle)).toMatchObject([
      { status: 'delivered', attempts: [{ ok: false }, { ok: true, status: 204 }] },
    ]);
  });
});

it('a notifier that stops before it has sent what it claimed lets it go: another sends it at once', async () => {
  const bottle = await overdue();
  const answers = [false, true];
  await world.notifier.deliverer.run(() => answers.shift() ?? true);
  expect(world.receiver.requests).toEqual([]);
  const other = await world.addNotifier();
  await other.deliverer.run();
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
  expect(await world.deliveries(bottle)).toMatchObject([{ status: 'delivered', attempts: [{ ok: true }] }]);
});

it("a contact that cannot be read delays its own messages and nobody else's", async () => {
  const contacts = world.database.db.collection<{ _id: string }>('contacts');
  await contacts.insertOne({
    _id: 'broken',
    time_zone: 'Nowhere/At_All',
    webhook: true,
    quiet_hours: { from: '22:00', to: '07:00' },
  } as never);
  const broken = await world.register({ user_id: 'broken' });
  const whole = await world.registerMany(3);
  for (const bottle of [broken, ...whole]) await world.action(bottle, 'opened');
  await world.pass(5 * MINUTE);
  await world.notifier.open.run();
  await world.notifier.deliverer.run();
  for (const bottle of whole) expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
  expect(await world.deliveries(broken)).toMatchObject([
    { status: 'pending', attempts: [{ ok: false, error: expect.stringMatching(/zone/i) }] },
  ]);
  await contacts.deleteOne({ _id: 'broken' });
  await world.pass(MINUTE);
  await world.notifier.deliverer.run();
  expect(world.heard(broken, 'bottle_open')).toEqual(['raised']);
});

it('who timed out, was given up and is sent it again by staff hears the end too', async () => {
  const bottle = await overdue();
  const [delivery] = await world.deliveries(bottle);
  await world.database.db.collection<{ _id: string }>('deliveries').updateOne(
    { _id: String(delivery!._id) },
    {
      $set: { status: 'dead', attempts: [{ at: world.clock.now(), ok: false, error: 'no answer in time' }] },
      $unset: { next_attempt_at: '' },
    },
  );
  await asAdmin(world.support)
    .post(`/v1/deliveries/${String(delivery!._id)}/replay`)
    .expect(200);
  await close(bottle);
  await world.live(1);
  expect(world.heard(bottle, 'bottle_open')).toEqual(['resolved']);
});
