import { contactJson } from './contacts.js';
import { delayAt } from './disturbances.js';
import type { BottleLife, Fleet } from './fleet.js';
import { fleetEvents } from './house-events.js';
import { bottleEvents } from './bottle-events.js';
import { scheduleJson } from './schedule-json.js';

type Json = Record<string, unknown>;

/** The oracle tells of every trouble by itself: nothing that comes and goes is held down. */
const SETTINGS = { CLEAR_DELAY: '1s' };

const iso = (at: number): string => new Date(at).toISOString();

/**
 * A fleet as a scenario, of the same form as the files.
 *
 * @param only one bottle's key: the same life amid the same outages, without the others
 */
export function scenarioOf(fleet: Fleet, only?: string): Json {
  const { size, during } = fleet;
  const lives = fleet.lives.filter(({ plan }) => only === undefined || plan.key === only);
  const users = new Set(lives.map(({ plan }) => plan.user));
  return {
    name: `fleet ${size.seed}: ${size.bottles} bottles, ${size.days} days${only === undefined ? '' : `, only ${only}`}`,
    start: iso(during.from),
    end: iso(during.to),
    settings: SETTINGS,
    bottles: lives.map(({ plan }) => ({
      key: plan.key,
      user_id: plan.user,
      medication: 'Cordrazine',
      time_zone: plan.zone,
      number_of_pills: plan.pills,
      schedule: scheduleJson(plan.prescriptions[0]!.plan),
    })),
    contacts: [...fleet.contacts]
      .filter(([user]) => users.has(user))
      .map(([user, contact]) => contactJson(user, contact)),
    events: [...lives.flatMap(bottleEvents), ...fleetEvents(fleet, only)],
    expect: {
      messages: expectedMessages(fleet, only),
      outcomes: lives.flatMap(expectedOutcomes),
      all_outcomes: true,
      status: lives.map(({ plan, truth }) => ({ bottle: plan.key, status: truth.status })),
    },
  };
}

function expectedMessages({ tellings, disturbances, during }: Fleet, only?: string): Json[] {
  return tellings
    .filter(({ story }) => only === undefined || story.bottle === only)
    .flatMap(({ messages }) => messages)
    .map(({ bottle, kind, event, channel, at, by }) => ({
      bottle,
      kind,
      event,
      channel,
      after: iso(at),
      before: iso(Math.min(by, during.to) + delayAt(by, channel, disturbances)),
    }));
}

function expectedOutcomes({ plan, truth }: BottleLife): Json[] {
  return [...truth.outcomes].map(([at, outcome]) => ({ bottle: plan.key, scheduled_at: iso(at), outcome }));
}
