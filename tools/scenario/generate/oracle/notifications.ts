import type { ExpectedAlert, ExpectedEnd, ExpectedFacts, ServiceFacts, Span } from './facts.js';
import { DAY, MINUTE, SECOND } from './facts.js';
import { contactAt, type ContactHistory, type Recipient, type EscalationStep } from './contact-plan.js';
import type { WallClocks } from './wall-clock.js';

/** A staff action on an alert. */
export interface StaffAction {
  action: 'acknowledge' | 'close' | 'snooze';
  at: number;
  /** Of `snooze`. */
  until?: number;
  /** Of `close`: whether whoever was notified of the alert is notified of the closing. */
  notify?: boolean;
}

/** A notification that must be received, between `at` and `by`. */
export interface ExpectedNotification {
  bottle: string;
  kind: string;
  event: 'raised' | 'escalated' | 'closed_by_staff' | NonNullable<ExpectedEnd['event']>;
  who: Recipient['who'];
  channel: 'webhook' | 'email';
  at: number;
  by: number;
  facts: ExpectedFacts;
}

/** What is sent also to those who received no start. */
const STAND_ALONE: ExpectedNotification['event'][] = ['missed', 'partial', 'summary', 'unconfirmed'];

/** What is gathered: it waits for what belongs to it. */
const GATHERED: ExpectedNotification['event'][] = ['summary', 'unconfirmed'];

/** One channel to one recipient. */
type Address = Pick<ExpectedNotification, 'who' | 'channel'>;

/** When something is sent, and where; nowhere if nobody is owed it any more. */
interface Sent {
  at: number;
  to: Address | undefined;
}

/** One channel to one recipient, and what was sent over it. */
interface Route extends Address {
  /** Whether a start of the alert was due on it. */
  isNotified: boolean;
  /** When the last start or reminder that was due on it is sent. */
  lastAt?: number;
  /** When the first of them was received. */
  receivedAt?: number;
  /** When the message was received that staff closed the alert. */
  closingAt?: number;
  /** Whether it was sent what became of the dose, or that all is well. */
  isSentOutcome?: true;
  /** Which of the ends it was sent last. */
  sentEnd?: number;
}

