import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { SystemClock } from '#platform';
import type { Random } from '../simulator/random.js';
import type { ServiceProcess } from '../harness/service-process.js';
import { eventually } from '../harness/eventually.js';
import type { KillRunHarness } from './harness.js';

const VICTIMS = ['notifier', 'receiver', 'primary'] as const;
export type Victim = (typeof VICTIMS)[number];

/** The longest delay between a message and the kill. Milliseconds. */
const AFTER_MS = 200;
/** Longer than a lease: no message for this long is a failure. Milliseconds. */
const STUCK_MS = 90_000;
/** No kill while a message with this many attempts is due or being sent: its next backoff would take minutes. */
const SPARED_ATTEMPTS = 3;

/** Kills one process after the other, and restarts each. */
export class Killer {
  readonly kills: Record<Victim, number> = { notifier: 0, receiver: 0, primary: 0 };
  /** How many kills found the receiver with an unanswered message. */
  whileUnanswered = 0;
  /** How often a kill was postponed for a message that had failed several times. */
  postponed = 0;
  private readonly restarts = new Map<object, Promise<void>>();
  private readonly clock = new SystemClock();

  constructor(
    private readonly harness: KillRunHarness,
    private readonly notifiers: readonly ServiceProcess[],
    private readonly random: Random,
  ) {}

  /** One kill while messages are delivered. Its victim restarts in the background. */
  async kill(): Promise<void> {
    const victim = this.random.pick(VICTIMS);
    const [notifier, delay] = [this.random.pick(this.notifiers), this.random.between(0, AFTER_MS)];
    const { set, receiver, journal } = this.harness;
    const target = { notifier, receiver, primary: set }[victim];
    await this.restarts.get(target);
    await this.nextMessage();
    await sleep(delay);
    this.kills[victim] += 1;
    if (journal.unanswered > 0) this.whileUnanswered += 1;
    const restart = target === set ? await set.killPrimary() : await killProcess(target as ServiceProcess);
    const restarted = restart();
    // awaited before the next kill of the same, and at the end
    restarted.catch(() => undefined);
    this.restarts.set(target, restarted);
  }

  /** Resolves when everything is running again. */
  async allRestarted(): Promise<void> {
    await Promise.all(this.restarts.values());
  }

  /** Waits until the receiver has accepted one more. */
  private async nextMessage(): Promise<void> {
    while ((await this.countEndangered()) > 0) {
      this.postponed += 1;
      await sleep(AFTER_MS);
    }
    const { journal } = this.harness;
    const before = journal.requests;
    await eventually(
      () => {
        if (journal.requests === before) throw new Error(`no message was received for ${STUCK_MS / 1000} s`);
      },
      STUCK_MS,
      5,
    );
  }

  /** Messages that are due or claimed and have several attempts; 0 while there is no primary to ask. */
  private async countEndangered(): Promise<number> {
    const now = this.clock.now();
    const soon = new Date(now.getTime() + 1_000);
    const filter: mongo.Filter<mongo.Document> = {
      // a claimed one has its next attempt after the lease
      $or: [{ next_attempt_at: { $lte: soon } }, { 'claim.until': { $gt: now } }],
      [`attempts.${SPARED_ATTEMPTS - 1}`]: { $exists: true },
    };
    return this.harness.db
      .collection('deliveries')
      .countDocuments(filter, { timeoutMS: 500 })
      .catch(() => 0);
  }
}

async function killProcess(process: ServiceProcess): Promise<() => Promise<void>> {
  await process.end('SIGKILL');
  return () => process.start();
}
