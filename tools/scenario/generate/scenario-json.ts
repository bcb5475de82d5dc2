import type { BottlePlan } from './bottle-plan.js';
import { changedContactJson, contactJson } from './contacts.js';
import { delayAt } from './disturbances.js';
import type { Fleet } from './fleet.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { fleetEvents } from './service-events.js';
import { bottleEvents } from './bottle-events.js';
import type { ExpectedNotification } from './oracle/expected-notification.js';
import { OPERATOR } from './oracle/contact-plan.js';
import { SERVICE } from './oracle/service-gaps.js';
import { scheduleJson } from './schedule-json.js';
import { physicalKey } from './second-life.js';
import { WEBHOOK_URL } from '../message-log.js';
import { THROTTLE } from './throttle.js';

type Json = Record<string, unknown>;

const iso = (at: number): string => new Date(at).toISOString();

/**
 * A fleet as a scenario, of the same form as the files.
 *
 * @param only bottles' keys: the same lives amid the same outages, without the others
 */
export function scenarioOf(fleet: Fleet, only?: readonly string[]): Json {
  const { size, during } = fleet;
  const bottles = fleet.bottles.filter(({ plan }) => !only || only.includes(ofWhichPlan(plan)));
  if (bottles.length === 0) throw new Error(`There is no bottle ${only?.join()}.`);
  const keys = new Set(bottles.map(({ plan }) => plan.key));
  const users = new Set(
    bottles.flatMap(({ plan, handover }) => [plan.user, ...(handover ? [handover.user] : [])]),
  );
  const registered = bottles.filter(({ assignedAt }) => assignedAt === undefined);
  const left = bottles.filter(({ erasedAt }) => erasedAt === Infinity);
  return {
    name: `fleet ${size.seed}: ${size.bottles} bottles, ${size.days} days${only ? `, only ${only.join()}` : ''}`,
    start: iso(during.from),
    end: iso(during.to),
    settings: { RECIPIENT_THROTTLE: THROTTLE },
    bottles: registered.map(({ plan }) => ({
      key: plan.key,
      user_id: plan.user,
      medication: 'Cordrazine',
      time_zone: plan.zone,
      number_of_pills: plan.pills,
      ...(plan.sharing
        ? plan.sharing.from <= during.from && { plan_of: plan.sharing.of }
        : { schedule: scheduleJson(plan.prescriptions[0]!.plan) }),
      ...(plan.hasGateway ? { gateway: 'hub' } : {}),
    })),
    endpoints: fleet.endpoints,
    staff_browsers: [OFFICE],
    contacts: [...fleet.contacts]
      .filter(([user, { first }]) => users.has(user) && first !== OPERATOR)
      .map(([user, { first }]) => contactJson(user, first)),
    events: [
      ...bottles.flatMap((bottle) => bottleEvents(bottle, during)),
      ...[...fleet.contacts].flatMap(([user, { changes }]) =>
        users.has(user)
          ? changes.map(({ at, to }) => ({ at: iso(at), contact: changedContactJson(user, to) }))
          : [],
      ),
      ...fleetEvents(fleet, keys),
    ],
    expect: {
      messages: expectedMessages(fleet, keys),
      outcomes: left.flatMap(expectedOutcomes),
      all_outcomes: true,
      status: left
        .filter(({ retirement }) => !retirement)
        .map(({ plan, truth }) => ({ bottle: physicalKey(plan.key), status: truth.status })),
    },
  };
}

/** The bottle of the scenario that has the plan of a bottle. */
function ofWhichPlan({ key, sharing }: BottlePlan): string {
  return sharing?.of ?? physicalKey(key);
}

function expectedMessages(
  { allNotifications, disturbances, during }: Fleet,
  keys: ReadonlySet<string>,
): Json[] {
  const all = allNotifications
    .filter(({ alert: { bottle } }) => bottle === SERVICE || keys.has(bottle))
    .flatMap(({ messages, user }) => messages.map((message) => ({ ...message, user })));
  return [...oneSummaryEach(all), ...oneSummaryEach(all.flatMap(shownToStaff))].map(
    ({ bottle, kind, event, who, channel, endpoint, email, sms, at, by, user, ...content }) => ({
      ...(!isGathered(event) && bottle !== SERVICE && { bottle: physicalKey(bottle) }),
      kind,
      event,
      channel,
      ...(channel === 'webhook' && { to: endpoint ?? WEBHOOK_URL }),
      ...(email !== undefined && { to: email }),
      ...(sms?.isCertain && { to: sms.number }),
      ...(channel === 'push' && { to: OFFICE }),
      after: iso(at),
      before: iso(Math.min(by, during.to) + delayAt(by, { channel, endpoint }, disturbances)),
      ...(user !== undefined && channel !== 'push' && { says: saysJson(content, user, who) }),
    }),
  );
}

/** The browser of staff in every fleet. */
const OFFICE = 'office';

/** What the operator is sent, a browser of staff shows (PUSH-6); that it comes does not depend on the operator's receiver. */
function shownToStaff(one: OwnedNotification): OwnedNotification[] {
  const isSettings = one.channel === 'webhook' && one.endpoint === undefined;
  return one.who === 'operator' && isSettings ? [{ ...one, channel: 'push' }] : [];
}

/** What a message must say, in the oracle's words. */
function saysJson({ facts, doses }: Pick<Gathered, 'facts' | 'doses'>, user: string, who: string): Json {
  const { dose, numbers = {}, times = {}, texts = {} } = facts;
  const due = doses ?? (dose === undefined ? undefined : [dose]);
  const named = Object.entries(times).map(([name, at]) => [name, iso(at)] as const);
  return {
    user,
    medication: 'Cordrazine',
    recipient: who,
    ...(due && { doses: due.map(iso) }),
    ...(doses ? {} : { evidence: { ...numbers, ...texts, ...Object.fromEntries(named) } }),
  };
}

function isGathered(event: ExpectedNotification['event']): boolean {
  return event === 'summary' || event === 'unconfirmed';
}

/** A notification, and whose bottle it is about. */
interface OwnedNotification extends ExpectedNotification {
  user: string | undefined;
}

/** One message about several doses. */
interface Gathered extends OwnedNotification {
  /** When they are due, in order. */
  doses?: number[];
}

/** Of the summaries that one recipient is sent at a time, one, with the doses of all; it names the bottle of any of them. */
function oneSummaryEach(notifications: OwnedNotification[]): Gathered[] {
  const gathered = new Map<string, Gathered & { doses: number[] }>();
  return notifications.flatMap((one) => {
    const { event, bottle, who, channel, endpoint, at, facts } = one;
    if (!isGathered(event)) return [one];
    const recipient = who === 'operator' ? bottle : one.user;
    const key = `${event} ${recipient} ${who} ${channel} ${endpoint} ${at}`;
    const first = gathered.get(key);
    if (first) {
      first.doses = [...first.doses, facts.dose!].sort((early, late) => early - late);
      return [];
    }
    const message = { ...one, doses: [facts.dose!] };
    gathered.set(key, message);
    return [message];
  });
}

function expectedOutcomes({ plan, truth }: GeneratedBottle): Json[] {
  return [...truth.outcomes].map(([at, outcome]) => ({
    bottle: physicalKey(plan.key),
    scheduled_at: iso(at),
    outcome,
  }));
}
