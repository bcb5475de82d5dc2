import {
  type Claim,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  type Settlement,
} from '#persistence';
import { Clock, GroupCommit, Metrics } from '#platform';
import { Marks } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { TaskWindow } from './task-window.js';

const GROUP = 500;
/** So many may wait to be marked; then sending waits for them. */
const UNSETTLED = 2_000;

/** Marks what became of messages, in groups: one write each would take longer than sending them. */
@Injectable()
export class Settlements {
  private readonly group: GroupCommit<Settlement & Pick<Delivery, 'created_at'>, undefined>;
  private readonly results: Counter<'channel' | 'result'>;

  constructor(deliveries: DeliveriesRepository, marks: Marks, clock: Clock, metrics: Metrics) {
    this.group = new GroupCommit(
      async (settlements) => {
        const made = settlements.map(({ created_at }) => created_at);
        await marks.mark('deliveries', made, clock.now());
        await deliveries.settle(settlements);
        return settlements.map(() => undefined);
      },
      // TaskWindow keeps it from filling up
      { group: GROUP, queued: Number.POSITIVE_INFINITY, inFlight: 1 },
    );
    this.results = new Counter({
      name: 'pillwatch_deliveries_total',
      help: 'Messages by channel and what became of them',
      labelNames: ['channel', 'result'],
      registers: [metrics],
    });
  }

  /** For one run: to be waited for at its end. */
  begin(): Settling {
    const window = new TaskWindow(UNSETTLED);
    return {
      add: ({ _id, channel, created_at }, claim, result) =>
        window.start(async () => {
          this.results.inc({ channel, result: result.kind });
          await this.group.add([{ id: _id, created_at, claim, result }]);
        }),
      all: () => window.all(),
    };
  }
}

/** The marks of one run. */
export interface Settling {
  /** Resolves when there is room for it, which is at once unless the database is far behind. */
  add(delivery: Delivery, claim: Claim, result: DeliveryResult): Promise<void>;
  /** Resolves when all are written. @throws what failed. */
  all(): Promise<void>;
}
