import { Random } from '../../random.js';
import { receive } from './arrivals.js';
import { type BottlePlan, planBottle } from './bottle-plan.js';
import { chooseDates } from './calendar.js';
import { changeContacts } from './contact-changes.js';
import { drawContact, onlyAbout, withoutDelays, withoutReminders } from './contacts.js';
import { type Disturbances, disturb, refusedSpans } from './disturbances.js';
import { factsOf, type ServicePlan, planService } from './service-plan.js';
import { drawEndpoints } from './endpoints.js';
import type { EndpointPlan } from './oracle/endpoints.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { drawHandover, nextUser } from './handovers.js';
import { drawVisits, toLidEvents } from './lid-events.js';
import { send } from './link.js';
import { type ContactHistory, type ContactPlan, OPERATOR } from './oracle/contact-plan.js';
import { dueDoses } from './oracle/due-doses.js';
import {
  type BottleTruth,
  DAY,
  type ExpectedAlert,
  MINUTE,
  type ServiceFacts,
  type Span,
} from './oracle/facts.js';
import { alertsOfService } from './oracle/service-gaps.js';
import { remindersOf } from './oracle/reminders.js';
import { WallClocks } from './oracle/wall-clock.js';
import { watchPlan } from './oracle/watch-bottle.js';
import { drawAcknowledgements, drawSettling, drawStaffWork, type StaffWork } from './staff.js';
import { type RefusedAddress, refuseAddresses } from './refused-addresses.js';
import { ANSWERED_KINDS, drawAnswers } from './answers.js';
import { callForHelp } from './oracle/help.js';
import { drawRetirement, retire } from './retirements.js';
import { againKey, drawSecondLife, endedAt } from './second-life.js';
import { drawSharedPlan } from './shared-plans.js';
import { type DosePromise, drawPromises } from './promises.js';
import { drawStatements } from './statements.js';
import { AlertNotifications } from './alert-notifications.js';
import { drawErasures } from './erasures.js';
import { throttle } from './throttle.js';

/** What to generate. */
export interface FleetSize {
  /** The same seed and size make the same fleet. */
  seed: number;
  bottles: number;
  days: number;
}

/** A generated fleet and everything that happens to it. */
export interface Fleet {
  size: FleetSize;
  during: Span;
  service: ServicePlan;
  bottles: GeneratedBottle[];
  endpoints: EndpointPlan[];
  /** Of users with a contact at some time. */
  contacts: Map<string, ContactHistory>;
  staff: StaffWork[];
  allNotifications: AlertNotifications[];
  disturbances: Disturbances;
  refusedAddresses: RefusedAddress[];
  promises: DosePromise[];
}

/** Of what people are notified of whose limit of messages leaves it open what they get: of less and less. */
const FEWER_KINDS = [
  ['missed_dose', 'extra_dose', 'low_supply', 'count_mismatch'],
  ['missed_dose', 'extra_dose'],
];

/** No disturbance is so near the first mail that is refused. */
const REFUSED_ROOM = 20 * MINUTE;

/** How often a bottle is drawn again because a small delay would change its expectations. */
const ATTEMPTS = 20;

