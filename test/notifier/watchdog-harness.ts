import { MINUTE_MS } from '#domain';
import { loadConfig } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { WatchdogConfig } from '../../apps/watchdog/src/config.js';
import { createWatchdog } from '../../apps/watchdog/src/watchdog.app.js';
import { WatchdogService } from '../../apps/watchdog/src/watchdog.service.js';
import { DeadMansSwitch } from '../../tools/harness/dead-mans-switch.js';
import { ADMIN_TOKEN, asAdmin } from '../../tools/harness/services.js';
import { type NotifierHarness } from './notifier-harness.js';
import { WEBHOOK_SECRET } from '../../tools/harness/webhook-receiver.js';

/** A watchdog that watches the services of a harness, by their clock. */
export class TestWatchdog {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly deadMan: DeadMansSwitch,
    readonly bottleId: string,
  ) {}

  /** @param port where it takes webhooks */
  static async start(
    services: NotifierHarness,
    port: number,
    settings: Record<string, string> = {},
  ): Promise<TestWatchdog> {
    const deadMan = await DeadMansSwitch.start(services.clock);
    const { body } = await asAdmin(services.support).post('/v1/canaries').expect(201);
    const { bottle_id, token } = body as { bottle_id: string; token: string };
    const config = loadConfig(WatchdogConfig, {
      OPERATIONS_KEY: 'off',
      WATCHDOG_PING_URL: deadMan.url,
      WATCHDOG_DEVICE_API_URL: await urlOf(services.device),
      WATCHDOG_SUPPORT_API_URL: await urlOf(services.support),
      WATCHDOG_API_KEY: ADMIN_TOKEN,
      WATCHDOG_BOTTLE_ID: bottle_id,
      WATCHDOG_BOTTLE_TOKEN: token,
      WEBHOOK_SECRET,
      ...settings,
    });
    const app = await createWatchdog(config, { clock: services.clock, docsPage: false, logs: false });
    await app.listen(port, '127.0.0.1');
    return new TestWatchdog(app, deadMan, bottle_id);
  }

  tick(): Promise<void> {
    return this.app.get(WatchdogService).tick();
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.deadMan.stop();
  }
}

async function urlOf(app: NestFastifyApplication): Promise<string> {
  if (!app.getHttpServer().listening) await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

/** What works during a cycle; everything unless it says otherwise. */
interface Working {
  notifier?: boolean;
  device?: boolean;
  /** Waits for the mails that are on their way. */
  mail?: () => Promise<void>;
}

/** Lets time pass until the next cycle of each watchdog has ended, for a quarter of an hour at most. */
export async function passCycle(
  services: NotifierHarness,
  dogs: readonly TestWatchdog[],
  { notifier = true, device = true, mail }: Working = {},
): Promise<void> {
  const { clock } = services;
  for (const { deadMan } of dogs) deadMan.forget();
  clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / (15 * MINUTE_MS)) * 15 * MINUTE_MS));
  for (let step = 0; step < 14 && dogs.some(({ deadMan }) => deadMan.pings.length < 2); step += 1) {
    if (device) await services.listen();
    for (const dog of dogs) await dog.tick();
    if (notifier) await services.notifier.runAll();
    await mail?.();
    for (const dog of dogs) await dog.tick();
    clock.advance(MINUTE_MS);
  }
}
