import type { DeadlineName } from '#domain';
import type { ManualClock } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CHECKS } from '../../../apps/notifier/src/alert-kinds/index.js';
import { startNotifier, type TestNotifier } from '../../harness/services.js';
import { stopApp } from './running-app.js';

/** The notifier's jobs, in the order in which they run when they are due together. Charts play no part in scenarios. */
export type JobName = DeadlineName | 'reconcile' | 'deliver';
export const JOBS: readonly JobName[] = [...CHECKS.map(({ deadline }) => deadline), 'reconcile', 'deliver'];

/** One notifier, whose jobs run by the scenario's clock, and which can be killed. */
export class Notifier {
  private readonly jobs: Record<JobName, () => Promise<unknown>>;
  private death: Promise<void> | undefined;
  private doomed = false;

  private constructor(private readonly notifier: TestNotifier) {
    this.jobs = {
      ...(Object.fromEntries(
        CHECKS.map(({ deadline, type }) => [deadline, () => notifier.app.get(type).run()]),
      ) as Record<DeadlineName, () => Promise<unknown>>),
      reconcile: () => notifier.reconcile.run(),
      deliver: () => notifier.deliver(),
    };
  }

  static async start(uri: string, clock: ManualClock, env: Record<string, string>): Promise<Notifier> {
    const url = new URL(uri);
    // the driver then emits an event for each command, for killAt
    url.searchParams.set('monitorCommands', 'true');
    return new Notifier(await startNotifier(url.toString(), clock, env));
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
    for (const name of JOBS.filter((job) => names.includes(job))) {
      if (this.isDead) break;
      try {
        await this.jobs[name]();
      } catch (error) {
        // a killed notifier's work fails
        if (!this.isDead) onFailure(name, error);
      }
    }
    await this.death;
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
    this.connection.getClient().on('commandStarted', () => {
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