/** Generates a fleet and its expectations. Each bottle depends on the seed and its own number only. */
export function generateFleet(size: FleetSize): Fleet {
  const { seed, days } = size;
  const during = chooseDates(new Random(seed, 'dates'), days);
  const service = planService(new Random(seed, 'house'), during);
  const facts = factsOf(service, during);
  const walls = new WallClocks(during.from - 9 * DAY, during.to + DAY);
  const plans = new Map<string, ContactPlan>();
  const bottles: GeneratedBottle[] = [];
  const endpoints = drawEndpoints(new Random(seed, 'endpoints'));
  for (let index = 0; index < size.bottles; index += 1) {
    const neighbour = bottles.findLast(({ assignedAt }) => assignedAt === undefined)?.plan;
    const [bottle, ...beside] = drawBottle(seed, index, neighbour, facts, walls);
    const again = drawSecondLife(new Random(seed, 'second life', index), bottle, facts, walls);
    for (const each of [bottle, ...beside, ...(again ? [again] : [])]) {
      bottles.push(each);
      const { user, zone, runsLow } = each.plan;
      if (plans.has(user) && each === again) continue;
      const contact = drawContact(new Random(seed, 'contact', user), user, zone);
      // low_supply may be raised within a span: quiet hours and reminders in it would be anybody's guess
      if (contact) plans.set(user, runsLow ? withoutDelays(contact) : contact);
      else if (!runsLow) plans.set(user, OPERATOR);
    }
    const next = nextUser(bottle.plan.key);
    const contact = drawContact(new Random(seed, 'contact', next), next, bottle.plan.zone);
    if (contact) plans.set(next, withoutReminders(contact));
  }
  answerMails(seed, bottles, plans, service, facts, walls);
  const teacher = firstToShowWeight(bottles);
  for (const bottle of bottles) if (!(teacher && weightIsKnown(bottle, teacher))) countRight(bottle);
  const narrowed = new Map<string, number>();
  for (;;) {
    const kindsOf = (user: string): string[] | undefined => FEWER_KINDS[(narrowed.get(user) ?? 0) - 1];
    const fleet = drawMessages(
      { size, during, service, bottles, endpoints },
      teacher,
      { plans, kindsOf },
      facts,
      walls,
    );
    const uncertain = [...plans.keys()].filter((user) => {
      const own = fleet.allNotifications.filter((notifications) => notifications.user === user);
      return !throttle(own, fleet.disturbances);
    });
    if (uncertain.length === 0) return fleet;
    for (const user of uncertain) {
      const times = narrowed.get(user) ?? 0;
      narrowed.set(user, times + 1);
      if (!FEWER_KINDS[times]) plans.delete(user);
    }
  }
}

/** Has people answer mails about bottles that stay theirs. */
function answerMails(
  seed: number,
  bottles: GeneratedBottle[],
  plans: Map<string, ContactPlan>,
  { both }: ServicePlan,
  facts: ServiceFacts,
  walls: WallClocks,
): void {
  const shared = bottles.flatMap(({ plan }) => (plan.sharing ? [plan.key, plan.sharing.of] : []));
  for (const [index, bottle] of bottles.entries()) {
    const { plan, retirement, assignedAt } = bottle;
    const contact = plans.get(plan.user);
    const isOne = bottles.filter((other) => other.plan.user === plan.user).length === 1;
    if (!contact || contact === OPERATOR || !isOne || retirement || assignedAt !== undefined) continue;
    if (plan.runsLow || plan.miscounts || shared.includes(plan.key)) continue;
    const narrowed = onlyAbout(contact, ANSWERED_KINDS);
    const answered = drawAnswers(new Random(seed, 'answers', plan.key), bottle, narrowed, both, facts, walls);
    if (answered === bottle) continue;
    bottles[index] = answered;
    plans.set(plan.user, narrowed);
  }
}

/** The bottle that is the first to show what a pill weighs, if any does. All have the same pills. */
function firstToShowWeight(bottles: readonly GeneratedBottle[]): GeneratedBottle | undefined {
  const shown = bottles.filter(({ truth }) => truth.weightShownAt < Infinity);
  return shown.toSorted((one, other) => one.truth.weightShownAt - other.truth.weightShownAt)[0];
}

/** Whether it was known what a pill weighs when a bottle's scale began to show other than its count, if ever. */
function weightIsKnown({ truth }: GeneratedBottle, teacher: GeneratedBottle): boolean {
  return truth.alerts.every(
    ({ kind, raisedAt }) => kind !== 'count_mismatch' || teacher.truth.weightShownAt < raisedAt,
  );
}

/** Has a bottle count as its scale shows. Nothing else depends on what it weighs. */
function countRight({ plan, truth }: GeneratedBottle): void {
  delete plan.miscounts;
  truth.alerts = truth.alerts.filter(({ kind }) => kind !== 'count_mismatch');
}

/** Who is notified, of all kinds of alerts or of some. */
interface Plans {
  plans: ReadonlyMap<string, ContactPlan>;
  kindsOf: (user: string) => string[] | undefined;
}

/**
 * Draws what people do about the alerts of a fleet, and what disturbs the messages.
 *
 * @param teacher shows what a pill weighs, and is neither erased nor retired
 */
