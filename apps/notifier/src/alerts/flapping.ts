import { flappingSince, isFlapping } from '#domain';
import { type AlertKind, FlappingAlertsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';
import type { AlertEnding, Trouble } from './alerts.service.js';

/** Kinds that come and go without anybody's doing; the others have a hysteresis, or one alert a dose. */
const KINDS: AlertKind[] = ['bottle_open', 'bottle_silent'];

/**
 * Holds flapping down: bad wi-fi or a lid that does not close must not send "raised, resolved, raised, resolved"
 * all day. All of it is kept in the alerts, so any number of notifiers may run and be killed.
 */
@Injectable()
export class Flapping {
  constructor(
    private readonly alerts: FlappingAlertsRepository,
    private readonly config: NotifierConfig,
  ) {}

  /** Which of these new troubles come and go. */
  async among(troubles: readonly Trouble[], now: Date): Promise<(trouble: Trouble) => boolean> {
    const bottleIds = troubles.filter(({ kind }) => KINDS.includes(kind)).map(({ bottle }) => bottle._id);
    const delay = this.config.CLEAR_DELAY;
    const ended =
      bottleIds.length === 0 ? [] : await this.alerts.findEnded(bottleIds, KINDS, flappingSince(now, delay));
    return ({ bottle, kind }) => {
      const earlier = ended.filter((alert) => alert.kind === kind && alert.bottle_id.equals(bottle._id));
      return isFlapping(
        earlier.map(({ ended_at, flapping }) => ({ ended_at: ended_at!, flapping })),
        now,
        delay,
      );
    };
  }

  /** Of troubles that an open alert stands in the way of, those that are that alert's own, come back. */
  async goOn(troubles: readonly Trouble[], now: Date): Promise<Trouble[]> {
    const returns = troubles
      .filter(({ kind }) => KINDS.includes(kind))
      .map((trouble) => ({ ...trouble, bottle_id: trouble.bottle._id }));
    if (returns.length === 0) return [];
    const open = await this.alerts.goOn(returns, now);
    return troubles.filter(({ bottle, kind, cause }) =>
      open.some(
        (alert) =>
          alert.kind === kind &&
          alert.bottle_id.equals(bottle._id) &&
          alert.returned_for?.getTime() === cause.getTime(),
      ),
    );
  }

  /** Lets the ends of alerts that come and go wait. @returns those that end now. */
  async hold(endings: readonly AlertEnding[], now: Date): Promise<AlertEnding[]> {
    const waits = ({ alert, end }: AlertEnding): boolean =>
      alert.flapping === true && end.owed === 'resolved';
    const clears_at = new Date(now.getTime() + this.config.CLEAR_DELAY);
    const clearing = endings
      .filter(waits)
      .map(({ alert, end }) => ({ alert, clears_at, evidence: end.evidence ?? {} }));
    if (clearing.length > 0) await this.alerts.clear(clearing, now);
    return endings.filter((ending) => !waits(ending));
  }
}
