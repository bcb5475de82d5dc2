import { MINUTE_MS, HOUR_MS } from '#domain';
import { loadConfig, SystemClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongo } from 'mongoose';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { createNotifier } from '../../apps/notifier/src/notifier.app.js';
import { insertOpenBottles } from '../faults/overdue.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { registerBottle, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../tools/harness/webhook-receiver.js';

describe('look ahead', () => {
  /** No tick comes while this runs: only looking ahead can send anything. */
  const ON_LEAP_DAYS = '0 0 29 2 *';
  const NEVER = {
    CHECK_OPEN_BOTTLES_CRON: ON_LEAP_DAYS,
    CHECK_SILENT_BOTTLES_CRON: ON_LEAP_DAYS,
    CHECK_DOSES_CRON: ON_LEAP_DAYS,
    RECONCILE_CRON: ON_LEAP_DAYS,
  };
  const BOTTLES = 40;
  /** Notifiers start in less. Milliseconds. */
  const SOON_MS = 15_000;
  const SPACING_MS = 2_500;

  const now = (): number => new SystemClock().now().getTime();

  let database: TestDatabase;
  let receiver: WebhookReceiver;
  const running: NestFastifyApplication[] = [];

  beforeAll(async () => {
    database = await newDatabase('look-ahead');
    receiver = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
  });
  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await receiver?.stop();
    await database?.drop();
  });

  /** A notifier as an operator starts it, with its own jobs and the machine's clock. */
  async function startNotifier(): Promise<void> {
    const env = {
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...NEVER,
    };
    const config = loadConfig(NotifierConfig, { MONGODB_URI: database.uri, ...env });
    const app = await createNotifier(config, { docsPage: false, logs: false });
    running.push(app);
    await app.init();
  }

  /** Bottles that will all have been open for five minutes at this moment. */
  async function openUntil(due: number, count: number): Promise<string[]> {
    const ids = await insertOpenBottles(database.db, count, new Date(due + 5 * MINUTE_MS));
    return ids.map(String);
  }

  /** A bottle that has ended a silence: at this moment it is known whether its dose is late. */
  async function lateAt(due: number): Promise<string> {
    const [support, device] = [await startSupportApi(database.uri), await startDeviceApi(database.uri)];
    running.push(support, device);
    const anchor = new Date(due - 70 * MINUTE_MS).toISOString();
    const schedule = { kind: 'interval', every: '12h', anchor, pills_per_dose: 1, late_after: '1h' };
    const { id } = await registerBottle(support, device, { schedule });
    const yesterday = new Date(due - 24 * HOUR_MS);
    const one = { _id: new mongo.ObjectId(id) };
    await database.db.collection('bottles').updateOne(one, {
      $set: { registered_at: yesterday, 'schedule_versions.0.effective_from': yesterday },
    });
    await database.db.collection('bottle_states').updateOne(one, {
      $set: {
        last_heard_at: new Date(due - 2 * MINUTE_MS),
        dose_due_at: new Date(due),
        judged_until: yesterday,
      },
      $unset: { quiet: '', schedule_changed_at: '' },
    });
    return id;
  }

  /** How long after `due` each of these bottles' alerts was raised. Milliseconds. */
  async function delays(bottles: string[], due: number): Promise<number[]> {
    const bottle_id = { $in: bottles.map((id) => new mongo.ObjectId(id)) };
    const alerts = await database.db.collection('alerts').find({ bottle_id }).toArray();
    return alerts.map(({ raised_at }) => (raised_at as Date).getTime() - due);
  }

  it('what is due between two ticks is sent then, once, by two notifiers that both look ahead', async () => {
    const due = now() + SOON_MS;
    const [first, then, at_last] = [due, due + SPACING_MS, due + 2 * SPACING_MS];
    const together = await openUntil(first, BOTTLES);
    const later = await openUntil(then, 1);
    const dose = await lateAt(at_last);
    await Promise.all([startNotifier(), startNotifier()]);
    expect(now()).toBeLessThan(first);

    await eventually(() => expect(receiver.messages).toHaveLength(BOTTLES + 2));
    expect(receiver.received(dose)).toEqual(['missed_dose raised']);
    expect(receiver.received().filter((line) => line === 'bottle_open raised')).toHaveLength(BOTTLES + 1);
    for (const [bottles, at] of [
      [together, first],
      [later, then],
      [[dose], at_last],
    ] as const) {
      const late = await delays([...bottles], at);
      expect(late).toHaveLength(bottles.length);
      expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    }
    expect(receiver.requests).toHaveLength(BOTTLES + 2);
  });
});
