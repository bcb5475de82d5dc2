import { afterReceipt } from '#domain';
import { type Delivery, ReceiptsRepository } from '#persistence';
import { Clock } from '#platform';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { AddressHealth } from './address-health.js';

const PAGE = 200;

/** Does what follows from receipts: what a network did not deliver is sent again, or given up. */
@Injectable()
export class Receipts {
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
    const attemptAt = delivery.attempts.at(-1)?.at.getTime();
    const ofAttempt = (delivery.receipts ?? []).filter(
      ({ attempt_at }) => attempt_at.getTime() === attemptAt,
    );
    // that it was accepted says less than what comes later
    const receipt = ofAttempt.findLast(({ state }) => state !== 'accepted') ?? ofAttempt.at(-1);
    if (receipt) {
      const random = Math.random();
      for (const part of await this.receipts.findSentTogether(delivery)) {
        const now = this.clock.now();
        const result = afterReceipt(part, receipt, now, random);
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
}
