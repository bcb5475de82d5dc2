import { type DeliveryResult, firstStepAt, isCanary } from '#domain';
import {
  type Alert,
  type Claim,
  type ClaimedResult,
  type Delivery,
  OutboxRepository,
  type StartedAttempt,
} from '#persistence';
import { Clock, GroupCommit, Metrics } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Channels } from './channels/index.js';
import { TaskPool } from './task-pool.js';

const GROUP = 500;
const RESULTS: readonly DeliveryResult['kind'][] = [
  'delivered',
  'retry',
  'postponed',
  'moved',
  'refused',
  'cancelled',
  'dead',
];
/** How many results may wait to be written; then sending waits. */
const MAX_UNWRITTEN = 2_000;
/** Attempts that begin within this time may count as begun at one time. Milliseconds. */
const TOGETHER_MS = 100;

/** The results of one run. */
export interface RunResults {
  /** Takes a result to write; resolves at once, unless {@link MAX_UNWRITTEN} are waiting. */
  add(delivery: Delivery, claim: Claim, result: DeliveryResult): Promise<void>;
  /** Resolves when all are written. @throws the first error. */
  written(): Promise<void>;
}

/**
 * Writes the starts and results of attempts with group commit: one write each would take longer than sending them.
 */
@Injectable()
export class AttemptWriter {
  private readonly starts: GroupCommit<StartedAttempt, boolean>;
  private readonly group: GroupCommit<ClaimedResult & Pick<Delivery, 'created_at'>, undefined>;
  private readonly results: Counter<'channel' | 'result'>;
  private readonly delay: Histogram<'kind' | 'channel'>;
  /** When the attempts begin that the next group records. */
  private nextStart: Date | undefined;

  constructor(
    outbox: OutboxRepository,
    dirtyBuckets: DirtyBuckets,
    channels: Channels,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    // the pools of the runs limit the queues
    const limits = { group: GROUP, queued: Number.POSITIVE_INFINITY, inFlight: 1 };
    this.starts = new GroupCommit(async (starts) => {
      this.nextStart = undefined;
      const held = await outbox.recordStarts(starts);
      return starts.map(({ id }) => held.has(id));
    }, limits);
    this.group = new GroupCommit(async (results) => {
      // a record may lack it, which must not stop the others
      const created = results.flatMap(({ created_at }) => created_at ?? []);
      await dirtyBuckets.add('deliveries', created, clock.now());
      await outbox.recordResults(results);
      return results.map(() => undefined);
    }, limits);
    this.results = new Counter({
      name: 'pillwatch_deliveries_total',
      help: 'Delivery results, by channel and result',
      labelNames: ['channel', 'result'],
      registers: [metrics],
    });
    // present from the start: otherwise Prometheus cannot see the first one
    for (const { name: channel } of channels.all)
      for (const result of RESULTS) this.results.inc({ channel, result }, 0);
    this.delay = new Histogram({
      name: 'pillwatch_notification_delay_seconds',
      help: 'From the deadline, or the first step of the escalation, to the first notification',
      labelNames: ['kind', 'channel'],
      buckets: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
      registers: [metrics],
    });
  }

  /** Notes the delay of a first notification that is delivered, unless it was postponed on purpose. */
  noteDelay({ bottle_id, event, kind, channel, reason }: Delivery, alert: Alert, at: Date): void {
    if (event !== 'raised' || reason !== undefined || isCanary(bottle_id)) return;
    const first = firstStepAt(alert) ?? alert.raised_at;
    // the first reminder of a dose may have come before it is raised
    const planned = Math.max(0, first.getTime() - alert.raised_at.getTime());
    this.delay.observe({ kind, channel }, (at.getTime() - alert.deadline.getTime() - planned) / 1_000);
  }

  /** The beginning of an attempt that is recorded at once: the same for all of a group, so that one update serves them. */
  startingAt(): Date {
    const now = this.clock.now();
    const ago = now.getTime() - (this.nextStart?.getTime() ?? 0);
    // the clock may have been set back
    if (ago < 0 || ago > TOGETHER_MS) this.nextStart = now;
    return this.nextStart!;
  }

  /** Records attempts that are about to begin. @returns those whose claim holds, one answer for each. */
  begin(starts: readonly StartedAttempt[]): Promise<boolean[]> {
    return this.starts.add(starts);
  }

  startRun(): RunResults {
    const pool = new TaskPool(MAX_UNWRITTEN);
    return {
      add: ({ _id, bottle_id, channel, created_at, attempts }, claim, result) =>
        pool.start(async () => {
          // canaries are out of all figures
          if (!isCanary(bottle_id)) this.results.inc({ channel, result: result.kind });
          await this.group.add([{ id: _id, created_at, claim, attempts: attempts.length, result }]);
        }),
      written: () => pool.all(),
    };
  }
}
