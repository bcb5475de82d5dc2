import { HOUR_MS, MINUTE_MS, SECOND_MS, DAY_MS } from '#domain';
import { loadConfig, ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { stopBeating } from '../../tools/harness/steady-coverage.js';
import { CoverageRecorder } from '../../apps/device-api/src/coverage-recorder.js';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../../apps/notifier/src/alert-kinds/coverage-gap/unconfirmed-doses.js';
import { WatchdogConfig } from '../../apps/watchdog/src/config.js';
import { createWatchdog } from '../../apps/watchdog/src/watchdog.app.js';
import { WatchdogService } from '../../apps/watchdog/src/watchdog.service.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { DeadMansSwitch } from '../../tools/harness/dead-mans-switch.js';
import {
  ADMIN_TOKEN,
  asAdmin,
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestNotifier,
} from '../../tools/harness/services.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../tools/harness/webhook-receiver.js';
import { Random } from '../../tools/random.js';

/**
 * Hours of health, by a virtual clock: nothing breaks, and everything is late as on a busy machine. Whatever is sent,
 * and any ping but those of a success, is false. `HEALTH_SEEDS=1,2,3` runs these seeds, a whole day each.
 */
const SEEDS = (process.env['HEALTH_SEEDS'] ?? '1').split(',').map(Number);
const HOURS = process.env['HEALTH_SEEDS'] === undefined ? 4 : 24;
const BOTTLES = 200;
const LENGTH = HOURS * HOUR_MS;
/** A day takes two minutes on a quiet core, and ten on a busy machine. Milliseconds. */
const LIMIT = HOUR_MS;
const CYCLES = LENGTH / (15 * MINUTE_MS);
const FIRST = Date.parse('2026-03-02T00:00:00Z');
/** At which hours of the day. */
const DOSES = [2, 14];
const PILLS = 60;

/** A report, and when its bottle sends it. */
interface Report {
  at: number;
  token: string;
  path: string;
  body?: object;
}

/** The time of one bottle that is online all the time, of somebody who takes every dose in time. */
function reportsOf(random: Random, token: string, from: number): Report[] {
  const reports: Report[] = [];
  for (
    let at = from + random.next() * 30 * MINUTE_MS;
    at < from + LENGTH;
    at += random.between(25, 35) * MINUTE_MS
  )
    reports.push({ at, token, path: '/v1/heartbeats' });
  DOSES.forEach((hour, index) => {
    const opened = from + hour * HOUR_MS + random.between(-10, 50) * MINUTE_MS;
    const closed = opened + random.between(10, 120) * SECOND_MS;
    const action = (kind: string, at: number, pills: number, more: object = {}): Report => ({
      at,
      token,
      path: '/v1/actions',
      body: {
        action: kind,
        time: new Date(at).toISOString(),
        number_of_pills: pills,
        mass_of_contents: pills,
        ...more,
      },
    });
    reports.push(action('opened', opened, PILLS - index));
    reports.push(action('closed', closed, PILLS - index - 1, { pills_taken: 1 }));
  });
  return reports;
}

describe.each(SEEDS)('a healthy time, seed %i', (seed) => {
  const random = new Random(seed, 'health');
  const start = FIRST + seed * 11 * DAY_MS - MINUTE_MS;
  const clock = new ManualClock(new Date(start));
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let deadMan: DeadMansSwitch;
  let device: NestFastifyApplication;
  let support: NestFastifyApplication;
  let notifier: TestNotifier;
  let dog: NestFastifyApplication;
  let url: string;
  let reports: Report[];

  beforeAll(async () => {
    database = await newDatabase('health');
    receiver = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
    deadMan = await DeadMansSwitch.start(clock);
    const port = await freePort();
    [device, support, notifier] = await Promise.all([
      startDeviceApi(database.uri, clock),
      startSupportApi(database.uri, clock),
      startNotifier(database.uri, clock, {
        WEBHOOK_URL: receiver.url,
        WEBHOOK_SECRET,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        CANARY_WEBHOOK_URL: `http://127.0.0.1:${port}/webhook`,
      }),
    ]);
    await Promise.all([device, support].map((app) => app.listen(0, '127.0.0.1')));
    // it beats by the machine's time; from now on at that of the test
    await stopBeating(device);
    await database.db.collection('listening_spans').deleteMany({});
    url = await device.getUrl();
    const { body } = await asAdmin(support).post('/v1/canaries').expect(201);
    const { bottle_id, token } = body as { bottle_id: string; token: string };
    const config = loadConfig(WatchdogConfig, {
      WATCHDOG_PING_URL: deadMan.url,
      WATCHDOG_DEVICE_API_URL: url,
      WATCHDOG_SUPPORT_API_URL: await support.getUrl(),
      WATCHDOG_API_KEY: ADMIN_TOKEN,
      WATCHDOG_BOTTLE_ID: bottle_id,
      WATCHDOG_BOTTLE_TOKEN: token,
      WEBHOOK_SECRET,
    });
    dog = await createWatchdog(config, { clock, docsPage: false, logs: false });
    await dog.listen(port, '127.0.0.1');
    const schedule = { kind: 'times_of_day', times: DOSES.map((hour) => `${`${hour}`.padStart(2, '0')}:00`) };
    const all: Report[][] = [];
    for (let bottle = 0; bottle < BOTTLES; bottle += 1) {
      const fields = { user_id: `u-${bottle}`, time_zone: 'UTC', number_of_pills: PILLS, schedule };
      all.push(reportsOf(random, (await registerBottle(support, device, fields)).token, start + MINUTE_MS));
    }
    reports = all.flat().sort((one, other) => one.at - other.at);
  });

  afterAll(async () => {
    await Promise.all([dog, device, support, notifier?.app].map((app) => app?.close()));
    deadMan?.stop();
    await receiver?.stop();
    await database?.drop();
  });

  async function send({ token, path, body }: Report): Promise<void> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.text();
    expect(answer.status).toBeLessThan(300);
  }

  /** Each service's own beat, when its timer fires at last; the checks at the first one after a full minute. */
  async function beat(isMinute: boolean): Promise<void> {
    await Promise.all([
      device.get(CoverageRecorder).record(),
      notifier.app.get(CoverageGaps).recordChecks(clock.now()),
    ]);
    await dog.get(WatchdogService).tick();
    if (!isMinute) return;
    await notifier.app.get(CoverageGaps).run();
    await notifier.app.get(UnconfirmedDoses).run();
    await notifier.runAll();
  }

  it(
    'nothing is sent, and every ping is one of a success',
    async () => {
      const alarms = new Set<string>();
      let sent = 0;
      let minute = 0;
      // a beat may be late by one interval
      for (let at = start; at < start + MINUTE_MS + LENGTH; at += random.between(10, 19.9) * SECOND_MS) {
        clock.set(new Date(at));
        const due: Report[] = [];
        for (; sent < reports.length && reports[sent]!.at <= at; sent += 1) due.push(reports[sent]!);
        await Promise.all(due.map(send));
        const isMinute = Math.floor(at / MINUTE_MS) > minute;
        if (isMinute) minute = Math.floor(at / MINUTE_MS);
        await beat(isMinute);
        if (deadMan.alarm !== undefined) alarms.add(deadMan.alarm);
      }
      expect(receiver.messages).toEqual([]);
      expect([...alarms]).toEqual([]);
      const successes = deadMan.pings.filter(({ path }) => path === '/check').length;
      const starts = deadMan.pings.filter(({ path }) => path === '/check/start').length;
      expect(successes + starts).toBe(deadMan.pings.length);
      expect(successes).toBe(CYCLES);
      const { db } = database;
      expect(await db.collection('alerts').countDocuments({ kind: 'coverage_gap' })).toBe(0);
      expect(await db.collection('listening_spans').countDocuments()).toBe(1);
      expect(await db.collection('bottle_heartbeats').countDocuments()).toBeGreaterThan(
        1.5 * HOURS * BOTTLES,
      );
    },
    LIMIT,
  );
});
