import { type Clock, loadConfig } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Connection } from 'mongoose';
import { DosesCheck } from '../../../apps/notifier/src/doses/doses.check.js';
import { OpenBottlesCheck } from '../../../apps/notifier/src/alert-kinds/bottle-open/open-bottles.check.js';
import { SilentBottlesCheck } from '../../../apps/notifier/src/alert-kinds/bottle-silent/silent-bottles.check.js';
import { NotifierConfig } from '../../../apps/notifier/src/config.js';
import { Deliverer } from '../../../apps/notifier/src/delivery/deliverer.js';
import { OutboxService } from '../../../apps/notifier/src/delivery/outbox.service.js';
import { createNotifier } from '../../../apps/notifier/src/notifier.app.js';
import { Reconcile } from '../../../apps/notifier/src/reconcile/reconcile.js';

/** The notifier's jobs, in the order in which they run when they fall together. Charts are no part
 * of a scenario's truth: their jobs do not run. */
export const JOBS = ['open', 'silent', 'doses', 'reconcile', 'deliver'] as const;
export type JobName = (typeof JOBS)[number];

/** Lets the driver say when it sends a command. */
function withCommandEvents(uri: string): string {
  const url = new URL(uri);
  url.searchParams.set('monitorCommands', 'true');
  return url.toString();
}

/** One notifier, whose jobs are run by the scenario's clock instead of its own (see its schedule/jobs.ts). */
export class Notifier {
  private readonly jobs: Record<JobName, () => Promise<unknown>>;
  private death: Promise<void> | undefined;

  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly clock: Clock,
    private readonly failed: (job: string, error: unknown) => void,
  ) {
    const [outbox, deliverer] = [app.get(OutboxService), app.get(Deliverer)];
    this.jobs = {
      open: () => app.get(OpenBottlesCheck).run(),
      silent: () => app.get(SilentBottlesCheck).run(),
      doses: () => app.get(DosesCheck).run(),
      reconcile: () => app.get(Reconcile).run(),
      deliver: async () => {
        await outbox.escalate(this.clock.now());
        await outbox.queueEnds(this.clock.now());
        await deliverer.run();
      },
    };
  }

  /** @param failed hears of a job that throws; as in the service itself, the next tick runs it again. */
  static async start(
    env: NodeJS.ProcessEnv,
    clock: Clock,
    failed: (job: string, error: unknown) => void,
  ): Promise<Notifier> {
    const options = { clock, jobs: false, docsPage: false, logs: false };
    const app = await createNotifier(
      loadConfig(NotifierConfig, { ...env, MONGODB_URI: withCommandEvents(env['MONGODB_URI']!) }),
      options,
    );
    await app.init();
    return new Notifier(app, clock, failed);
  }

  /** Whether it was killed. */
  get isDead(): boolean {
    return this.death !== undefined;
  }

  /** Runs these jobs, one after the other. */
  async run(names: readonly JobName[]): Promise<void> {
    for (const name of JOBS.filter((job) => names.includes(job))) {
      if (this.isDead) break;
      try {
        await this.jobs[name]();
      } catch (error) {
        // what it has in hand as it dies fails
        if (!this.isDead) this.failed(name, error);
      }
    }
    await this.death;
  }

  /** As kill -9: its connections are gone at once, and nothing is finished. */
  kill(): Promise<void> {
    this.death ??= this.connection.close(true);
    return this.death;
  }

  /** Kills it in the middle of its work: as it sends its so-and-so-many-th command to the database from now on. */
  killAt(command: number): void {
    let sent = 0;
    this.connection.getClient().on('commandStarted', () => {
      sent += 1;
      if (sent === command) void this.kill();
    });
  }

  private get connection(): Connection {
    return this.app.get<Connection>(getConnectionToken());
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
