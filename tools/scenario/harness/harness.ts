import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ADMIN_TOKEN, startDeviceApi } from '../../harness/services.js';
import { SteadyCoverage } from '../../harness/steady-coverage.js';
import type { SmtpSink } from '../../harness/smtp-sink.js';
import type { WebhookReceiver } from '../../harness/webhook-receiver.js';
import {
  type BottleSpec,
  type ChannelName,
  CHANNELS,
  type Scenario,
  type SystemChange,
} from '../file/format.js';
import type { RequestClock } from '../time/request-clock.js';
import type { MessageLog } from '../message-log.js';
import { DeviceFleet } from './device-fleet.js';
import type { JobName, Notifier } from './notifier.js';
import { RunningApp } from './running-app.js';
import type { Services } from './services.js';
import { StaffClient } from './staff-client.js';

/** The real services in this process, with receivers, bottles and a fake clock. */
export class ScenarioHarness {
  /** Errors that no scenario expects. */
  readonly problems: string[] = [];
  readonly fleet = new DeviceFleet(() => this.device);
  private readonly bottleIds = new Map<string, string>();
  private device: RunningApp | undefined;
  private frozen: RunningApp | undefined;
  private coverage: SteadyCoverage | undefined;
  private notifiers: Notifier[] = [];
  private readonly killed: Notifier[] = [];

  private constructor(private readonly services: Services) {}

  /** Starts everything at the scenario's start and registers its contacts and bottles. */
  static async start({ contacts, bottles }: Scenario, services: Services): Promise<ScenarioHarness> {
    const harness = new ScenarioHarness(services);
    await harness.startDeviceApi();
    await harness.startNotifier();
    for (const contact of contacts) await harness.staff.changeContact(contact);
    for (const bottle of bottles) {
      const { bottle_id, token } = await harness.staff.register(bottle);
      harness.bottleIds.set(bottle.key, bottle_id);
      harness.fleet.add(bottle.key, { token });
    }
    await harness.registerGateways(bottles);
    return harness;
  }

  get clock(): RequestClock {
    return this.services.clock;
  }

  get log(): MessageLog {
    return this.services.log;
  }

  get webhook(): WebhookReceiver {
    return this.services.webhook;
  }

  get email(): SmtpSink {
    return this.services.email;
  }

  /** The channels whose receivers answer when they are asked. */
  get answering(): ChannelName[] {
    return CHANNELS.filter((channel) => this[channel].behaviour === 'works');
  }

  get staff(): StaffClient {
    return new StaffClient(this.services.support, ADMIN_TOKEN);
  }

  idOf(bottle: string): string {
    return this.bottleIds.get(bottle)!;
  }

  /** A bottle's name in the file. */
  keyOf(bottleId: string): string {
    return [...this.bottleIds].find(([, id]) => id === bottleId)?.[0] ?? bottleId;
  }

  get isNotifying(): boolean {
    return this.notifiers.length > 0;
  }

  /**
   * Runs the notifiers' jobs now, all notifiers at once; none delivers before the checks of all are done. The clock does
   * not advance meanwhile, so an escalation step can be due at the moment at which a check finds its condition cleared.
   * In production it is due later, by the time it took to raise its alert.
   */
  async runJobs(names: readonly JobName[]): Promise<void> {
    await this.recordCoverage();
    await this.runAll(names.filter((name) => name !== 'deliver'));
    await this.runAll(names.filter((name) => name === 'deliver'));
    this.removeKilled();
  }

  private async runAll(names: readonly JobName[]): Promise<void> {
    await Promise.all(
      this.notifiers.map((notifier) => notifier.run(names, (job, error) => this.noteFailure(job, error))),
    );
  }

  /** @param afterCommands with `kill-notifier`: in the middle of its work, at this command to the database */
  async change(change: SystemChange, afterCommands?: number): Promise<void> {
    switch (change) {
      case 'stop-device-api':
        await this.recordCoverage();
        await this.device?.stop();
        this.device = undefined;
        this.coverage = undefined;
        return;
      case 'start-device-api':
        if (!this.device) await this.startDeviceApi();
        await this.fleet.resend(this.clock.now());
        return;
      case 'freeze-device-api':
        await this.recordCoverage();
        this.frozen = this.device;
        this.device = undefined;
        return;
      case 'thaw-device-api':
        this.device = this.frozen;
        await this.coverage?.thaw();
        await this.fleet.resend(this.clock.now());
        return;
      case 'kill-notifier': {
        const [notifier] = this.notifiers;
        if (afterCommands !== undefined) return notifier?.killAt(afterCommands);
        await notifier?.kill();
        return this.removeKilled();
      }
      case 'start-notifier':
        return this.startNotifier();
      case 'two-notifiers':
        while (this.notifiers.length < 2) await this.startNotifier();
    }
  }

  async close(): Promise<void> {
    await Promise.all([
      (this.device ?? this.frozen)?.stop(),
      this.services.release([...this.notifiers, ...this.killed]),
    ]);
  }

  private async registerGateways(bottles: readonly BottleSpec[]): Promise<void> {
    for (const name of new Set(bottles.flatMap(({ gateway }) => gateway ?? []))) {
      const keys = bottles.filter(({ gateway }) => gateway === name).map(({ key }) => key);
      const token = await this.staff.registerGateway(
        name,
        keys.map((key) => this.idOf(key)),
      );
      for (const key of keys) this.fleet.add(key, { token, gatewayFor: this.idOf(key) });
    }
  }

  private removeKilled(): void {
    this.killed.push(...this.notifiers.filter(({ isDead }) => isDead));
    this.notifiers = this.notifiers.filter(({ isDead }) => !isDead);
  }

  /** Once before each use is enough. */
  private async recordCoverage(): Promise<void> {
    if (this.device) await this.coverage?.record();
  }

  private async startDeviceApi(): Promise<void> {
    const options = { counting: false, configure: (app: NestFastifyApplication) => this.clock.follow(app) };
    const { database, env } = this.services;
    this.device = await RunningApp.start(await startDeviceApi(database.uri, this.clock, env, options));
    this.coverage = new SteadyCoverage(this.device.app, this.clock);
  }

  private async startNotifier(): Promise<void> {
    this.notifiers.push(await this.services.notifier());
  }

  private noteFailure(job: JobName, error: unknown): void {
    this.problems.push(`${this.clock.now().toISOString()} the notifier's job ${job}: ${String(error)}`);
  }
}
