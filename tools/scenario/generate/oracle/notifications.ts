import { carerSince, contactAt, type ContactHistory, stepsFor } from './contact-plan.js';
import { whenNotified } from './coverage.js';
import { afterSnooze, dailyMessages, dueMessages, planOf, type StaffAction } from './due-messages.js';
import { type EndpointPlan, isWantedAt } from './endpoints.js';
import { type ExpectedNotification, STAND_ALONE } from './expected-notification.js';
import {
  type ExpectedAlert,
  type ExpectedEnd,
  type ExpectedFacts,
  type HiddenDose,
  MINUTE,
  type ServiceFacts,
} from './facts.js';
import { isWithin } from './periods.js';
import { type Address, distinct, isCarer, isSame, type RefusedSpan, Routes, type Sent } from './routes.js';
import type { WallClocks } from './wall-clock.js';

/** What says how much of a dose was taken: another part corrects it (DOSE-24). */
const CORRECTED: ExpectedNotification['event'][] = ['missed', 'partial', 'summary', 'resolved', 'corrected'];

/** What says the same each time. */
const SAYS_ALL: ExpectedNotification['event'][] = [
  'missed',
  'unknown',
  'resolved',
  'retracted',
  'not_taken_yet',
];

/** What is gathered: it waits for what belongs to it. */
const GATHERED: ExpectedNotification['event'][] = ['summary', 'unconfirmed'];

/** One message that is owed over a channel to a person, or was. */
interface Owed extends Sent {
  event: ExpectedNotification['event'];
  queuedAt: number;
  /** Whether it is sent. */
  isSent: boolean;
  /** Whether the alert was over before it was sent. */
  isOver?: boolean;
  /** Which of the ends it is about. */
  end?: number;
  /** Of a daily message: the doses that it names. */
  namedDoses?: readonly number[];
}

/** What the notifications of one alert depend on of others. */
export interface OtherNotifications {
  /** Those of an alert up to a moment (included), and maybe later ones. */
  about: (other: ExpectedAlert, until: number) => ExpectedNotification[];
  /** Whether people know of a silence at a moment: staff closed it, or its start was sent to somebody who is in the plan. */
  isKnown: (silence: ExpectedAlert, now: number) => boolean;
  /** The alerts by which people are notified of a dose. */
  alertsOf: (dose: HiddenDose) => ExpectedAlert[];
}

/**
 * The notifications of one alert.
 *
 * @param endpoint which stands for the webhook, as each is by itself (HOOK-1): that of the settings, or another one
 * @param until what is sent later may be left out: what a silence is sent for depends on what was sent of its doses before,
 *   and that on what the silence was sent for before
 */
