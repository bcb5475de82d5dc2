import { afterReceipt, receiptThatCounts } from '#domain';
import { type Delivery, ReceiptsRepository } from '#persistence';
import { Clock } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable, Logger } from '@nestjs/common';
import { AddressHealth } from './address-health.js';

const PAGE = 200;

/** Does what follows from receipts: what a network did not deliver is sent again, or given up. */
@Injectable()
export class Receipts {
  private readonly logger = new Logger(Receipts.name);

  constructor(
    private readonly receipts: ReceiptsRepository,
    private readonly health: AddressHealth,
    private readonly dirtyBuckets: DirtyBuckets,
    private readonly clock: Clock,
  ) {}

  /** Any number of notifiers may do this at once: each change is made once. */
  async run(stopping: () => boolean = () => false): Promise<void> {
    while (!stopping()) {
      const due = await this.receipts.findDue(this.clock.now(), PAGE);
      for (const delivery of due) await this.apply(delivery);
      if (due.length < PAGE) return;
    }
  }

  private async apply(delivery: Delivery): Promise<void> {
    const receipt = await this.unlessDamaged(delivery, () => receiptThatCounts(delivery));
    if (receipt) {
      const [now, random] = [this.clock.now(), Math.random()];
      const parts = await this.receipts.findSentTogether(delivery);
      // itself last: until it is recorded, whoever continues after a kill finds the others by it
      const others = parts.filter(({ _id }) => _id !== delivery._id);
      for (const part of [...others, delivery]) {
        const result = await this.unlessDamaged(part, () => afterReceipt(part, receipt, now, random));
        if (!result) continue;
        if (result.kind === 'refused') {
          const refusal = { by: 'the network', reply: receipt.reply ?? '' };
          await this.health.refused(part, result.attempt.address, refusal, now);
        }
        await this.dirtyBuckets.add('deliveries', [part.created_at], now);
        await this.receipts.record(part, result, now);
      }
    }
    await this.receipts.settle(delivery);
  }

  /** A record that cannot be read is quarantined with its error: it holds up no other. */
  private async unlessDamaged<T>(delivery: Delivery, read: () => T): Promise<T | undefined> {
    try {
      return read();
    } catch (error) {
      await this.receipts.quarantine(delivery, String(error), this.clock.now());
      this.logger.error(`receipts of notification ${delivery._id} quarantined: ${String(error)}`);
      return undefined;
    }
  }
}
