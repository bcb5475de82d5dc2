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
   * Receipt time of the first report of any kind; undefined without one, or if the log may have forgotten it.
   *
   * @param heartbeatsSince the log has all heartbeats from here on
   */
  async find(
    { _id, registered_at }: { _id: Types.ObjectId; registered_at: Date },
    heartbeatsSince: Date,
  ): Promise<Date | undefined> {
    if (registered_at < heartbeatsSince) return undefined;
    const found = await Promise.all([
      this.heartbeats.findFirstTime(_id),
      this.actions.findFirstReceived(_id),
    ]);
    const [first] = found.flatMap((at) => at ?? []).toSorted((one, other) => one.getTime() - other.getTime());
    return first;
  }
}
