import { AlertsRepository, DeadlinesRepository, FlappingAlertsRepository } from '#persistence';
import { Types } from 'mongoose';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { HOUR, MINUTE, World } from './world.js';

const SILENT = 'bottle_silent';

let world: World;

beforeAll(async () => {
  world = await World.start('flapping');
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

/** Falls silent for `minutes`, in which it is noticed, and speaks again. */
async function silence(bottle: TestBottle, minutes = 65, notifier = world.notifier): Promise<void> {
  await world.pass(61 * MINUTE);
  await notifier.runAll();
  await world.pass((minutes - 61) * MINUTE);
  await world.heartbeat(bottle);
  await notifier.runAll();
}

/** Speaks every half hour. */
async function calm(bottle: TestBottle, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 30) {
    await world.pass(Math.min(30, left) * MINUTE);
    await world.heartbeat(bottle);
    await world.notifier.runAll();
  }
}

async function twice(bottle: TestBottle): Promise<void> {
  await world.heartbeat(bottle);
  await silence(bottle);
  await silence(bottle);
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved', 'raised', 'resolved']);
  world.receiver.forget();
}

it('from the third on the end waits; what comes back before is the same alert and is not told', async () => {
  const bottle = await world.register();
  await twice(bottle);
  await silence(bottle);
  await silence(bottle);
  await calm(bottle, 60);
  await silence(bottle);
  expect(world.heard(bottle, SILENT)).toEqual(['raised']);
  const alerts = await world.alerts(bottle);
  expect(alerts).toHaveLength(3);
  const cleared = world.clock.now();
  const id = alerts.find(({ open }) => open === true)!._id.toHexString();
  const { body } = await asAdmin(world.support).get(`/v1/alerts/${id}`).expect(200);
  expect(body).toMatchObject({
    flapping: true,
    cleared_at: cleared.toISOString(),
    clears_at: new Date(cleared.getTime() + 2 * HOUR).toISOString(),
  });
  expect(body.history.map(({ event }: { event: string }) => event)).toEqual([
    'raised',
    'cleared',
    'returned',
    'cleared',
    'returned',
    'cleared',
  ]);
  await calm(bottle, 119);
  expect(world.heard(bottle, SILENT)).toEqual(['raised']);
  await calm(bottle, 1);
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved']);
  expect(await world.alerts(bottle, SILENT)).toContainEqual(
    expect.objectContaining({ flapping: true, state: 'resolved', ended_at: cleared }),
  );
});

it('a silence that lasts is never hidden: the last that was told is that there is one', async () => {
  const bottle = await world.register();
  await twice(bottle);
  await silence(bottle);
  await world.pass(61 * MINUTE);
  await world.notifier.runAll();
  await world.pass(12 * HOUR);
  await world.notifier.runAll();
  await world.notifier.reconcile.run();
  expect(world.heard(bottle, SILENT)).toEqual(['raised']);
  expect(await world.state(bottle)).toMatchObject({ silent: true });
  await world.heartbeat(bottle);
  await world.notifier.runAll();
  await calm(bottle, 120);
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved']);
});

it('after a calm time it is told again at once, and after a longer one so is its end', async () => {
  const bottle = await world.register();
  await twice(bottle);
  await silence(bottle);
  await calm(bottle, 150);
  await silence(bottle);
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved', 'raised']);
  await calm(bottle, 7 * 60);
  await silence(bottle);
  expect(world.heard(bottle, SILENT)).toEqual([
    'raised',
    'resolved',
    'raised',
    'resolved',
    'raised',
    'resolved',
  ]);
});

it('a lid that bounces is one alert until it stays closed', async () => {
  const bottle = await world.register();
  const bounce = async (): Promise<void> => {
    await world.action(bottle, 'opened');
    await world.pass(6 * MINUTE);
    await world.notifier.runAll();
    await world.action(bottle, 'closed');
    await world.notifier.runAll();
    await world.pass(5 * MINUTE);
  };
  for (let time = 0; time < 7; time += 1) await bounce();
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved', 'raised', 'resolved', 'raised']);
  expect(await world.state(bottle)).not.toHaveProperty('open_alerted');
  await calm(bottle, 115);
  expect(world.heard(bottle, 'bottle_open').slice(4)).toEqual(['raised', 'resolved']);
});

it('a reconcile does not end it early', async () => {
  const bottle = await world.register();
  await twice(bottle);
  await silence(bottle);
  await calm(bottle, 30);
  await world.notifier.reconcile.run();
  await world.notifier.runAll();
  expect(world.heard(bottle, SILENT)).toEqual(['raised']);
});

it('a person can end it, and the escalation stops while the trouble is away and goes on when it is back', async () => {
  const user_id = 'flapping-user';
  await asAdmin(world.support)
    .put(`/v1/contacts/${user_id}`)
    .send({
      webhook: true,
      time_zone: 'UTC',
      escalation: [
        { after: '0m', to: 'user' },
        { after: '30m', to: 'carer' },
      ],
    })
    .expect(200);
  const bottle = await world.register({ user_id });
  await twice(bottle);
  await silence(bottle);
  await calm(bottle, 60);
  expect(world.heard(bottle, SILENT)).toEqual(['raised']);
  await silence(bottle);
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'escalated']);
  const [open] = (await world.alerts(bottle)).filter(({ state }) => state === 'open');
  await asAdmin(world.support).post(`/v1/alerts/${open!._id.toHexString()}/resolve`).expect(200);
  await world.notifier.runAll();
  expect(world.heard(bottle, SILENT)).toEqual(['raised', 'escalated', 'resolved']);
  await calm(bottle, 180);
  expect(world.heard(bottle, SILENT)).toHaveLength(3);
});