function drawMessages(
  known: Pick<Fleet, 'size' | 'during' | 'service' | 'bottles' | 'endpoints'>,
  teacher: GeneratedBottle | undefined,
  { plans, kindsOf }: Plans,
  facts: ServiceFacts,
  walls: WallClocks,
): Fleet {
  const { during, service, endpoints } = known;
  const { seed } = known.size;
  let bottles = known.bottles.map((bottle) => ({ ...bottle }));
  const contacts = new Map(
    [...plans].map(([user, first]): [string, ContactHistory] => [user, { first, changes: [] }]),
  );
  changeContacts(new Random(seed, 'contact changes'), contacts, bottles, facts);
  for (const [user, { first, changes }] of contacts) {
    const kinds = kindsOf(user);
    if (!kinds) continue;
    contacts.set(user, {
      first: onlyAbout(first, kinds),
      changes: changes.map(({ at, to }) => ({ at, to: onlyAbout(to, kinds) })),
    });
  }
  const shared = new Set(bottles.flatMap(({ plan }) => (plan.sharing ? [plan.key, plan.sharing.of] : [])));
  const byAlert = new Map<ExpectedAlert, AlertNotifications>();
  const contactOf = (user: string): ContactHistory => contacts.get(user) ?? { first: OPERATOR, changes: [] };
  const watchAll = (
    { plan: { key, user }, answers }: GeneratedBottle,
    truth: BottleTruth,
  ): AlertNotifications[] =>
    watch(user, [
      ...truth.alerts,
      ...remindersOf(key, truth, contactOf(user), facts),
      ...(answers?.calls ?? []).map((call) => callForHelp(key, call)),
    ]);
  const watch = (user: string, alerts: readonly ExpectedAlert[]): AlertNotifications[] =>
    alerts.map((alert) => {
      const contact = contactOf(user);
      const notifications = new AlertNotifications(alert, user, contact, facts, walls, byAlert, endpoints);
      byAlert.set(alert, notifications);
      return notifications;
    });
  const again = new Map(
    bottles.filter(({ assignedAt }) => assignedAt !== undefined).map((bottle) => [bottle.plan.key, bottle]),
  );
  for (const bottle of bottles) {
    const { plan, retirement, assignedAt } = bottle;
    // it is drawn after its first life
    if (assignedAt !== undefined && !again.has(plan.key)) continue;
    if (retirement && bottle.plan !== teacher?.plan) {
      const until = watchAll(bottle, retirement.truth);
      if (retire(until, retirement.at)) {
        bottle.truth = retirement.truth;
        if (again.has(againKey(plan.key))) bottle.traffic = endedAt(bottle.traffic, retirement.at);
        continue;
      }
      for (const { alert } of until) byAlert.delete(alert);
    }
    delete bottle.retirement;
    again.delete(againKey(plan.key));
    const own = watchAll(bottle, bottle.truth);
    delete bottle.handover;
    if (assignedAt !== undefined || bottle.plan === teacher?.plan || shared.has(plan.key)) continue;
    if (bottle.answers) continue;
    const handover = drawHandover(new Random(seed, 'handover', plan.key), bottle, own, facts, walls);
    if (!handover) continue;
    bottle.handover = handover;
    for (const { alert } of own)
      if (alert.kind === 'dose_reminder' && alert.raisedAt > handover.at) byAlert.delete(alert);
    watch(
      handover.user,
      bottle.truth.alerts.filter(({ raisedAt }) => raisedAt > handover.at),
    );
  }
  bottles = bottles.filter(({ plan, assignedAt }) => assignedAt === undefined || again.has(plan.key));
  const allNotifications = [...byAlert.values()];
  const answered = new Set(bottles.filter(({ answers }) => answers).map(({ plan }) => plan.key));
  const inUse = allNotifications.filter(
    ({ retiredAt, alert }) => retiredAt === Infinity && !answered.has(alert.bottle),
  );
  const staff = drawStaffWork(new Random(seed, 'staff'), inUse, during.to);
  const promises = drawPromises(new Random(seed, 'promises'), inUse, during.to);
  staff.push(...drawAcknowledgements(new Random(seed, 'patients'), inUse, during.to));
  const erasable = bottles.filter(
    ({ plan, retirement, handover, assignedAt }) =>
      plan !== teacher?.plan &&
      !retirement &&
      !handover &&
      assignedAt === undefined &&
      !shared.has(plan.key) &&
      !answered.has(plan.key),
  );
  drawErasures(new Random(seed, 'erasures'), erasable, allNotifications, during.to);
  const standing = allNotifications.filter(
    ({ retiredAt, erasedAt, alert: { bottle, kind } }) =>
      retiredAt === Infinity && erasedAt === Infinity && (kind === 'help_requested' || !answered.has(bottle)),
  );
  staff.push(...drawSettling(new Random(seed, 'rounds'), standing, during.to));
  const ofService = alertsOfService(facts).map(
    (alert) =>
      new AlertNotifications(
        alert,
        undefined,
        { first: OPERATOR, changes: [] },
        facts,
        walls,
        byAlert,
        endpoints,
      ),
  );
  allNotifications.push(...ofService);
  const isAnswering = (user: string): boolean =>
    promises.some((promise) => promise.user === user) ||
    bottles.some(({ plan, answers }) => plan.user === user && answers);
  const refusedAddresses = refuseAddresses(
    new Random(seed, 'refused addresses'),
    new Map([...contacts].filter(([user]) => !isAnswering(user))),
    allNotifications,
    facts,
  );
  for (const notifications of allNotifications) notifications.keep();
  const reserved = [
    ...refusedAddresses.map(({ at }) => ({ from: at - REFUSED_ROOM, to: at + REFUSED_ROOM })),
    ...bottles.flatMap(({ answers }) => answers?.spans ?? []),
    ...promises.map(({ span }) => span),
  ];
  const disturbances = disturb(
    new Random(seed, 'disturbances'),
    during,
    service,
    allNotifications,
    endpoints,
    reserved,
  );
  const refused = refusedSpans(disturbances);
  for (const notifications of allNotifications) {
    notifications.release();
    notifications.refused = refused;
  }
  return { ...known, bottles, contacts, staff, allNotifications, disturbances, refusedAddresses, promises };
}

