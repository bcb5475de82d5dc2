import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain';
import { Types } from 'mongoose';
import { Channels } from '../../apps/notifier/src/delivery/channels/index.js';
import { Recovery } from '../../apps/notifier/src/delivery/recovery.js';
import { NotifierHarness } from './notifier-harness.js';

describe('a receiver that works again', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('recovery');
  });
  afterAll(() => harness?.stop());
  beforeEach(() => harness.begin());

  it('a receiver that was down for 10 minutes gets what waits for it within a minute, at a limited rate', async () => {
    const bottles = await harness.registerMany(60);
    await Promise.all(bottles.map((bottle) => harness.action(bottle, 'opened')));
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.open.run();
    harness.receiver.behaviour = 'fails';
    await harness.deliverUntil(new Date(harness.clock.now().getTime() + 10 * MINUTE_MS));
    expect(harness.receiver.requests).toEqual([]);
    harness.receiver.behaviour = 'works';
    const received = [];
    for (let seconds = 0; seconds <= 40; seconds += 10) {
      await harness.notifier.deliverer.run();
      received.push(harness.receiver.messages.length);
      await harness.pass(10_000);
    }
    expect(received).toContain(51);
    expect(received.at(-1)).toBe(bottles.length);
    expect(harness.receiver.requests).toHaveLength(bottles.length);
  });

  it('a receiver that failed for 5 minutes, but answered when it was asked, gets an alarm within 5 minutes', async () => {
    const bottle = await harness.overdue();
    const deliverFor5Minutes = async (): Promise<void> => {
      for (let seconds = 0; seconds < 300; seconds += 5) {
        await harness.notifier.deliverer.run();
        await harness.pass(5_000);
      }
    };
    harness.receiver.behaviour = 'fails-on-post';
    await deliverFor5Minutes();
    harness.receiver.behaviour = 'works';
    await deliverFor5Minutes();
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
  });

  it('a receiver that answers when it is asked and takes nothing is tried ten times by the backoff, and early at most every 15 minutes', async () => {
    const bottle = await harness.overdue();
    harness.receiver.behaviour = 'fails-on-post';
    const end = harness.clock.now().getTime() + 4 * DAY_MS;
    let [delivery] = await harness.deliveries(bottle);
    for (let times = 1; delivery?.['status'] !== 'dead'; times += 1) {
      expect(harness.clock.now().getTime()).toBeLessThan(end);
      // 60 times show how often it is early; the rest of the backoff takes days
      await harness.pass(times < 60 ? 14 * MINUTE_MS : 2 * HOUR_MS);
      await harness.notifier.deliverer.run();
      [delivery] = await harness.deliveries(bottle);
    }
    const attempts = delivery['attempts'] as { at: Date; early?: true }[];
    expect(attempts.filter(({ early }) => !early)).toHaveLength(10);
    const times = attempts.filter(({ early }) => early).map(({ at }) => at.getTime());
    const pauses = times.slice(1).map((time, index) => (time - times[index]!) / MINUTE_MS);
    expect(Math.max(...pauses.slice(0, 20))).toBeGreaterThanOrEqual(15);
    expect(Math.min(...pauses.slice(5))).toBeGreaterThanOrEqual(15);
  });

  it('what waits for a receiver is brought forward at the limited rate also when it is more than a page', async () => {
    const deliveries = harness.database.db.collection<{ _id: string; next_attempt_at: Date }>('deliveries');
    const [now, later] = [harness.clock.now(), new Date(harness.clock.now().getTime() + DAY_MS)];
    const bottle_id = new Types.ObjectId();
    const waiting = { bottle_id, channel: 'webhook', retry_early_from: now, next_attempt_at: later };
    await deliveries.insertMany(
      Array.from({ length: 1_200 }, (_, step) => ({ _id: `waits-${step}`, step, ...waiting })),
    );
    const recovery = harness.notifier.app.get(Recovery);
    const webhook = harness.notifier.app.get(Channels).all.find(({ name }) => name === 'webhook')!;
    const due = (): Promise<number> =>
      deliveries.countDocuments({ _id: /^waits/, next_attempt_at: { $lte: harness.clock.now() } });
    try {
      for (const second of [0, 1, 2]) {
        recovery.noteAnswer(webhook);
        await recovery.bringForward(webhook);
        expect(await due()).toBe(50 * (second + 1));
        await harness.pass(1_000);
      }
      await harness.pass(17_000);
      await recovery.bringForward(webhook);
      expect(await due()).toBe(1_000 + 50);
    } finally {
      await deliveries.deleteMany({ _id: /^waits/ });
    }
  });
});
