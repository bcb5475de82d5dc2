import { loadConfig } from '#platform';
import { DeviceApiConfig } from '../../../apps/device-api/src/config.js';
import { createDeviceApi } from '../../../apps/device-api/src/device-api.app.js';
import { CoverageRecorder } from '../../../apps/device-api/src/coverage-recorder.js';
import { SupportApiConfig } from '../../../apps/support-api/src/config.js';
import { createSupportApi } from '../../../apps/support-api/src/support-api.app.js';
import type { Scenario, SystemChange } from '../file/format.js';
import { RequestClock } from '../time/request-clock.js';
import { MailReceiver } from '../receivers/mail-receiver.js';
import { MessageLog } from '../receivers/message-log.js';
import { WebhookReceiver } from '../receivers/webhook-receiver.js';
import { DeviceFleet } from './device-fleet.js';
import type { JobName } from './notifier.js';
import { Notifier } from './notifier.js';
import { RunningApp } from './running-app.js';
import { SupportDesk } from './support-desk.js';

const ADMIN_TOKEN = 'scenario-admin-token-0123456789';
const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret that scenarios are signed with').toString('base64')}`;

/** The real services in this process, their receivers and their bottles; only time is set from outside. */
export class World {
  /** What went wrong that no truth foresees. */
  readonly problems: string[] = [];
  readonly fleet = new DeviceFleet(() => this.device?.http);
  private readonly bottleIds = new Map<string, string>();
  private device: RunningApp | undefined;
  private notifiers: Notifier[] = [];
  private readonly killed: Notifier[] = [];

  private constructor(
    readonly clock: RequestClock,
    readonly log: MessageLog,
    readonly webhook: WebhookReceiver,
    readonly email: MailReceiver,
    private readonly support: RunningApp,
    private readonly env: Record<string, string>,
  ) {}

  /** Starts everything at the scenario's beginning and registers its people and bottles. */
  static async start({ start, settings, contacts, bottles }: Scenario, uri: string): Promise<World> {
    const clock = new RequestClock(start);
    const log = new MessageLog(clock);
    const webhook = await WebhookReceiver.start(log, WEBHOOK_SECRET);
    const email = await MailReceiver.start(log);
    const env = {
      DEVICE_RATE_LIMIT: 'off', // counts by the machine's clock
      ADMIN_TOKEN,
      WEBHOOK_URL: webhook.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: email.url,
      MAIL_FROM: 'pillwatch@example.test',
      ...settings,
      MONGODB_URI: uri,
    };
    const config = loadConfig(SupportApiConfig, env);
    const support = await RunningApp.start(
      await createSupportApi(config, { clock, docsPage: false, logs: false }),
    );
    const world = new World(clock, log, webhook, email, support, env);
    await world.startDeviceApi();
    await world.startNotifier();
    for (const contact of contacts) await world.desk.putContact(contact);
    for (const bottle of bottles) {
      const { bottle_id, token } = await world.desk.register(bottle);
      world.bottleIds.set(bottle.key, bottle_id);
      world.fleet.add(bottle.key, token);
    }
    return world;
  }

  get desk(): SupportDesk {
    return new SupportDesk(this.support.http, ADMIN_TOKEN);
  }

  idOf(bottle: string): string {
    return this.bottleIds.get(bottle)!;
  }

  /** The file's name of a bottle. */
  keyOf(bottleId: string): string {
    return [...this.bottleIds].find(([, id]) => id === bottleId)?.[0] ?? bottleId;
  }

  get isNotifying(): boolean {
    return this.notifiers.length > 0;
  }

  /**
   * Runs the notifiers' jobs at the present moment, all notifiers at once; none sends before the checks of all are
   * done. Time stands still meanwhile, so that a step can fall due in the very moment in which a check finds that
   * its trouble is over. Where time passes it falls due later, by as long as it took to raise its alert.
   */
  async runJobs(names: readonly JobName[]): Promise<void> {
    await this.noteListening();
    await this.runAtOnce(names.filter((name) => name !== 'deliver'));
    await this.runAtOnce(names.filter((name) => name === 'deliver'));
    this.bury();
  }

  private async runAtOnce(names: readonly JobName[]): Promise<void> {
    await Promise.all(this.notifiers.map((notifier) => notifier.run(names)));
  }

  /** @param afterCommands with `kill-notifier`: it dies in the middle of its work, at this command to the database. */
  async change(change: SystemChange, afterCommands?: number): Promise<void> {
    switch (change) {
      case 'stop-device-api':
        await this.noteListening();
        await this.device?.stop();
        this.device = undefined;
        return;
      case 'start-device-api':
        if (!this.device) await this.startDeviceApi();
        await this.fleet.resend(this.clock.now());
        return;
      case 'kill-notifier': {
        const [notifier] = this.notifiers;
        if (afterCommands !== undefined) return notifier?.killAt(afterCommands);
        await notifier?.kill();
        return this.bury();
      }
      case 'start-notifier':
        return this.startNotifier();
      case 'two-notifiers':
        while (this.notifiers.length < 2) await this.startNotifier();
    }
  }

  async close(): Promise<void> {
    await Promise.all([
      this.device?.stop(),
      this.support.stop(),
      ...[...this.notifiers, ...this.killed].map((notifier) => notifier.stop()),
    ]);
    await Promise.all([this.webhook.stop(), this.email.stop()]);
  }

  private bury(): void {
    this.killed.push(...this.notifiers.filter(({ isDead }) => isDead));
    this.notifiers = this.notifiers.filter(({ isDead }) => !isDead);
  }

  /** As device-api does every few seconds: it extends one span, so once before anybody looks is enough. */
  private async noteListening(): Promise<void> {
    await this.device?.app.get(CoverageRecorder).record();
  }

  private async startDeviceApi(): Promise<void> {
    const options = { clock: this.clock, counting: false, docsPage: false, logs: false };
    const app = await createDeviceApi(loadConfig(DeviceApiConfig, this.env), options);
    this.clock.follow(app);
    this.device = await RunningApp.start(app);
  }

  private async startNotifier(): Promise<void> {
    const failed = (job: string, error: unknown): void =>
      void this.problems.push(
        `${this.clock.now().toISOString()} the notifier's job ${job}: ${String(error)}`,
      );
    this.notifiers.push(await Notifier.start(this.env, this.clock, failed));
  }
}
