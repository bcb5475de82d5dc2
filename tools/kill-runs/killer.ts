import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { SystemClock } from '#platform';
import type { Random } from '../random.js';
import type { ServiceProcess } from '../harness/service-process.js';
import { eventually } from '../harness/eventually.js';
import type { MachineClock } from '../harness/machine-clock.js';
import type { KillRunHarness } from './harness.js';

const FAULTS = ['kill', 'pause', 'skew'] as const;
type FaultKind = (typeof FAULTS)[number];

/** A service with a machine clock of its own. */
export interface SkewableService {
  name: string;
  process: ServiceProcess;
  clock: MachineClock;
}

/** What can be killed or paused, one thing at a time. */
interface Victim {
  name: string;
  /** Two roles of the replica set are one target: a majority of it stays. */
  target: object;
  /** @returns starts it again */
  kill: () => Promise<() => Promise<void>>;
  pause: () => Promise<() => Promise<void>>;
}

/** The longest delay between a message and the kill. Milliseconds. */
const AFTER_MS = 200;
/** Longer than a lease after the longest pause of both notifiers: no message for this long is a failure. Milliseconds. */
const STUCK_MS = 180_000;
/** No kill while a message with this many attempts is due or being sent: its next backoff would take minutes. */
const SPARED_ATTEMPTS = 3;
/** Milliseconds. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [5_000, 60_000];
/** How far a machine's clock is off at most. Milliseconds. */
const LARGEST_SKEW_MS = 180_000;
/** How much is down at once at most. */
const DOWN_AT_ONCE = 3;

/** Kills and pauses one process after the other, starts each again, and sets machines' clocks wrong. */
export class Killer {
  /** How often each was done, by `KIND VICTIM`. */
  readonly done: Record<string, number> = {};
  /** How many kills and pauses found the receiver with an unanswered message. */
  whileUnanswered = 0;
  /** How often one was postponed for a message that had failed several times. */
  postponed = 0;
  private readonly victims: Victim[];
  private readonly down = new Map<object, Promise<void>>();
  private readonly failures: unknown[] = [];
  private readonly clock = new SystemClock();

  constructor(
    private readonly harness: KillRunHarness,
    private readonly services: readonly SkewableService[],
    private readonly random: Random,
  ) {
    const { set, receiver } = harness;
    this.victims = [
      ...[...services, { name: 'receiver', process: receiver }].map(({ name, process }) =>
        processVictim(name, process),
      ),
      ...(['primary', 'secondary'] as const).map((name) => ({
        name,
        target: set,
        kill: () => set.kill(name),
        pause: () => set.pause(name),
      })),
    ];
  }

  /** One fault while messages are delivered. What it stops is started again in the background. */
  async strike(): Promise<void> {
    const kind = this.random.pick(FAULTS);
    if (kind === 'skew') return this.skew();
    const length = this.random.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS);
    await this.nextMessage();
    await sleep(this.random.between(0, AFTER_MS));
    while (this.down.size >= DOWN_AT_ONCE) await Promise.race(this.down.values());
    const victim = this.random.pick(this.victims.filter(({ target }) => !this.down.has(target)));
    this.count(kind, victim.name);
    if (this.harness.journal.unanswered > 0) this.whileUnanswered += 1;
    const restart = await victim[kind]();
    const up = (async () => {
      if (kind === 'pause') await sleep(length);
      await restart();
    })()
      .catch((error: unknown) => void this.failures.push(error))
      .finally(() => this.down.delete(victim.target));
    this.down.set(victim.target, up);
  }

  /** Resolves when everything is running again. @throws if something did not start */
  async allRestarted(): Promise<void> {
    await Promise.all(this.down.values());
    if (this.failures.length > 0) throw new AggregateError(this.failures, 'something did not start again');
  }

  private async skew(): Promise<void> {
    const { name, clock } = this.random.pick(this.services);
    this.count('skew', name);
    await clock.setOff(Math.round(this.random.between(-LARGEST_SKEW_MS, LARGEST_SKEW_MS)));
  }

  private count(kind: FaultKind, victim: string): void {
    this.done[`${kind} ${victim}`] = (this.done[`${kind} ${victim}`] ?? 0) + 1;
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

function processVictim(name: string, process: ServiceProcess): Victim {
  return {
    name,
    target: process,
    kill: async () => {
      await process.end('SIGKILL');
      return () => process.start();
    },
    pause: async () => {
      await process.holdStill();
      return async () => process.goOn();
    },
  };
}