/** The notifications of one alert. */
export function notificationsOf(
  alert: ExpectedAlert,
  contact: ContactHistory,
  actions: readonly StaffAction[],
  service: Pick<ServiceFacts, 'notifying' | 'to'>,
  walls: WallClocks,
  notificationsAbout: (other: ExpectedAlert) => ExpectedNotification[],
): ExpectedNotification[] {
  const { ends } = alert;
  const endedAt = ends[0]?.at ?? Infinity;
  const acknowledgedAt = actions.find(({ action }) => action === 'acknowledge')?.at ?? Infinity;
  const closing = actions.find(({ action }) => action === 'close');
  const closedAt = closing?.at ?? Infinity;
  // the policy is that of the time of raising, the addresses are those of the moment
  const { steps } = contactAt(contact, alert.raisedAt);
  const routes: Route[] = [];
  for (const { user, carer } of [contact.first, contact.change?.to ?? contact.first])
    for (const { who, channels } of carer ? [user, carer] : [user])
      for (const channel of channels)
        if (!routes.some((route) => route.who === who && route.channel === channel))
          routes.push({ who, channel, isNotified: false });
  const received: ExpectedNotification[] = [];
  const recorded = new Set<string>();
  /** @param what that is one message to a person, also if it was to go to several addresses of theirs. */
  const record = (
    { to, at }: Sent,
    event: ExpectedNotification['event'],
    what: string,
    leeway = 0,
    more: ExpectedFacts = {},
  ): void => {
    if (at > service.to || !to || recorded.has(`${what} ${to.who} ${to.channel}`)) return;
    recorded.add(`${what} ${to.who} ${to.channel}`);
    const { bottle, kind } = alert;
    received.push({
      bottle,
      kind,
      event,
      ...to,
      at,
      by: Math.max(at, at + alert.raisedBy - alert.raisedAt) + leeway,
      // what comes and goes names its last time
      facts: together(alert.flapping ? {} : alert.facts, more),
    });
  };

  const queued = new Set<string>();
  const dues = dueMessages(alert, steps, Math.min(endedAt, service.to));
  const daily = dailyMessages(alert, steps, Math.min(endedAt, service.to), actions);
  const all = [...afterSnooze(dues, actions), ...daily].sort((one, other) => one.due - other.due);
  for (const { due, step, to, event, isDaily } of all) {
    const queuedAt = whenHeld(due);
    // at one tick ends are recorded before anything is sent
    const isDue =
      due === alert.raisedAt || (queuedAt < endedAt && queuedAt < acknowledgedAt && queuedAt < closedAt);
    // a step that repeated while no notifier ran is sent once
    if (!isDue || queued.has(`${step} ${queuedAt}`)) continue;
    queued.add(`${step} ${queuedAt}`);
    for (const route of routes.filter((each) => isFor(each, to, queuedAt))) {
      route.isNotified = true;
      const sent = sending(route, event, queuedAt, whenHeld);
      const { at } = sent;
      // nobody is reminded of what is still to be sent to them, or was sent less than half a minute ago
      if (
        ofPerson(route, queuedAt).some(({ lastAt }) => lastAt !== undefined && queuedAt < lastAt + MINUTE / 2)
      )
        continue;
      // a daily message names what was hidden since the one before
      const { lastAt = -Infinity } = route;
      if (isDaily && !alert.hidesSince?.some((since) => lastAt < since && since <= at)) continue;
      route.lastAt = at;
      if (at >= endedAt || at >= closedAt || (event === 'escalated' && at > queuedAt && at >= acknowledgedAt))
        continue;
      route.receivedAt ??= at;
      record(sent, event, `${step} ${queuedAt}`);
    }
  }
  if (closing?.notify) {
    for (const route of routes) {
      const sent = sending(route, 'closed_by_staff', whenNotified(closedAt, service.notifying));
      // only those who received the start, and not once the condition has ended
      if (!wasNotified(route, sent.at) || sent.at >= endedAt) continue;
      route.closingAt = sent.at;
      record(sent, 'closed_by_staff', 'closing');
    }
  }
  ends.forEach(({ at, event, silence, gap }, index) => {
    if (event === undefined) return;
    const changedAt = ends[index + 1]?.at ?? Infinity;
    const isUnseen = alert.isUnseen === true && event === 'unknown';
    const isForAll =
      (isUnseen || ['partial', 'corrected', 'summary', 'unconfirmed'].includes(event)) && closedAt > at;
    for (const route of routes.filter((each) => each.isNotified || (isForAll && isNamed(each, at)))) {
      const due = GATHERED.includes(event) ? gatheredAt(at) : Math.max(at, gap?.settledAt ?? at);
      const queuedAt = whenNotified(due, service.notifying);
      const reached = sending(route, event, queuedAt);
      const sentAt = reached.at;
      if (sentAt >= changedAt && !saysTheSame(ends, index, sentAt)) continue;
      // statements in between: the recipient was sent the same before
      if (isOfStatement(event) && route.sentEnd !== undefined && saysTheSame(ends, route.sentEnd, sentAt))
        continue;
      // what was never known to be worse needs no correction
      const sent = event === 'corrected' && !route.isSentOutcome ? 'partial' : event;
      // missed and partial are sent by themselves; any other end only to those who received the start
      const standsAlone =
        isUnseen || STAND_ALONE.includes(sent) || (sent === 'resolved' && alert.kind === 'coverage_gap');
      if (!standsAlone && !wasNotified(route, sentAt)) continue;
      // after a closing, only bad news and corrections follow
      if (event === 'resolved' && ofPerson(route, sentAt).some(({ closingAt }) => closingAt !== undefined))
        continue;
      const addresses = [route, ...(reached.to ? [reached.to] : [])];
      if (silence && addresses.some((address) => isNamedBy(silence, address, sentAt))) continue;
      if (gap?.alert && addresses.some((address) => isUnconfirmed(gap.alert!, address))) continue;
      send(route, sent, reached, index, silence || gap ? 2 * MINUTE : 0);
      route.sentEnd = index;
    }
    // a statement in between has stopped the steps, as staff do who close the alert
    if (event === 'missed' && index === 0 && closedAt > at) sendLaterSteps(at, changedAt);
  });
  return received;

  function send(
    route: Route,
    event: ExpectedNotification['event'],
    sent: Sent,
    end: number,
    leeway = 0,
  ): void {
    route.isNotified = true;
    route.receivedAt ??= sent.at;
    if (event !== 'unknown') route.isSentOutcome = true;
    record(sent, event, `end ${end}`, leeway, ends[end]!.facts);
  }

  /**
   * What the plan has left for after a dose was missed: each recipient is sent it once, by their first step. Steps that an
   * acknowledgement of the late dose had stopped are sent at once.
   */
  function sendLaterSteps(missedAt: number, until: number): void {
    const later = dueMessages(alert, steps, service.to).filter(({ again }) => !again);
    for (const { due, to } of later) {
      const from = whenNotified(due, service.notifying);
      const queuedAt = Math.max(from, missedAt);
      if (from < Math.min(missedAt, acknowledgedAt) || queuedAt >= until) continue;
      for (const route of routes.filter((each) => isFor(each, to, queuedAt) && !each.isSentOutcome)) {
        const sent = sending(route, 'missed', queuedAt);
        if (sent.at < until) send(route, 'missed', sent, 0);
      }
    }
  }

  /** Whether the route was sent that the bottle is silent, since the dose was late: that names the dose. */
  function isNamedBy(silence: ExpectedAlert, { who: recipient, channel }: Address, until: number): boolean {
    return notificationsAbout(silence).some(
      ({ event, who, channel: over, at }) =>
        (event === 'raised' || event === 'escalated') &&
        who === recipient &&
        over === channel &&
        at <= until &&
        at >= alert.raisedAt,
    );
  }

  /** Whether the route is sent, since the dose was late, that a gap of ours leaves it unconfirmed. */
  function isUnconfirmed(ofGap: ExpectedAlert, { who: recipient, channel }: Address): boolean {
    return notificationsAbout(ofGap).some(
      ({ event, who, channel: over, at }) =>
        event === 'unconfirmed' && who === recipient && over === channel && at >= alert.raisedAt,
    );
  }

  /** Whether some step of the plan goes there. */
  function isNamed(route: Route, now: number): boolean {
    return steps
      .filter(({ kinds }) => !kinds || kinds.includes(planOf(alert.kind)))
      .some(({ to }) => isFor(route, to, now));
  }

  /** Without a carer, the carer's steps go to the user. */
  function isFor({ who, channel }: Route, to: 'user' | 'carer', now: number): boolean {
    const { user, carer } = contactAt(contact, now);
    const recipient = to === 'carer' ? (carer ?? user) : user;
    return who === recipient.who && recipient.channels.includes(channel);
  }

  /** Where what is owed over a route goes: when quiet hours are over, to whom is reached then. */
  function sending(
    route: Route,
    event: ExpectedNotification['event'],
    from: number,
    whenTrue: (at: number) => number = (at) => at,
  ): Sent {
    let { who, channel }: Address = route;
    let at = from;
    for (;;) {
      at = whenTrue(afterQuietHours(at, who));
      const to = reachedAt({ who, channel }, event, at);
      if (!to || to.who === who) return { to, at };
      ({ who, channel } = to);
    }
  }

  /** The address itself, another one of the same person, or of whoever comes next; of a carer who is gone only news. */
  function reachedAt(
    { who, channel }: Address,
    event: ExpectedNotification['event'],
    at: number,
  ): Address | undefined {
    const person = recipientAt(who, at);
    if (who === 'operator' || person?.channels.includes(channel)) return { who, channel };
    if (person) return { who, channel: firstOf(person) };
    const isNewFact =
      event === 'raised' ||
      event === 'escalated' ||
      STAND_ALONE.includes(event) ||
      (event === 'unknown' && alert.isUnseen === true);
    if (who === 'carer' && !isNewFact) return undefined;
    const { user } = contactAt(contact, at);
    return { who: user.who, channel: firstOf(user) };
  }

  /** The route, and those of the same person over which nobody is reached any more. */
  function ofPerson(route: Route, at: number): Route[] {
    return routes.filter(
      (other) =>
        other === route ||
        (other.who === route.who && recipientAt(other.who, at)?.channels.includes(other.channel) !== true),
    );
  }

  function wasNotified(route: Route, at: number): boolean {
    return ofPerson(route, at).some(({ receivedAt = Infinity }) => receivedAt <= at);
  }

  function recipientAt(who: Recipient['who'], now: number): Recipient | undefined {
    const { user, carer } = contactAt(contact, now);
    return [user, carer].find((recipient) => recipient?.who === who);
  }

  /** When a notifier runs and the condition is not clear. */
  function whenHeld(from: number): number {
    const at = whenNotified(from, service.notifying);
    const clear = alert.clear.find((span) => span.from <= at && at < span.to);
    return clear ? whenHeld(clear.to) : at;
  }

  /** Quiet hours defer a message to their end, or to the next time a notifier runs. */
  function afterQuietHours(from: number, who: Recipient['who']): number {
    if (alert.passesQuietHours) return from;
    let at = from;
    for (;;) {
      // it is looked at again when the quiet hours of the moment are over
      const recipient = recipientAt(who, at);
      if (at > service.to || !isQuietAt(at, recipient)) return at;
      while (at <= service.to && isQuietAt(at, recipient))
        at = whenNotified((Math.floor(at / MINUTE) + 1) * MINUTE, service.notifying);
    }
  }

  function isQuietAt(at: number, recipient: Recipient | undefined): boolean {
    return recipient?.quiet !== undefined && isQuiet(recipient.quiet, walls.in(recipient.zone).timeAt(at));
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

const firstOf = ({ channels }: Recipient): Route['channel'] =>
  channels.includes('webhook') ? 'webhook' : channels[0]!;

type SentEvent = ExpectedEnd['event'];

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

/** The kind whose plan is followed: doses in a gap of ours go to whom a missed one goes. */
function planOf(kind: string): string {
  return kind === 'coverage_gap' ? 'missed_dose' : kind;
}

/** When what is gathered into one message is sent: at the full minute that leaves half a minute. */
function gatheredAt(at: number): number {
  return Math.ceil((at + MINUTE / 2) / MINUTE) * MINUTE;
}

interface Due {
  due: number;
  /** Which step, in the order of the plan. */
  step: number;
  to: 'user' | 'carer';
  event: 'raised' | 'escalated';
  /** Whether the step is a repeat. */
  again: boolean;
  /** It is of no step: a silence lasts, and hides more doses. */
  isDaily?: true;
}

/** The messages of every full day in which a silence came to hide doses, to everyone whom a step has reached; not in a snooze. */
function dailyMessages(
  { kind, raisedAt, hidesSince = [] }: ExpectedAlert,
  steps: readonly EscalationStep[],
  until: number,
  actions: readonly StaffAction[],
): Due[] {
  const dues: Due[] = [];
  for (let due = raisedAt + DAY; due <= until; due += DAY) {
    const isSnoozed = actions.some(
      ({ action, at, until: end = at }) => action === 'snooze' && at <= due && due <= end,
    );
    if (isSnoozed || !hidesSince.some((since) => due - DAY < since && since <= due)) continue;
    const reached = steps
      .filter(({ kinds, after }) => (!kinds || kinds.includes(planOf(kind))) && raisedAt + after <= due)
      .map(({ to }) => to);
    [...new Set(reached)].forEach((to, index) =>
      dues.push({ due, step: -1 - index, to, event: 'escalated', again: true, isDaily: true }),
    );
  }
  return dues;
}

/** Every start and escalation that is due until `until`, in order. */
function dueMessages(
  { kind, raisedAt }: ExpectedAlert,
  steps: readonly EscalationStep[],
  until: number,
): Due[] {
  const meant = steps.filter(({ kinds }) => !kinds || kinds.includes(planOf(kind)));
  const first = Math.min(...meant.map(({ after }) => raisedAt + after));
  const dues: Due[] = [];
  meant.forEach(({ after, repeat = Infinity, to }, step) => {
    for (let due = raisedAt + after; due <= until; due += repeat) {
      const again = due > raisedAt + after;
      const isFirst = due === first && !again;
      dues.push({ due, step, to, event: isFirst ? 'raised' : 'escalated', again });
    }
  });
  return dues.sort((one, other) => one.due - other.due);
}

/** In a snooze nothing is due. At its end is what was due meanwhile, and without that the last step once more. */
function afterSnooze(dues: Due[], actions: readonly StaffAction[]): Due[] {
  const snooze = actions.find(({ action }) => action === 'snooze');
  if (!snooze) return dues;
  const { at, until = at } = snooze;
  const before = dues.filter(({ due }) => due < at);
  const within = dues.filter(({ due }) => due >= at && due < until);
  const atEnd = within.length > 0 ? within : before.slice(-1);
  return [
    ...before,
    ...atEnd.map((each): Due => ({ ...each, due: until, event: 'escalated', again: true })),
    ...dues.filter(({ due }) => due >= until),
  ];
}

/** When a notifier next sends: at once, or at the second after one is started. */
export function whenNotified(at: number, notifying: readonly Span[]): number {
  if (notifying.some(({ from, to }) => from <= at && at < to)) return at;
  const next = notifying.find(({ from }) => from > at);
  return next ? Math.ceil(next.from / SECOND) * SECOND : Infinity;
}

export function isQuiet({ from, to }: { from: string; to: string }, time: string): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}
