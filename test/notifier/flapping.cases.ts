import { MINUTE_MS, HOUR_MS } from '#domain';
import { AlertsRepository, DeadlinesRepository, FlappingAlertsRepository } from '#persistence';
import { Types } from 'mongoose';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('flapping', () => {
  const SILENT = 'bottle_silent';

  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('flapping');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  /** Falls silent for `minutes`, in which it is noticed, and speaks again. */
  async function silence(bottle: TestBottle, minutes = 65, notifier = harness.notifier): Promise<void> {
    await harness.pass(61 * MINUTE_MS);
    await notifier.runAll();
    await harness.pass((minutes - 61) * MINUTE_MS);
    await harness.heartbeat(bottle);
    await notifier.runAll();
  }

  /** Speaks every half hour. */
  async function calm(bottle: TestBottle, minutes: number): Promise<void> {
    for (let left = minutes; left > 0; left -= 30) {
      await harness.pass(Math.min(30, left) * MINUTE_MS);
      await harness.heartbeat(bottle);
      await harness.notifier.runAll();
    }
  }

  async function twice(bottle: TestBottle): Promise<void> {
    await harness.heartbeat(bottle);
    await silence(bottle);
    await silence(bottle);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'resolved', 'raised', 'resolved']);
    harness.receiver.forget();
  }

  it('from the third on the end waits; a condition that returns before is the same alert and is not sent', async () => {
    const bottle = await harness.register();
    await twice(bottle);
    await silence(bottle);
    await silence(bottle);
    await calm(bottle, 60);
    await silence(bottle);
    expect(harness.received(bottle, SILENT)).toEqual(['raised']);
    const alerts = await harness.alerts(bottle);
    expect(alerts).toHaveLength(3);
    const cleared = harness.clock.now();
    const id = alerts.find(({ open }) => open === true)!._id.toHexString();
    const { body } = await asAdmin(harness.support).get(`/v1/alerts/${id}`).expect(200);
    expect(body).toMatchObject({
      flapping: true,
      cleared_at: cleared.toISOString(),
      clears_at: new Date(cleared.getTime() + 2 * HOUR_MS).toISOString(),
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
    expect(harness.received(bottle, SILENT)).toEqual(['raised']);
    await calm(bottle, 1);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'resolved']);
    expect(await harness.alerts(bottle, SILENT)).toContainEqual(
      expect.objectContaining({ flapping: true, state: 'resolved', ended_at: cleared }),
    );
  });

  it('a silence that lasts is never hidden: the last notification says that it lasts', async () => {
    const bottle = await harness.register();
    await twice(bottle);
    await silence(bottle);
    await harness.pass(61 * MINUTE_MS);
    await harness.notifier.runAll();
    await harness.pass(12 * HOUR_MS);
    await harness.notifier.runAll();
    await harness.notifier.reconcile.run();
    expect(harness.received(bottle, SILENT)).toEqual(['raised']);
    expect(await harness.state(bottle)).toMatchObject({ silent: true });
    const standing = (await harness.alerts(bottle, SILENT)).find(({ open }) => open);
    expect(standing?.evidence).not.toHaveProperty('heard_again_at');
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    await calm(bottle, 120);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'resolved']);
  });

  it('after a quiet time it is sent again at once, and after a longer one so is its end', async () => {
    const bottle = await harness.register();
    await twice(bottle);
    await silence(bottle);
    await calm(bottle, 150);
    await silence(bottle);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'resolved', 'raised']);
    await calm(bottle, 7 * 60);
    await silence(bottle);
    expect(harness.received(bottle, SILENT)).toEqual([
      'raised',
      'resolved',
      'raised',
      'resolved',
      'raised',
      'resolved',
    ]);
  });

  it('a lid that bounces is one alert until it stays closed', async () => {
    const bottle = await harness.register();
    const bounce = async (): Promise<void> => {
      await harness.action(bottle, 'opened');
      await harness.pass(6 * MINUTE_MS);
      await harness.notifier.runAll();
      await harness.action(bottle, 'closed');
      await harness.notifier.runAll();
      await harness.pass(5 * MINUTE_MS);
    };
    for (let time = 0; time < 7; time += 1) await bounce();
    expect(harness.received(bottle, 'bottle_open')).toEqual([
      'raised',
      'resolved',
      'raised',
      'resolved',
      'raised',
    ]);
    expect(await harness.state(bottle)).not.toHaveProperty('open_alerted');
    await calm(bottle, 115);
    expect(harness.received(bottle, 'bottle_open').slice(4)).toEqual(['raised', 'resolved']);
  });

  it('a reconcile does not end it early', async () => {
    const bottle = await harness.register();
    await twice(bottle);
    await silence(bottle);
    await calm(bottle, 30);
    await harness.notifier.reconcile.run();
    await harness.notifier.runAll();
    expect(harness.received(bottle, SILENT)).toEqual(['raised']);
  });

  it('a person can end it, and the escalation stops while the condition is clear and continues when it returns', async () => {
    const user_id = 'flapping-user';
    await asAdmin(harness.support)
      .put(`/v1/contacts/${user_id}`)
      .send({
        webhook: true,
        time_zone: 'UTC',
        escalation: [
          { after: '0m', to: 'user' },
          { after: '30m', to: 'carer' },
        ],
      })
      .expect(201);
    const bottle = await harness.register({ user_id });
    await twice(bottle);
    await silence(bottle);
    await calm(bottle, 60);
    expect(harness.received(bottle, SILENT)).toEqual(['raised']);
    await silence(bottle);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'escalated']);
    const [open] = (await harness.alerts(bottle)).filter(({ state }) => state === 'open');
    await asAdmin(harness.support)
      .post(`/v1/alerts/${open!._id.toHexString()}/close`)
      .send({ reason: 'duplicate' })
      .expect(200);
    await harness.notifier.runAll();
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'escalated', 'closed_by_staff']);
    await calm(bottle, 180);
    expect(harness.received(bottle, SILENT)).toHaveLength(3);
  });

  it.each([
    ['while it lasts', false],
    ['in its hold-down', true],
  ])('what a person ends %s is raised again when it returns', async (_, inHoldDown) => {
    const bottle = await harness.register();
    await twice(bottle);
    await harness.pass(61 * MINUTE_MS);
    await harness.notifier.runAll();
    if (inHoldDown) await calm(bottle, 5);
    const [open] = (await harness.alerts(bottle)).filter(({ state }) => state === 'open');
    await asAdmin(harness.support)
      .post(`/v1/alerts/${open!._id.toHexString()}/close`)
      .send({ reason: 'device_fault' })
      .expect(200);
    await harness.notifier.runAll();
    await calm(bottle, 5);
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'closed_by_staff']);
    for (let hours = 0; hours < 4; hours += 1) {
      await harness.pass(HOUR_MS);
      await harness.notifier.runAll();
    }
    expect(harness.received(bottle, SILENT)).toEqual(['raised', 'closed_by_staff', 'raised']);
  });

  it('what could not be sent before it went is not sent while it is away', async () => {
    const bottle = await harness.register();
    await twice(bottle);
    harness.receiver.behaviour = 'fails';
    await silence(bottle);
    harness.receiver.behaviour = 'works';
    await calm(bottle, 180);
    expect(harness.received(bottle, SILENT)).toEqual([]);
  });

  describe('with several notifiers, and one that is killed', () => {
    /** What it was about to write there is never written, nor what comes after. */
    function dieIn(repository: object, method: string): void {
      Object.assign(repository, { [method]: () => Promise.reject(new Error('killed')) });
    }

    it('two at once tell each once', async () => {
      const other = await harness.addNotifier();
      const bottle = await harness.register();
      const both = {
        ...harness.notifier,
        runAll: async () => {
          await Promise.all([harness.notifier.runAll(), other.runAll()]);
        },
      };
      await harness.heartbeat(bottle);
      for (let time = 0; time < 5; time += 1) await silence(bottle, 65, both);
      expect(harness.received(bottle, SILENT)).toEqual([
        'raised',
        'resolved',
        'raised',
        'resolved',
        'raised',
      ]);
      await calm(bottle, 120);
      expect(harness.received(bottle, SILENT).slice(4)).toEqual(['raised', 'resolved']);
      expect(await harness.alerts(bottle)).toHaveLength(3);
    });

    it.each(['recordReturned', 'recordCleared'])(
      'one that is killed as it writes that it %s: the next one does it',
      async (method) => {
        const killed = await harness.addNotifier();
        const bottle = await harness.register();
        await twice(bottle);
        await silence(bottle);
        dieIn(killed.app.get(FlappingAlertsRepository), method);
        await harness.pass(61 * MINUTE_MS);
        if (method === 'recordReturned') await expect(killed.silent.run()).rejects.toThrow('killed');
        await harness.pass(MINUTE_MS);
        await harness.notifier.runAll();
        await harness.heartbeat(bottle);
        if (method === 'recordCleared') await expect(killed.silent.run()).rejects.toThrow('killed');
        await harness.pass(MINUTE_MS);
        await harness.notifier.runAll();
        expect(harness.received(bottle, SILENT)).toEqual(['raised']);
        await harness.heartbeat(bottle);
        await calm(bottle, 121);
        expect(harness.received(bottle, SILENT)).toEqual(['raised', 'resolved']);
      },
    );

    it('one that is killed between the alert and the state: no end is sent that was none', async () => {
      const bottle = await harness.register();
      await twice(bottle);
      await silence(bottle);
      const killed = await harness.addNotifier();
      dieIn(killed.app.get(DeadlinesRepository), 'release');
      await harness.pass(61 * MINUTE_MS);
      await expect(killed.silent.run()).rejects.toThrow('killed');
      await harness.pass(MINUTE_MS);
      await harness.notifier.runAll();
      const [open] = await harness.notifier.app
        .get(AlertsRepository)
        .findOpen([new Types.ObjectId(bottle.id)], SILENT);
      expect(open).not.toHaveProperty('clears_at');
      expect(open!.history.filter(({ event }) => event === 'returned')).toHaveLength(1);
      expect(await harness.state(bottle)).toMatchObject({ silent: true });
      await harness.pass(5 * HOUR_MS);
      await harness.notifier.runAll();
      expect(harness.received(bottle, SILENT)).toEqual(['raised']);
    });
  });
});