it('what could not be sent before it went is not sent while it is away', async () => {
  const bottle = await world.register();
  await twice(bottle);
  world.receiver.behaviour = 'fails';
  await silence(bottle);
  world.receiver.behaviour = 'works';
  await calm(bottle, 180);
  expect(world.heard(bottle, SILENT)).toEqual([]);
});

describe('with several notifiers, and one that is killed', () => {
  /** What it was about to write there is never written, nor what comes after. */
  function dieIn(repository: object, method: string): void {
    Object.assign(repository, { [method]: () => Promise.reject(new Error('killed')) });
  }

  it('two at once tell each once', async () => {
    const other = await world.addNotifier();
    const bottle = await world.register();
    const both = {
      ...world.notifier,
      runAll: async () => {
        await Promise.all([world.notifier.runAll(), other.runAll()]);
      },
    };
    await world.heartbeat(bottle);
    for (let time = 0; time < 5; time += 1) await silence(bottle, 65, both);
    expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved', 'raised', 'resolved', 'raised']);
    await calm(bottle, 120);
    expect(world.heard(bottle, SILENT).slice(4)).toEqual(['raised', 'resolved']);
    expect(await world.alerts(bottle)).toHaveLength(3);
  });

  it.each(['recordReturned', 'recordCleared'])(
    'one that is killed as it writes that it %s: the next one does it',
    async (method) => {
      const killed = await world.addNotifier();
      const bottle = await world.register();
      await twice(bottle);
      await silence(bottle);
      dieIn(killed.app.get(FlappingAlertsRepository), method);
      await world.pass(61 * MINUTE);
      if (method === 'recordReturned') await expect(killed.silent.run()).rejects.toThrow('killed');
      await world.pass(MINUTE);
      await world.notifier.runAll();
      await world.heartbeat(bottle);
      if (method === 'recordCleared') await expect(killed.silent.run()).rejects.toThrow('killed');
      await world.pass(MINUTE);
      await world.notifier.runAll();
      expect(world.heard(bottle, SILENT)).toEqual(['raised']);
      await world.heartbeat(bottle);
      await calm(bottle, 121);
      expect(world.heard(bottle, SILENT)).toEqual(['raised', 'resolved']);
    },
  );

  it('one that is killed between the alert and the state: nobody is told of an end that was none', async () => {
    const bottle = await world.register();
    await twice(bottle);
    await silence(bottle);
    const killed = await world.addNotifier();
    dieIn(killed.app.get(DeadlinesRepository), 'release');
    await world.pass(61 * MINUTE);
    await expect(killed.silent.run()).rejects.toThrow('killed');
    await world.pass(MINUTE);
    await world.notifier.runAll();
    const [open] = await world.notifier.app
      .get(AlertsRepository)
      .findOpen([new Types.ObjectId(bottle.id)], SILENT);
    expect(open).not.toHaveProperty('clears_at');
    expect(open!.history.filter(({ event }) => event === 'returned')).toHaveLength(1);
    expect(await world.state(bottle)).toMatchObject({ silent: true });
    await world.pass(5 * HOUR);
    await world.notifier.runAll();
    expect(world.heard(bottle, SILENT)).toEqual(['raised']);
  });
});
