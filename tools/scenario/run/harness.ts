import { loadConfig } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import assert from 'node:assert/strict';
import { NotifierConfig } from '../../../apps/notifier/src/config.js';
import { eventually } from '../../harness/eventually.js';
import { ADMIN_TOKEN, startDeviceApi } from '../../harness/services.js';
import { SteadyCoverage, stopBeating } from '../../harness/steady-coverage.js';
import type { SmtpSink } from '../../harness/smtp-sink.js';
import type { WebhookReceiver } from '../../harness/webhook-receiver.js';
import {
  type BottleSpec,
  CHANNELS,
  type Press,
  type Scenario,
  type StaffAction,
  type SystemChange,
} from '../file/format.js';
import type { RequestClock } from '../../harness/request-clock.js';
import type { MessageLog } from '../message-log.js';
import { DeviceFleet } from './device-fleet.js';
import type { Coverage } from '../../harness/due-coverage.js';
import { type JobName, type Notifier, OUTBOX } from '../../harness/notifier.js';
import { RunningApp } from '../../harness/running-app.js';
import { ScenarioEndpoints } from './endpoints.js';
import type { Services } from './services.js';
import { StaffClient } from './staff-client.js';

/** The jobs that notifiers try while the database is down: each takes two real seconds. */
const FAILING: JobName[] = ['coverage', 'dose', 'escalate', 'deliver'];

/** The real services in this process, with receivers, bottles and a fake clock. */
export class ScenarioHarness {
  /** Errors that no scenario expects. */
  readonly problems: string[] = [];
  readonly fleet = new DeviceFleet(
    () => this.device,
    () => this.isDatabaseDown,
  );
  readonly endpoints = new ScenarioEndpoints();
  /** By bottle and address: the link by which somebody answered last. */
  private readonly usedLinks = new Map<string, string>();
  private readonly bottleIds = new Map<string, string>();
  private device: RunningApp | undefined;
  private frozen: RunningApp | undefined;
  private accepted: SteadyCoverage | undefined;
  /** That of a second device-api, to which no bottle reports. */
  private others: SteadyCoverage | undefined;
  /** That of the notifiers together. */
  private checks: SteadyCoverage | undefined;
  private notifiers: Notifier[] = [];
  /** When a notifier last looked for coverage gaps, and was done. */
  private soughtAt: Date | undefined;
  private isDatabaseDown = false;
  private readonly gapAfter: number;
  private readonly grace: number;
  private readonly killed: Notifier[] = [];

  private constructor(
    private readonly services: Services,
    settings: Scenario['settings'],
  ) {
    const config = loadConfig(NotifierConfig, { MONGODB_URI: 'mongodb://unused', ...settings });
    this.gapAfter = config.COVERAGE_GAP_AFTER;
    this.grace = config.COVERAGE_GRACE;
  }