export function notificationsOf(
  alert: ExpectedAlert,
  contact: ContactHistory,
  actions: readonly StaffAction[],
  service: Pick<ServiceFacts, 'notifying' | 'to'>,
  walls: WallClocks,
  others: OtherNotifications,
  refusals: readonly RefusedSpan[] = [],
  endpoint?: EndpointPlan,
  until = Infinity,
): ExpectedNotification[] {
  const { ends } = alert;
  const endedAt = ends[0]?.at ?? Infinity;
  const acknowledgedAt = actions.find(({ action }) => action === 'acknowledge')?.at ?? Infinity;
  const closing = actions.find(({ action }) => action === 'close');
  const closedAt = closing?.at ?? Infinity;
  // the policy is that of the time of raising, the addresses are those of the moment
  const steps = stepsFor(alert.kind, contactAt(contact, alert.raisedAt));
  const ofKind = steps.filter(({ kinds }) => !kinds || kinds.includes(planOf(alert.kind)));
  const routes = new Routes(
    alert,
    ofKind,
    contact,
    service,
    walls,
    refusals.filter((span) => span.channel !== 'webhook' || span.endpoint === endpoint?.name),
  );
  const log: Owed[] = [];
  const received = new Map<string, ExpectedNotification>();
  /** @param what that is one message to a person, also if it was to go to several addresses of theirs: the first. */
  const record = (
    { to, at, leeway, namedDoses }: Sent & Pick<Owed, 'namedDoses'>,
    event: ExpectedNotification['event'],
    what: string,
    more: ExpectedFacts = {},
  ): void => {
    const once = `${what} ${to?.who} ${to?.channel}`;
    if (at > service.to || !to || (received.get(once)?.at ?? Infinity) <= at) return;
    if (!isWanted(to, event)) return;
    const { bottle, kind } = alert;
    // an attempt may come later than the first
    const isCertain = !contact.changes.some((change) => at < change.at && change.at < at + 20 * MINUTE);
    const email = to.channel === 'email' && isCertain ? routes.recipientAt(to.who, at)?.email : undefined;
    const number = to.channel === 'sms' ? routes.recipientAt(to.who, at)?.sms : undefined;
    received.set(once, {
      bottle,
      kind,
      event,
      ...to,
      ...(endpoint && to.channel === 'webhook' && { endpoint: endpoint.name }),
      ...(email !== undefined && { email }),
      ...(number !== undefined && { sms: { number, isCertain } }),
      at,
      by: Math.max(at, at + alert.raisedBy - alert.raisedAt) + leeway,
      // what comes and goes names its last time
      facts: together(alert.flapping ? {} : alert.facts, more),
      ...(namedDoses && { namedDoses }),
    });
  };

  const queued = new Set<string>();
  const started: [Owed, string][] = [];
  const dues = dueMessages(alert, steps, Math.min(endedAt, service.to));
  const daily = dailyMessages(alert, steps, Math.min(endedAt, service.to), actions);
  const all = [...afterSnooze(dues, actions), ...daily].sort((one, other) => one.due - other.due);
  for (const { due, step, to, event, isDaily } of all) {
    const queuedAt = routes.whenHeld(due);
    // at one tick ends are recorded before anything is sent
    const isDue =
      due === alert.raisedAt || (queuedAt < endedAt && queuedAt < acknowledgedAt && queuedAt < closedAt);
    // a step that repeated while no notifier ran is sent once
    if (!isDue || queued.has(`${step} ${queuedAt}`)) continue;
    queued.add(`${step} ${queuedAt}`);
    for (const address of routes.addressesFor(to, queuedAt)) {
      // nobody is reminded of what is still to be sent to them, or was sent less than half a minute ago
      const alerting = log.filter(isAlerting);
      const lately = alerting.filter((one) => queuedAt < one.at + MINUTE / 2);
      if (sentTo(address, queuedAt, lately).length > 0) continue;
      const before = isDaily ? sentTo(address, queuedAt, alerting) : [];
      for (const sent of routes.sending(
        address,
        event,
        queuedAt,
        (at) => routes.whenHeld(at),
        Math.min(endedAt, closedAt),
      )) {
        const { at } = sent;
        // a daily message names what was hidden since the one before
        const lastAt = Math.max(...before.map((one) => one.at));
        const isNew = (one: HiddenDose): boolean =>
          lastAt < one.since && one.since <= at && !isWithin(one.known, at) && !isKnownOf(one, sent.to, at);
        // first: who asks for what was sent by a time may be asked in turn about an earlier one
        if (isDaily && at > until) continue;
        const namedDoses = isDaily && (alert.hidden ?? []).filter(isNew).map(({ dose }) => dose);
        if (namedDoses && namedDoses.length === 0) continue;
        const isOver =
          at >= endedAt || at >= closedAt || (event === 'escalated' && at > queuedAt && at >= acknowledgedAt);
        const isSent = !isOver && isWanted(sent.to, event);
        log.push({ ...sent, event, queuedAt, isSent, isOver, ...(namedDoses && { namedDoses }) });
        if (!isOver) started.push([log.at(-1)!, `${step} ${queuedAt}`]);
      }
    }
  }
  for (const [one, what] of started) {
    if (isKnownThere(one)) one.isSent = false;
    else record(one, one.event, what);
  }
  if (closing?.notify) {
    const queuedAt = whenNotified(closedAt, service.notifying);
    const closings = addressesOwed(queuedAt).flatMap((one) =>
      routes.sending(one, 'closed_by_staff', queuedAt),
    );
    for (const sent of closings) {
      // only those who received the start, and not once the condition has ended
      if (!wasNotified(sent) || sent.at >= endedAt) continue;
      const isSent = isWanted(sent.to, 'closed_by_staff');
      log.push({ ...sent, event: 'closed_by_staff', queuedAt, isSent });
      record(sent, 'closed_by_staff', 'closing');
    }
  }
  ends.forEach(({ at, event, silences = [], gap, isForAll: isNewToAll = false }, index) => {
    if (event === undefined) return;
    if (event === 'unknown' && alert.namedBy?.some((silence) => others.isKnown(silence, at))) return;
    const changedAt = ends[index + 1]?.at ?? Infinity;
    const isUnseen = alert.isUnseen === true && event === 'unknown';
    // that a dose is unknown, or not taken after all, is new to everyone if nobody was notified of it
    const isFirstOfDose = (now: number): boolean =>
      (event === 'unknown' || event === 'not_taken_yet') &&
      closedAt > at &&
      !log.some(
        (one) => isAlerting(one) && one.isSent && one.to && one.at <= now && !isToFormerCarer(one, now),
      );
    const isForAll =
      (isUnseen ||
        isFirstOfDose(at) ||
        isNewToAll ||
        ['partial', 'corrected', 'summary', 'unconfirmed'].includes(event)) &&
      closedAt > at;
    const due = GATHERED.includes(event) ? gatheredAt(at) : Math.max(at, gap?.settledAt ?? at);
    const queuedAt = whenNotified(due, service.notifying);
    const before = addressesOwed(at);
    // of a person in whose place another was notified, what is new
    const isNew = (event === 'missed' || event === 'not_taken_yet') && closedAt > at;
    const inTheirPlace = isNew
      ? named(at, true).filter(({ who }) => !before.some((other) => other.who === who))
      : [];
    const addresses = distinct([...before, ...(isForAll ? named(at) : []), ...inTheirPlace]);
    // a correction that moves to the endpoints is one at each, and nothing at one that takes none (HOOK-2)
    const corrected = addresses
      .flatMap((address) => (event === 'corrected' ? sendingAfter(address, event, queuedAt) : []))
      .filter(({ earlier }) => earlier.some((one) => CORRECTED.includes(one.event)))
      .flatMap(({ reached }) => reached.to ?? []);
    for (const address of addresses)
      for (const { reached, earlier } of sendingAfter(address, event, queuedAt)) {
        const sentAt = reached.at;
        if (sentAt > until) continue;
        if (sentAt >= changedAt && !saysTheSame(ends, index, sentAt)) continue;
        // statements in between: the recipient was sent the same before
        const last: number | undefined = earlier.findLast(
          ({ to, end }) => end !== undefined && to?.who === reached.to?.who,
        )?.end;
        if (isOfStatement(event) && last !== undefined && saysTheSame(ends, last, sentAt)) continue;
        // what was not sent in between changes nothing
        if (SAYS_ALL.includes(event) && last !== undefined && ends[last]!.event === event) continue;
        // to whom no statement was sent, none is withdrawn (ATTEST-13)
        const isKnown = earlier.some(
          (one) => one.end !== undefined && isOfStatement(one.event) && !isReachedElsewhere(one, reached),
        );
        if (event === 'statement_withdrawn' && !isKnown) continue;
        // to whom no outcome was sent, but that a statement is withdrawn, the part is new
        const isCorrection =
          earlier.some((one) => CORRECTED.includes(one.event)) ||
          corrected.some((to) => reached.to && isSame(to)(reached.to));
        const sent = event === 'corrected' && !isCorrection ? 'partial' : event;
        // missed and partial are sent by themselves; any other end only to those who received the start
        const standsAlone =
          isUnseen ||
          isFirstOfDose(sentAt) ||
          isNewToAll ||
          STAND_ALONE.includes(sent) ||
          (sent === 'resolved' && alert.kind === 'coverage_gap');
        if (!standsAlone && (!wasNotified(reached) || wasSentToOthers(reached))) continue;
        // after a closing, only bad news and corrections follow
        if (event === 'resolved' && [...earlier, ...sentElsewhere(reached)].some(isClosing)) continue;
        const own = [...reached.trail, ...(reached.to ? [reached.to] : [])];
        if (silences.some((silence) => own.some((one) => isNamedBy(silence, one, sentAt)))) continue;
        if (gap?.alert && own.some((one) => isUnconfirmed(gap.alert!, one))) continue;
        send(sent, reached, index, silences.length > 0 || gap ? 2 * MINUTE : 0, queuedAt);
      }
    // a statement in between has stopped the steps, as staff do who close the alert
    if (event === 'missed' && index === 0 && closedAt > at) sendLaterSteps(at, changedAt);
  });
  return [...received.values()];

  /** What was sent to whom an end moves, also what only the other endpoints want. */
  function sentElsewhere({ at, to, trail }: Sent): Owed[] {
    if (!to || isSame(to)(trail[0]!)) return [];
    return log.filter(
      (one) => one.to?.who === to.who && one.at <= at && (one.isSent || one.to.channel === 'webhook'),
    );
  }

  /** Whether what was sent to a person, when the address was not theirs, went to another one that still is. */
  function isReachedElsewhere({ to: before }: Owed, { to, at }: Sent): boolean {
    if (!before || !to || before.who !== to.who || isSame(before)(to)) return false;
    return isSame(before)(routes.reachedInstead(before, at));
  }

  /** Whether an endpoint was sent nothing, and other endpoints were: an end that moves goes to these only (HOOK-2). */
  function wasSentToOthers({ at, to }: Sent): boolean {
    if (!endpoint || to?.channel !== 'webhook') return false;
    const there = log.filter((one) => one.to && isSame(to)(one.to) && one.at <= at && !one.isOver);
    return there.length > 0 && !there.some(({ isSent }) => isSent);
  }

  /** Where an end that is owed over a route goes, and what was sent there before: it is the same end at each. */
  function sendingAfter(
    address: Address,
    event: ExpectedNotification['event'],
    queuedAt: number,
  ): { reached: Sent; earlier: Owed[] }[] {
    return routes.sending(address, event, queuedAt).map((reached) => ({
      reached,
      earlier: sentTo(address, reached.at, log, reached.trail).filter(({ isSent }) => isSent),
    }));
  }

  function send(
    event: ExpectedNotification['event'],
    sent: Sent,
    end: number,
    leeway: number,
    queuedAt: number,
  ): void {
    log.push({ ...sent, event, queuedAt, isSent: isWanted(sent.to, event), end });
    record({ ...sent, leeway: sent.leeway + leeway }, event, `end ${end}`, ends[end]!.facts);
  }

  /** Whether it is sent, as far as the endpoint wants it. */
  function isWanted(to: Address | undefined, event: ExpectedNotification['event']): boolean {
    return !endpoint || to?.channel !== 'webhook' || isWantedAt(endpoint, alert.kind, event);
  }

  /**
   * What the plan has left for after a dose was missed: each recipient is sent it once, by their first step. Steps that an
   * acknowledgement of the late dose had stopped are sent at once.
   */
  function sendLaterSteps(missedAt: number, until: number): void {
    const later = dueMessages(alert, steps, service.to).filter(({ again }) => !again);
    for (const { due, to } of later) {
      const from = routes.whenHeld(due);
      const queuedAt = Math.max(from, missedAt);
      if (from < Math.min(missedAt, acknowledgedAt) || queuedAt >= until) continue;
      for (const address of routes.addressesFor(to, queuedAt)) {
        const isSentIt = sentTo(address, queuedAt).some(
          (one) => one.isSent && one.end !== undefined && one.event !== 'unknown',
        );
        for (const sent of routes.sending(address, 'missed', queuedAt))
          if (!isSentIt && sent.at < until) send('missed', sent, 0, 0, queuedAt);
      }
    }
  }

  /**
   * Whether the route was sent, since the dose was late, that the bottle is silent: that names the dose, but for a daily
   * message that leaves it out.
   */
  function isNamedBy(silence: ExpectedAlert, { who: recipient, channel }: Address, now: number): boolean {
    return others
      .about(silence, now)
      .some(
        ({ event, who, channel: over, at, namedDoses }) =>
          (event === 'raised' || event === 'escalated') &&
          (namedDoses?.includes(alert.facts!.dose!) ?? true) &&
          who === recipient &&
          over === channel &&
          at <= now &&
          at >= alert.raisedAt,
      );
  }

  /** Whether the route was sent before that a dose cannot be confirmed: a silence does not name it there again (DOSE-26). */
  function isKnownOf(hidden: HiddenDose, address: Address | undefined, now: number): boolean {
    return others
      .alertsOf(hidden)
      .filter(({ ends }) => ends.some(({ at, event }) => isOfUnconfirmed(event) && at < now))
      .flatMap((other) => others.about(other, now - 1))
      .some(
        ({ event, who, channel, at }) =>
          isOfUnconfirmed(event) && who === address?.who && channel === address.channel && at < now,
      );
  }

  /** Whether the route is sent, since the dose was late, that a gap of ours leaves it unconfirmed. */
  function isUnconfirmed(ofGap: ExpectedAlert, { who: recipient, channel }: Address): boolean {
    return others
      .about(ofGap, Infinity)
      .some(
        ({ event, who, channel: over, at }) =>
          event === 'unconfirmed' && who === recipient && over === channel && at >= alert.raisedAt,
      );
  }

  /** Where the steps of the plan go at a moment, or those of them that were due by then. */
  function named(now: number, isDueOnly = false): Address[] {
    return distinct(
      ofKind
        .filter(({ after }) => !isDueOnly || alert.raisedAt + after <= now)
        .flatMap(({ to }) => routes.addressesFor(to, now)),
    );
  }

  /** Where everything that was queued by a moment was to go, or went. */
  function addressesOwed(now: number): Address[] {
    const owed = log.filter(({ queuedAt }) => queuedAt <= now);
    return distinct(
      owed.map((one) => {
        const { who, channel } = whereAt(one, now);
        const { owedTo } = one.trail[0]!;
        // to whom it did not go, over any endpoint, it is owed as before
        const isSent = one.isSent || (!one.isOver && !isWanted(one.to, one.event));
        const isOwed = owedTo !== undefined && !(isSent && one.at <= now);
        return { who, channel, ...(isOwed && { owedTo }) };
      }),
    );
  }

  function whereAt({ trail, to, at }: Owed, now: number): Address {
    return (at <= now ? to : undefined) ?? trail[0]!;
  }

  /** What of it was owed to the same person over the same channel, or over one that does not reach them any more. */
  function sentTo(
    address: Address,
    now: number,
    owed: readonly Owed[] = log,
    trail: readonly Address[] = [],
  ): Owed[] {
    const own = [address, ...trail];
    const isOwn = (where: Address): boolean => own.some(isSame(where));
    return owed.filter((one) => {
      const current = whereAt(one, now);
      const isTheirs =
        isOwn(current) ||
        (one.at <= now && one.trail.some((where) => isOwn(where) && !isOfFormerCarer(where, one, now))) ||
        (own.some(({ who }) => who === current.who) && isOwn(routes.reachedInstead(current, now)));
      return isTheirs && !isToFormerCarer(one, now);
    });
  }

  /**
   * What moves tells its recipient nothing new: a start to whoever was notified of the alert or is about to be, a reminder
   * to whom another one goes just then (ESC-10).
   */
  function isKnownThere(moved: Owed): boolean {
    const { to, at, event, trail } = moved;
    if (!to || isSame(to)(trail[0]!)) return false;
    return log.some((other, index) => {
      if (other === moved || !other.isSent || !isAlerting(other) || !other.to || !isSame(other.to)(to))
        return false;
      // of two that move there, the second tells nothing new
      const isAlsoMoved = other.at === at && !isSame(other.trail[0]!)(other.to);
      if (isAlsoMoved && index > log.indexOf(moved)) return false;
      if (other.queuedAt > at) return false;
      return event === 'raised' || at < other.at + MINUTE / 2;
    });
  }

  /** Another carer does not know what the former one was sent. */
  function isToFormerCarer(one: Owed, now: number): boolean {
    return isOfFormerCarer(whereAt(one, now), one, now);
  }

  function isOfFormerCarer({ who }: Address, one: Owed, now: number): boolean {
    return isCarer(who) && one.isSent && one.at <= now && one.at < carerSince(contact, now, who);
  }

  function isAlerting({ event }: Owed): boolean {
    return event === 'raised' || event === 'escalated';
  }

  function wasNotified({ at, trail }: Sent): boolean {
    return sentTo(trail[0]!, at, log, trail).some((one) => one.isSent && one.to && one.at <= at);
  }
}

