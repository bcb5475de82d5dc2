import { nextSlotAfter, onBattery, onNextDose } from '#domain';
import {
  type Bottle,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  NextDosesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import type { Types } from 'mongoose';

const PAGE = 500;

/**
 * Keeps by what staff order their lists: each bottle's next dose and its battery. Any number of notifiers may do it at
 * once, and repeat it after a crash.
 */
@Injectable()
export class NextDoses {
  private readonly logger = new Logger(NextDoses.name);

  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly nextDoses: NextDosesRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly clock: Clock,
  ) {}

  /** Finds the next dose of every bottle whose dose has passed, or whose schedule has changed. */
  async run(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    while (!stopping()) {
      const page = await this.nextDoses.findPassed(now, PAGE);
      const found = await this.bottles.findByIds(page.map(({ _id }) => _id));
      const bottles = new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
      await this.nextDoses.replace(
        page.map((passed) => ({ passed, next: this.nextOf(bottles.get(passed._id.toHexString()), now) })),
      );
      if (page.length < PAGE) return;
    }
  }

  /**
   * What nobody has kept yet: of bottles from before there were these orders, or whose service was killed.
   *
   * @param lastHeartbeat when the newest heartbeats came, as far as they were read
   */
  async repair(
    page: readonly Bottle[],
    states: ReadonlyMap<string, BottleState>,
    lastHeartbeat: ReadonlyMap<string, Date>,
    now: Date,
  ): Promise<void> {
    const heartbeats = await this.heartbeats.findNewestOf(
      page.map(({ _id }) => _id),
      lastHeartbeat,
    );
    for (const bottle of page) {
      const id = bottle._id.toHexString();
      const state = states.get(id);
      if (!state || state.life) continue;
      if (!state.next_dose_at && bottle.schedule_versions.length > 0 && this.nextOf(bottle, now))
        await this.states.change(bottle._id, onNextDose(now));
      await this.noteBattery(bottle._id, state, heartbeats.get(id)?.battery_percent);
    }
  }

  private async noteBattery(
    id: Types.ObjectId,
    { battery_percent: known }: BottleState,
    percent: number | undefined,
  ): Promise<void> {
    // the last heartbeat may say nothing of it
    if (percent === undefined || Math.round(percent) === known) return;
    await this.states.change(id, onBattery(percent));
  }

  /** One schedule that cannot be read must not hold up the others: it has no next dose. */
  private nextOf(bottle: Bottle | undefined, now: Date): Date | undefined {
    try {
      return bottle && nextSlotAfter(bottle.schedule_versions, bottle.pauses, now)?.scheduled_at;
    } catch (error) {
      this.logger.error(`next dose of ${bottle!._id.toHexString()}: ${String(error)}`);
      return undefined;
    }
  }
}