  /** Starts everything at the scenario's start and registers its contacts and bottles. */
  static async start(
    { contacts, endpoints, staffBrowsers, bottles, settings }: Scenario,
    services: Services,
  ): Promise<ScenarioHarness> {
    const harness = new ScenarioHarness(services, settings);
    await harness.startDeviceApi();
    await harness.endpoints.add(endpoints, harness.staff, services);
    for (const browser of staffBrowsers) await services.addStaffBrowser(browser);
    await harness.startNotifier();
    for (const contact of contacts) await harness.staff.changeContact(contact);
    for (const bottle of bottles) {
      const { plan_of: planOf, ...own } = bottle;
      const { bottle_id, token } = await harness.staff.register(
        planOf === undefined ? own : { ...own, plan_of: harness.idOf(planOf) },
      );
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
  get answering(): string[] {
    const working = CHANNELS.filter((channel) => this[channel].behaviour === 'works');
    return [...working, 'sms', 'push', ...this.endpoints.answering];
  }

  get staff(): StaffClient {
    return new StaffClient(this.services.support, ADMIN_TOKEN);
  }

  /** What staff do; the file names bottles by their keys. */
  perform(action: StaffAction): Promise<void> {
    const named =
      action.action === 'change' && typeof action.plan_of === 'string'
        ? { ...action, plan_of: this.idOf(action.plan_of) }
        : action;
    return this.staff.perform(named, this.idOf(action.bottle));
  }

  /** What a person does by a link that they got. */
  async press({ bottle, to, button }: Press): Promise<void> {
    const mails = this.log.messages.filter(
      (one) => one.to === to && one.bottle_id === this.idOf(bottle) && one.content.mail,
    );
    const links = mails.flatMap(
      ({ content }) => / (https:\S+\/a\/\S+)/.exec(content.mail!.lines.join(' '))?.[1] ?? [],
    );
    const used = `${bottle} ${to}`;
    // an answer is undone on the page where it was given
    const link = button.startsWith('undo') ? this.usedLinks.get(used) : links.at(-1);
    if (link === undefined) throw new Error(`${to} got no link about ${bottle}`);
    this.usedLinks.set(used, link);
    const pressed = button === 'help' ? `help-${Math.floor(this.clock.now().getTime() / 1_000)}` : button;
    const status = await this.services.support.press(`${new URL(link).pathname}/${pressed}`);
    if (status !== 200) throw new Error(`the button ${button} got ${status}`);
  }

  idOf(bottle: string): string {
    return this.bottleIds.get(bottle)!;
  }

  /** A bottle's name in the file. */
  keyOf(bottleId: string): string {
    return [...this.bottleIds].find(([, id]) => id === bottleId)?.[0] ?? bottleId;
  }

  get coverage(): Coverage {
    const { gapAfter, grace, soughtAt } = this;
    return {
      live: { 'device-api': this.isAccepting, notifier: this.isNotifying },
      soughtAt,
      gapAfter,
      grace,
    };
  }

  private get isAccepting(): boolean {
    return this.device !== undefined && !this.isDatabaseDown;
  }

  get isNotifying(): boolean {
    return !this.isDatabaseDown && this.notifiers.some(({ isFrozen }) => !isFrozen);
  }

  /**
   * Runs the notifiers' jobs now, all notifiers at once; none delivers before the checks of all are done. The clock does
   * not advance meanwhile, so an escalation step can be due at the moment at which a check finds its condition cleared.
   * In production it is due later, by the time it took to raise its alert.
   */
  async runJobs(names: readonly JobName[]): Promise<void> {
    const checks = names.filter((name) => !OUTBOX.includes(name));
    // only checks read it
    if (checks.length > 0) await this.recordCoverage();
    await this.runAll(checks);
    await this.runAll(names.filter((name) => OUTBOX.includes(name)));
    const now = this.clock.now();
    if (this.notifiers.some(({ soughtAt }) => soughtAt?.getTime() === now.getTime())) this.soughtAt = now;
    this.removeKilled();
  }

  private async runAll(names: readonly JobName[]): Promise<void> {
    await Promise.all(
      this.notifiers.map((notifier) => notifier.run(names, (job, error) => this.noteFailure(job, error))),
    );
  }

  /** @param afterCommands with `kill-notifier` and `freeze-notifier`: in the middle of its work, see the README */
  async change(change: SystemChange, afterCommands?: number): Promise<void> {
    await this.recordCoverage();
    switch (change) {
      case 'stop-device-api':
        await this.device?.stop();
        this.device = undefined;
        this.accepted = undefined;
        return;
      case 'start-device-api':
        if (!this.device) await this.startDeviceApi();
        await this.fleet.resend(this.clock.now());
        return;
      case 'freeze-device-api':
        this.frozen = this.device;
        this.device = undefined;
        return;
      case 'thaw-device-api':
        this.device = this.frozen;
        await this.accepted?.thaw();
        await this.fleet.resend(this.clock.now());
        return;
      case 'two-device-apis':
        this.others = new SteadyCoverage(this.services.support.app, this.clock, 'device-api', 'another one');
        return this.others.record();
      case 'kill-notifier': {
        const [notifier] = this.notifiers;
        if (afterCommands !== undefined) return notifier?.killAt(afterCommands);
        await notifier?.kill();
        return this.removeKilled();
      }
      case 'freeze-notifier':
        return this.notifiers.find(({ isFrozen }) => !isFrozen)?.freezeAt(afterCommands ?? 0);
      case 'thaw-notifiers':
        // while one of them ran there was no gap
        if (!this.isNotifying) await this.checks?.thaw();
        await Promise.all(this.notifiers.map((notifier) => notifier.thaw()));
        return this.removeKilled();
      case 'start-notifier':
        return this.startNotifier();
      case 'two-notifiers':
        while (this.notifiers.length < 2) await this.startNotifier();
        return;
      case 'stop-database':
        this.isDatabaseDown = true;
        await this.services.link!.cut();
        // what they do now fails
        await Promise.all(this.notifiers.map((notifier) => notifier.run(FAILING, () => undefined)));
        return;
      case 'start-database':
        return this.startDatabase();
    }
  }

  async close(): Promise<void> {
    await this.change('thaw-notifiers');
    await Promise.all([
      (this.device ?? this.frozen)?.stop(),
      this.endpoints.stop(),
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
    await Promise.all([
      this.isAccepting && this.accepted?.record(),
      !this.isDatabaseDown && this.others?.record(),
      this.isNotifying && this.checks?.record(),
    ]);
  }

  private async startDeviceApi(): Promise<void> {
    const options = { counting: false, configure: (app: NestFastifyApplication) => this.clock.follow(app) };
    const { uri, env } = this.services;
    this.device = await RunningApp.start(await startDeviceApi(uri, this.clock, env, options));
    // it beats by the machine's time, also while this device-api is frozen
    await stopBeating(this.device.app);
    this.accepted = new SteadyCoverage(this.device.app, this.clock);
  }

  /** Those that ran without it go on as soon as they reach it. */
  private async startDatabase(): Promise<void> {
    await this.services.link!.restore();
    const { device } = this;
    if (device)
      await eventually(async () => assert.equal((await device.send('GET', '/health/ready', '')).status, 200));
    await Promise.all(this.notifiers.map((notifier) => notifier.reconnect()));
    this.isDatabaseDown = false;
    if (device) await this.accepted?.thaw();
    await this.others?.thaw();
    if (this.isNotifying) await this.checks?.thaw();
    await this.fleet.resend(this.clock.now());
  }

  private async startNotifier(): Promise<void> {
    if (!this.isNotifying) {
      this.checks = new SteadyCoverage(this.services.support.app, this.clock, 'notifier');
      await this.checks.record();
    }
    const notifier = await this.services.notifier();
    // one that an earlier scenario left knows others
    await notifier.readEndpoints();
    this.notifiers.push(notifier);
  }

  private noteFailure(job: JobName, error: unknown): void {
    this.problems.push(`${this.clock.now().toISOString()} the notifier's job ${job}: ${String(error)}`);
  }
}
