import { asAdmin, type TestBottle } from '../support/services.js';
import { eventually } from '../support/eventually.js';
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
  expect(wait).toBeGreaterThanOrEqual(8_000);
  expect(wait).toBeLessThanOrEqual(12_000);
  await world.pass(7_999);
  await world.notifier.deliverer.run();
  expect((await world.deliveries(bottle))[0]!['attempts']).toHaveLength(1);
  await world.pass(4_001);
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

it('what was taken without an answer is repeated under the same id, and its end is told', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'times-out-after-accepting';
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
}, 30_000);

it('the end is told to who may have heard of the beginning, even if that was never answered', async () => {
  const bottle = await overdue();
  world.receiver.behaviour = 'times-out-after-accepting';
  await world.notifier.deliverer.run();
  await close(bottle);
  world.receiver.behaviour = 'works';
  await world.notifier.runAll();
  await world.pass(MINUTE);
  await world.notifier.runAll();
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
  // not once more what they may have heard already
  expect(world.receiver.requests.filter(({ data }) => data.bottle_id === bottle.id)).toHaveLength(2);
}, 30_000);

it('an alert that ended before it was sent is never heard of', async () => {
  const bottle = await overdue();
  await close(bottle);
  await world.notifier.open.run();
  await world.live(2);
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
  expect(world.receiver.heard(bottle.id)).toEqual([]);
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
  expect(world.receiver.heard(bottle.id)).toEqual([]);
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
