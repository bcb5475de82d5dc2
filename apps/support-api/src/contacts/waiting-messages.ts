import { BottleStatesRepository, ReceiversRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';

/** What waits for an address of a user or carer after a failure. */
@Injectable()
export class WaitingMessages {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly receivers: ReceiversRepository,
    private readonly clock: Clock,
  ) {}

  /** The contact has changed: what waits may go to an address that there is now (ESC-10). */
  async sendAgain(userId: string): Promise<void> {
    const bottles = await this.states.findOfUsers([userId]);
    await this.receivers.sendAgain(
      bottles.map(({ _id }) => _id),
      this.clock.now(),
    );
  }
}
