import { changedContactJson, contactJson } from './contacts.js';
import { delayAt } from './disturbances.js';
import type { Fleet } from './fleet.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { fleetEvents } from './service-events.js';
import { bottleEvents } from './bottle-events.js';
import type { ExpectedNotification } from './oracle/notifications.js';
import { SERVICE } from './oracle/service-gaps.js';
import { scheduleJson } from './schedule-json.js';
import { THROTTLE } from './throttle.js';

type Json = Record<string, unknown>;

const iso = (at: number): string => new Date(at).toISOString();

/**
 * A fleet as a scenario, of the same form as the files.
 *
 * @param only one bottle's key: the same life amid the same outages, without the others
 */
export function scenarioOf(fleet: Fleet, only?: string): Json {
  const { size, during } = fleet;
  const bottles = fleet.bottles.filter(({ plan }) => only === undefined || plan.key === only);
  const users = new Set(bottles.map(({ plan }) => plan.user));
  const left = bottles.filter(({ erasedAt }) => erasedAt === Infinity);
  return {
    name: `fleet ${size.seed}: ${size.bottles} bottles, ${size.days} days${only === undefined ? '' : `, only ${only}`}`,
    start: iso(during.from),
    end: iso(during.to),
    settings: { RECIPIENT_THROTTLE: THROTTLE },
    bottles: bottles.map(({ plan }) => ({
      key: plan.key,
      user_id: plan.user,
      medication: 'Cordrazine',
      time_zone: plan.zone,
      number_of_pills: plan.pills,
      schedule: scheduleJson(plan.prescriptions[0]!.plan),
      ...(plan.hasGateway ? { gateway: 'hub' } : {}),
    })),
    contacts: [...fleet.contacts]
      .filter(([user]) => users.has(user))
      .map(([user, { first }]) => contactJson(user, first)),
    events: [
      ...bottles.flatMap(bottleEvents),
      ...[...fleet.contacts].flatMap(([user, { change }]) =>
        change && users.has(user)
          ? [{ at: iso(change.at), contact: changedContactJson(user, change.to) }]
          : [],
      ),
      ...fleetEvents(fleet, only),
    ],
    expect: {
      messages: expectedMessages(fleet, only),
      outcomes: left.flatMap(expectedOutcomes),
      all_outcomes: true,
      status: left.map(({ plan, truth }) => ({ bottle: plan.key, status: truth.status })),
    },
  };
}

function expectedMessages({ allNotifications, bottles, disturbances, during }: Fleet, only?: string): Json[] {
  const all = allNotifications
    .filter(({ alert: { bottle } }) => only === undefined || bottle === only || bottle === SERVICE)
    .flatMap(({ messages }) => messages);
  return oneSummaryEach(all, bottles).map(({ bottle, kind, event, channel, at, by }) => ({
    ...(!isGathered(event) && bottle !== SERVICE && { bottle }),
    kind,
    event,
    channel,
    after: iso(at),
    before: iso(Math.min(by, during.to) + delayAt(by, channel, disturbances)),
  }));
}

function isGathered(event: ExpectedNotification['event']): boolean {
  return event === 'summary' || event === 'unconfirmed';
}

/** Of the summaries that one recipient is sent at a time, one; it names the bottle of any of them. */
function oneSummaryEach(
  notifications: ExpectedNotification[],
  bottles: readonly GeneratedBottle[],
): ExpectedNotification[] {
  const userOf = new Map(bottles.map(({ plan }) => [plan.key, plan.user]));
  const seen = new Set<string>();
  return notifications.filter(({ event, bottle, who, channel, at }) => {
    if (!isGathered(event)) return true;
    const recipient = who === 'operator' ? bottle : userOf.get(bottle);
    const key = `${event} ${recipient} ${who} ${channel} ${at}`;
    return !seen.has(key) && seen.add(key);
  });
}

function expectedOutcomes({ plan, truth }: GeneratedBottle): Json[] {
  return [...truth.outcomes].map(([at, outcome]) => ({ bottle: plan.key, scheduled_at: iso(at), outcome }));
}
