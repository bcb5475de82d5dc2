import type { DeadlineName } from '#domain';
import type { ManualClock } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CHECKS } from '../../apps/notifier/src/alert-kinds/index.js';
import {
  AlertsRepository,
  AttestationsRepository,
  BottleLogsRepository,
  ContactsRepository,
  CoverageRepository,
  DeadlinesRepository,
  DoseOutcomesRepository,
  OutboxRepository,
} from '#persistence';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../../apps/notifier/src/alert-kinds/coverage-gap/unconfirmed-doses.js';
import { StaffBrowsers } from '../../apps/notifier/src/delivery/channels/push/staff-browsers.js';
import { Endpoints } from '../../apps/notifier/src/delivery/channels/webhook/endpoints.js';
import { eventually } from './eventually.js';
import { startNotifier, type TestNotifier } from './services.js';
import { stopApp } from './running-app.js';

/** The notifier's jobs, in the order in which they run when they are due together. Charts play no part in scenarios. */
export type JobName = 'coverage' | DeadlineName | 'reconcile' | 'escalate' | 'deliver';
export const JOBS: readonly JobName[] = [
  'coverage',
  ...CHECKS.map(({ deadline }) => deadline),
  'reconcile',
  'escalate',
  'deliver',
];
/** They run together, after the others: what a check finds is sent at once. */
export const OUTBOX: readonly JobName[] = ['escalate', 'deliver'];

/** Where a notifier can be frozen in the middle of its work: it has read, and claimed, and goes on much later. */
const FREEZING_POINTS = [
  [BottleLogsRepository, 'findHeartbeats'],
  [CoverageRepository, 'read'],
  [AttestationsRepository, 'findSince'],
  // it has judged, and asked whether it still holds its claims
  [DeadlinesRepository, 'findHeld'],
  [DoseOutcomesRepository, 'upsert'],
  [ContactsRepository, 'findByUsers'],
  [AlertsRepository, 'raiseNotifying'],
  [AlertsRepository, 'raise'],
  [AlertsRepository, 'end'],
  [AlertsRepository, 'findByIds'],
  [OutboxRepository, 'enqueue'],
  [OutboxRepository, 'recordStarts'],
  [OutboxRepository, 'recordResults'],
] as const;

/** One notifier, whose jobs run by the scenario's clock, and which can be killed. */
export class Notifier {
  private readonly jobs: Record<JobName, () => Promise<unknown>>;
  private death: Promise<void> | undefined;
  private doomed = false;
  /** How many points it still passes before it freezes. */
  private pointsLeft = Infinity;
  /** While it is frozen. */
  private thawing: { thawed: Promise<void>; resolve: () => void } | undefined;
  private thaws = 0;
  private onFreeze: () => void = () => undefined;
  /** What it does, frozen or not. */
  private work: Promise<void> = Promise.resolve();

  /** When it last looked for coverage gaps, and was done. */
  soughtAt: Date | undefined;

  private constructor(
    private readonly notifier: TestNotifier,
    clock: ManualClock,
  ) {
    this.addFreezingPoints();
    this.jobs = {
      coverage: async () => {
        await notifier.app.get(CoverageGaps).run();
        await notifier.app.get(UnconfirmedDoses).run();
        this.soughtAt = clock.now();
      },
      ...(Object.fromEntries(
        CHECKS.map(({ deadline, type }) => [deadline, () => notifier.app.get(type).run()]),
      ) as Record<DeadlineName, () => Promise<unknown>>),
      reconcile: () => notifier.reconcile.run(),
      escalate: () => notifier.escalate(),
      deliver: () => notifier.deliverer.run(),
    };
  }

  static async start(uri: string, clock: ManualClock, env: Record<string, string>): Promise<Notifier> {
    return new Notifier(await startNotifier(uri, clock, env), clock);
  }

  /** Reads the endpoints of webhooks and the browsers of staff, as its job does every second. */
  async readEndpoints(): Promise<void> {
    await this.notifier.app.get(Endpoints).refresh();
    await this.notifier.app.get(StaffBrowsers).refresh();
  }

  get isDead(): boolean {
    return this.death !== undefined;
  }

  /** Whether it is dead, or will be after some commands. */
  get isDoomed(): boolean {
    return this.isDead || this.doomed;
  }

  /**
   * Runs these jobs, one after the other.
   * @param onFailure called when a job throws; as in production, the next tick runs it again
   */
  async run(names: readonly JobName[], onFailure: (job: JobName, error: unknown) => void): Promise<void> {
    if (this.isFrozen) return;
    const frozen = new Promise<void>((resolve) => (this.onFreeze = resolve));
    this.work = this.runAll(names, onFailure);
    await Promise.race([this.work, frozen]);
    await this.death;
  }

  private async runAll(
    names: readonly JobName[],
    onFailure: (job: JobName, error: unknown) => void,
  ): Promise<void> {
    for (const name of JOBS.filter((job) => names.includes(job))) {
      if (this.isDead) break;
      const thaws = this.thaws;
      try {
        await this.jobs[name]();
      } catch (error) {
        // a killed notifier's work fails, and so may what was frozen: another has its lease
        if (!this.isDead && thaws === this.thaws) onFailure(name, error);
      }
    }
  }

  get isFrozen(): boolean {
    return this.thawing !== undefined;
  }

  /** Stops it in the middle of its work, when it passes this many points of it from now on; at once without work. */
  freezeAt(points: number): void {
    this.pointsLeft = points;
    if (points === 0) this.freeze();
  }

  /** It goes on where it was. */
  async thaw(): Promise<void> {
    this.pointsLeft = Infinity;
    this.thaws += 1;
    this.thawing?.resolve();
    this.thawing = undefined;
    await this.work;
  }

  private freeze(): void {
    let resolve!: () => void;
    const thawed = new Promise<void>((done) => (resolve = done));
    this.thawing = { thawed, resolve };
    this.onFreeze();
  }

  private addFreezingPoints(): void {
    for (const [type, method] of FREEZING_POINTS) {
      const owner = this.notifier.app.get<Record<string, (...all: unknown[]) => unknown>>(type);
      const original = owner[method]!.bind(owner);
      owner[method] = async (...all: unknown[]) => {
        const result = await original(...all);
        this.pointsLeft -= 1;
        if (this.pointsLeft === 0) this.freeze();
        await this.thawing?.thawed;
        return result;
      };
    }
  }

  /** Waits until it reaches the database again. */
  async reconnect(): Promise<void> {
    await eventually(() => this.connection.db!.command({ ping: 1 }));
  }

  /** Like kill -9: its connections close at once, and nothing is finished. */
  kill(): Promise<void> {
    this.death ??= this.connection.close(true);
    return this.death;
  }

  /** Kills it in the middle of its work, as it sends this many commands to the database from now on. */
  killAt(command: number): void {
    let sent = 0;
    this.doomed = true;
    // each command takes a connection; unlike an event of the command, that costs nothing while nobody counts
    this.connection.getClient().on('connectionCheckedOut', () => {
      sent += 1;
      if (sent === command) void this.kill();
    });
  }

  stop(): Promise<void> {
    return stopApp(this.notifier.app);
  }

  private get connection(): Connection {
    return this.notifier.app.get<Connection>(getConnectionToken());
  }
}
