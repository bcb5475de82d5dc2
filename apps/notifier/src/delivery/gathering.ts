import { MINUTE_MS } from '#domain';
import {
  type Alert,
  BottleStatesRepository,
  type Claim,
  DeliveriesRepository,
  type Delivery,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { isSameAddress, OPERATOR } from './recipients.js';

/** How long a summary waits at least for further doses. Milliseconds. */
const GATHERING_MS = 30_000;
/** How long a summary waits at most: a bottle that cannot be judged keeps nobody from what is known. Milliseconds. */
const LONGEST_MS = 2 * 60 * MINUTE_MS;

/** When a summary is sent: at the full minute that leaves {@link GATHERING_MS} to find the others that belong to it. */
export function gatheredAt(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + GATHERING_MS) / MINUTE_MS) * MINUTE_MS);
}

/** The first full minute after a moment: what waits for one thing is sent at one time. */
export function nextFullMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

/** Until when a `summary` waits for other doses that belong to it; undefined if for none. */
export type GatheringOf = (delivery: Delivery, alert: Alert) => Date | undefined;

/**
 * Finds for which doses a `summary` waits, so that it is one message however long it takes to judge the fleet: those of
 * its bottles that are not judged yet, and those that were found a moment ago.
 */
@Injectable()
export class Gathering {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** @param claim what is claimed by it is sent together */
  async read(
    claim: Claim,
    deliveries: readonly Delivery[],
    alerts: readonly Alert[],
    now: Date,
  ): Promise<GatheringOf> {
    const isGathered = ({ event, attempts, created_at }: Delivery): boolean =>
      event === 'summary' &&
      // after an attempt it is repeated as it was
      attempts.length === 0 &&
      now.getTime() - created_at.getTime() < LONGEST_MS;
    const gathered = deliveries.filter(isGathered);
    if (gathered.length === 0) return () => undefined;
    const ids = new Set(gathered.map(({ alert_id }) => alert_id.toHexString()));
    const userIds = alerts.filter(({ _id }) => ids.has(_id.toHexString())).map(({ user_id }) => user_id);
    const bottles = await this.states.findJudged(userIds, new Date(now.getTime() - GATHERING_MS));
    // after it: what a bottle owes that is judged by then is queued
    const queued = await this.deliveries.findFreshSummaries(
      bottles.map(({ _id }) => _id),
      { since: new Date(now.getTime() - MINUTE_MS - GATHERING_MS), dueAfter: now, claim },
    );
    return (delivery, { user_id }) => {
      if (!isGathered(delivery)) return undefined;
      const isDue = bottles.some((bottle) => bottle.isDue && belongsTo(delivery, user_id, bottle));
      if (isDue) return nextFullMinute(now);
      const others = queued.filter((other) => isOneMessage(delivery, other));
      return others.length === 0
        ? undefined
        : new Date(Math.max(...others.map(({ next_attempt_at }) => next_attempt_at!.getTime())));
    };
  }
}

/** Whether the doses of a bottle belong to a summary: the operator gets one for each bottle. */
function belongsTo(
  { recipient, bottle_id }: Delivery,
  userId: string,
  bottle: { _id: Delivery['bottle_id']; user_id: string },
): boolean {
  return recipient === OPERATOR ? bottle._id.equals(bottle_id) : bottle.user_id === userId;
}

function isOneMessage(delivery: Delivery, other: Delivery): boolean {
  return (
    isSameAddress(delivery)(other) &&
    (delivery.recipient !== OPERATOR || other.bottle_id.equals(delivery.bottle_id))
  );
}
