import {
  alertKindsThat,
  type AlertToEnd,
  type AlertToRaise,
  flappingSince,
  isCanary,
  isFlapping,
  isHeldDown,
} from '#domain';
import { FlappingAlertsRepository, asObjectId } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const FLAPPING_KINDS = alertKindsThat('canFlap');

/**
 * Holds flapping down: bad wi-fi or a lid that does not close must not send "raised, resolved, raised, resolved"
 * all day. Everything is kept in the alerts, so any number of notifiers may run and crash.
 */
@Injectable()
export class Flapping {
  constructor(
    private readonly alerts: FlappingAlertsRepository,
    private readonly config: NotifierConfig,
  ) {}

  /** Finds which of these findings flap. A canary's are meant to come and go. */
  async findFlapping(found: readonly AlertToRaise[], now: Date): Promise<(one: AlertToRaise) => boolean> {
    const bottleIds = found
      .filter(({ kind, bottle }) => FLAPPING_KINDS.includes(kind) && !isCanary(bottle._id))
      .map(({ bottle }) => asObjectId(bottle._id));
    const delay = this.config.CLEAR_DELAY;
    const ended =
      bottleIds.length === 0
        ? []
        : await this.alerts.findEnded(bottleIds, FLAPPING_KINDS, flappingSince(now, delay));
    return ({ bottle, kind }) => {
      const earlier = ended.filter(
        (alert) => alert.kind === kind && alert.bottle_id.toHexString() === bottle._id.toHexString(),
      );
      return isFlapping(earlier, now, delay);
    };
  }

  /**
   * Resumes open alerts whose condition returned during their hold-down.
   *
   * @param blocked findings for whose bottle and kind an alert is open already
   * @returns those whose condition an open alert now stands for
   */
  async resumeReturned(blocked: readonly AlertToRaise[], now: Date): Promise<AlertToRaise[]> {
    const returns = blocked.filter(({ kind }) => FLAPPING_KINDS.includes(kind));
    if (returns.length === 0) return [];
    const open = await this.alerts.recordReturned(returns, now);
    return blocked.filter(({ bottle, kind, cause }) =>
      open.some(
        (alert) =>
          alert.kind === kind &&
          alert.bottle_id.toHexString() === bottle._id.toHexString() &&
          alert.returned_for?.getTime() === cause.getTime(),
      ),
    );
  }

  /** Starts the hold-down of flapping alerts. @returns the ends that need none. */
  async holdDown(endings: readonly AlertToEnd[], now: Date): Promise<AlertToEnd[]> {
    const held = endings.filter(isHeldDown);
    if (held.length > 0) await this.alerts.recordCleared(held, this.config.CLEAR_DELAY, now);
    return endings.filter((ending) => !isHeldDown(ending));
  }
}