/** What is stated of an alert and of its end. */
function together(one: ExpectedFacts = {}, other: ExpectedFacts = {}): ExpectedFacts {
  return {
    ...one,
    ...other,
    numbers: { ...one.numbers, ...other.numbers },
    times: { ...one.times, ...other.times },
    texts: { ...one.texts, ...other.texts },
  };
}

type SentEvent = ExpectedNotification['event'] | undefined;

function isOfUnconfirmed(event: SentEvent): boolean {
  return event === 'unknown' || event === 'unconfirmed';
}

function isClosing({ event }: Owed): boolean {
  return event === 'closed_by_staff';
}

/** Whether it is about what people state of a dose. */
function isOfStatement(event: SentEvent): boolean {
  return event === 'reported_taken' || event === 'reported_skipped' || event === 'statement_withdrawn';
}

/** Whether one of the ends says how it stands at a time, although others followed: a statement may come and go. */
function saysTheSame(ends: readonly ExpectedEnd[], index: number, time: number): boolean {
  const stands = ends.findLastIndex(({ at }) => at <= time);
  if (stands <= index || ends[stands]!.event !== 'statement_withdrawn')
    return ends[stands]?.event === ends[index]!.event && isOfStatement(ends[index]!.event);
  const measured = ends.slice(0, stands).findLastIndex(({ event }) => !isOfStatement(event));
  return index === measured || ends[index]!.event === 'statement_withdrawn';
}

/** When what is gathered into one message is sent: at the full minute that leaves half a minute. */
function gatheredAt(at: number): number {
  return Math.ceil((at + MINUTE / 2) / MINUTE) * MINUTE;
}