/** @returns the bottle that has a plan, and one that is for it, if there is one */
function drawBottle(
  seed: number,
  index: number,
  neighbour: BottlePlan | undefined,
  facts: ServiceFacts,
  walls: WallClocks,
): [GeneratedBottle, ...GeneratedBottle[]] {
  const key = `b${String(index + 1).padStart(3, '0')}`;
  for (let attempt = 0; ; attempt += 1) {
    const random = new Random(seed, 'bottle', index, attempt);
    const plan = planBottle(random, key, `u-${key}`, facts, walls);
    // some people have two bottles
    if (random.chance(0.15) && neighbour && !neighbour.runsLow && !plan.runsLow) plan.user = neighbour.user;
    const doses = dueDoses(plan.prescriptions, plan.pauses, facts, walls);
    plan.statements = drawStatements(new Random(seed, 'statements', index, attempt), plan, doses, facts);
    const visits = drawVisits(random, plan, doses, facts);
    const ofPlan = new Random(seed, 'shared plan', index, attempt);
    const other = drawSharedPlan(ofPlan, plan, visits, doses, facts);
    const traffic = send(random, plan, other?.ofFirst ?? toLidEvents(random, plan, visits), facts);
    const beside = other && { plan: other.plan, traffic: send(ofPlan, other.plan, other.lidEvents, facts) };
    const [truth, ofOther] = watchPlan(
      receive(plan, traffic, facts),
      beside ? [{ facts: receive(beside.plan, beside.traffic, facts), within: beside.plan.sharing! }] : [],
      facts,
      walls,
    ) as [BottleTruth, BottleTruth?];
    const isClear = [truth, ofOther].every((each) => !each || each.unclear.length === 0);
    if (!isClear && attempt < ATTEMPTS) continue;
    const leaving = new Random(seed, 'retirement', index, attempt);
    const retirement = beside ? undefined : drawRetirement(leaving, plan, traffic, facts, walls);
    return [
      { plan, traffic, truth, erasedAt: Infinity, retirement },
      ...(beside ? [{ ...beside, truth: ofOther!, erasedAt: Infinity }] : []),
    ];
  }
}
