import {
  type Claim,
  type ClaimedResult,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  type StartedAttempt,
} from '#persistence';
import { Clock, GroupCommit, Metrics } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { TaskPool } from './task-pool.js';

const GROUP = 500;
/** How many results may wait to be written; then sending waits. */
const MAX_UNWRITTEN = 2_000;

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

  constructor(deliveries: DeliveriesRepository, dirtyBuckets: DirtyBuckets, clock: Clock, metrics: Metrics) {
    // the pools of the runs limit the queues
    const limits = { group: GROUP, queued: Number.POSITIVE_INFINITY, inFlight: 1 };
    this.starts = new GroupCommit(async (starts) => {
      const held = await deliveries.recordStarts(starts);
      return starts.map(({ id }) => held.has(id));
    }, limits);
    this.group = new GroupCommit(async (results) => {
      const created = results.map(({ created_at }) => created_at);
      await dirtyBuckets.add('deliveries', created, clock.now());
      await deliveries.recordResults(results);
      return results.map(() => undefined);
    }, limits);
    this.results = new Counter({
      name: 'pillwatch_deliveries_total',
      help: 'Delivery results, by channel and result',
      labelNames: ['channel', 'result'],
      registers: [metrics],
    });
  }

  /** Records attempts that are about to begin. @returns those whose claim holds, one answer for each. */
  begin(starts: readonly StartedAttempt[]): Promise<boolean[]> {
    return this.starts.add(starts);
  }

  startRun(): RunResults {
    const pool = new TaskPool(MAX_UNWRITTEN);
    return {
      add: ({ _id, channel, created_at, attempts }, claim, result) =>
        pool.start(async () => {
          this.results.inc({ channel, result: result.kind });
          await this.group.add([{ id: _id, created_at, claim, attempts: attempts.length, result }]);
        }),
      written: () => pool.all(),
    };
  }
}
