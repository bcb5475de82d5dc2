import { BottleStatesRepository, DatabaseStatus, ReceiversRepository } from '#persistence';
import { Clock, Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { FleetService } from './fleet.service.js';

/** What waits for the notifiers, seen from outside them: a notifier that hangs reports nothing about itself. */
@Injectable()
export class FleetMetrics {
  constructor(
    private readonly fleet: FleetService,
    private readonly receivers: ReceiversRepository,
    private readonly clock: Clock,
    states: BottleStatesRepository,
    database: DatabaseStatus,
    metrics: Metrics,
  ) {
    const disk: Gauge = new Gauge({
      name: 'pillwatch_database_disk_free_ratio',
      help: "The share of the database's disk that is free, of the fullest shard",
      registers: [metrics],
      collect: async (): Promise<void> => {
        const free = await database.readFreeDisk().catch(() => undefined);
        disk.reset();
        if (free !== undefined) disk.set(free);
      },
    });
    const unused: Gauge = new Gauge({
      name: 'pillwatch_bottles_not_in_use',
      help: 'Bottles that are stored or retired',
      labelNames: ['life'],
      registers: [metrics],
      collect: async (): Promise<void> => {
        const counts = await states.countNotInUse().catch(() => ({}));
        unused.reset();
        for (const [life, count] of Object.entries(counts)) unused.set({ life }, count);
      },
    });
    const add = (
      name: string,
      help: string,
      label: string,
      read: () => Promise<[string, number][]>,
    ): void => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [metrics],
        // while the database does not respond, the metric is absent
        collect: async (): Promise<void> => {
          const values = await read().catch(() => []);
          gauge.reset();
          for (const [value, ms] of values) gauge.set({ [label]: value }, ms / 1_000);
        },
      });
    };
    add(
      'pillwatch_check_lag_seconds',
      'How long the most overdue bottle has waited for a check',
      'check',
      async () => Object.entries(await this.fleet.lag()),
    );
    add('pillwatch_outbox_age_seconds', 'How long the longest due notification has waited', 'channel', () =>
      this.outboxAge(),
    );
  }

  /** By channel, in milliseconds. */
  private async outboxAge(): Promise<[string, number][]> {
    const now = this.clock.now();
    const oldest = await this.receivers.findOldestDue(now);
    return [...oldest].map(([channel, dueAt]) => [channel, now.getTime() - dueAt.getTime()]);
  }
}
