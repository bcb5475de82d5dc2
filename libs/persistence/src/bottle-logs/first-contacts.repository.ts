import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BottleActionsRepository } from '../bottle-actions/bottle-actions.repository.js';
import { BottleHeartbeatsRepository } from '../bottle-heartbeats/bottle-heartbeats.repository.js';

/** When bottles reported for the first time. */
@Injectable()
export class FirstContactsRepository {
  constructor(
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly actions: BottleActionsRepository,
  ) {}

  /**
   * Receipt times of the first reports of any kind, by bottle; absent without one, or if the log may have forgotten it.
   *
   * @param heartbeatsSince the log has all heartbeats from here on
   */
  async find(
    bottles: readonly { _id: Types.ObjectId; registered_at: Date }[],
    heartbeatsSince: Date,
  ): Promise<Map<string, Date>> {
    const known = bottles.filter(({ registered_at }) => registered_at >= heartbeatsSince);
    if (known.length === 0) return new Map();
    const ids = known.map(({ _id }) => _id);
    const [first, received] = await Promise.all([
      this.heartbeats.findFirstTimes(ids),
      this.actions.findFirstReceived(ids),
    ]);
    for (const [id, at] of received) {
      const other = first.get(id);
      if (!other || at < other) first.set(id, at);
    }
    return first;
  }
}
