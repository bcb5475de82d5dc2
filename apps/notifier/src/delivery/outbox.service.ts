import {
  ALERTING_EVENTS,
  derivedMessageId,
  type DueStep,
  type EndEvent,
  type EscalationStep,
  type EscalationTarget,
  dueSteps,
  isNewFact,
  nextStepAt,
  type NotificationEvent,
  notificationEventFacts,
  reachesEveryone,
  SHORTEST_REPEAT_MS,
  statementIn,
  stepsFor,
  withoutRepeats,
} from '#domain';
import {
  type Address,
  type Alert,
  OwedNotificationsRepository,
  type Contact,
  DeliveriesRepository,
  type Delivery,
  mayHaveArrived,
} from '#persistence';
import { Injectable, Logger } from '@nestjs/common';
import { gatheredAt } from './gathering.js';
import { isBeingSent, ofSameAddress } from './order.js';
import { isSameAddress, Recipients, wasToFormerCarer } from './recipients.js';

const PAGE = 500;
/** How long what an alert owes is left to the notifier that raises it. Milliseconds. */
const RAISING_MS = 5_000;
/** No reminder so soon after the last notification: shorter than any interval, by more than sending takes. Milliseconds. */
const TOO_SOON_MS = SHORTEST_REPEAT_MS / 2;

/** Queues notifications: each is a document in the outbox before the first attempt to send it. */
@Injectable()
export class OutboxService {
  private readonly logger = new Logger('Outbox');

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly owed: OwedNotificationsRepository,
    private readonly recipients: Recipients,
  ) {}

  /**
   * Plans the escalation of an alert that is about to be raised, with the time of its first step. A step that is due
   * at once is queued by the notifier that raises the alert; others queue it if that one is killed.
   */
  planEscalation(
    contact: Contact | undefined,
    kind: string,
    now: Date,
  ): Pick<Alert, 'escalation' | 'next_step_at'> {
    const escalation = stepsFor(this.recipients.escalationOf(contact), kind);
    const next = nextStepAt(escalation, now, new Date(now.getTime() - 1));
    if (!next) return { escalation };
    return { escalation, next_step_at: next > now ? next : new Date(now.getTime() + RAISING_MS) };
  }

  /** Queues every due step and arms the next ones. Any number of notifiers may do this at once. */
  async escalate(now: Date, stopping: () => boolean = () => false): Promise<number> {
    let total = 0;
    for (;;) {
      const due = await this.owed.findDueSteps(now, PAGE);
      await this.queueSteps(due, await this.recipients.contactsOf(due.map(({ user_id }) => user_id)), now);
      total += due.length;
      if (due.length < PAGE || stopping()) return total;
    }
  }

  /**
   * Queues the steps of these alerts that are due, if any.
   *
   * @param isEnding of an alert that the caller ends at once: what begins it is not sent before, so that it is cancelled.
   */
  async queueSteps(
    alerts: Alert[],
    contacts: Map<string, Contact>,
    now: Date,
    isEnding: (alert: Alert) => boolean = () => false,
  ): Promise<void> {
    const owing = alerts.filter(({ next_step_at }) => next_step_at !== undefined);
    const planned = await this.eachReadable(owing, now, (alert) => {
      const steps = stepsDue(alert, now);
      return {
        alert,
        isDue: steps.length > 0 || alert.next_step_at! <= now,
        wanted: steps.flatMap((step) => this.ofStep(alert, step, contacts.get(alert.user_id), now)),
        next: nextStepAt(policyOf(alert), alert.raised_at, now),
      };
    });
    const due = planned.filter(({ isDue }) => isDue);
    const reminding = due.filter(({ wanted }) => wanted.some(({ event }) => event !== 'raised'));
    const earlier =
      reminding.length === 0
        ? []
        : await this.deliveries.findByAlerts(reminding.map(({ alert: { _id } }) => _id));
    const queued = due.map(({ wanted, ...step }) => {
      const { _id, escalation, user_id } = step.alert;
      const reached = earlier
        .filter(({ alert_id }) => alert_id.equals(_id))
        .map((one) => this.recipients.asReached(one, contacts.get(user_id), escalation));
      return { ...step, notifications: withoutDuplicates(wanted, reached, now) };
    });
    const ended = new Date(now.getTime() + RAISING_MS);
    await this.deliveries.enqueue(
      queued.flatMap(({ alert, notifications }) =>
        isEnding(alert) ? notifications.map((one) => ({ ...one, next_attempt_at: ended })) : notifications,
      ),
    );
    await this.owed.armNextSteps(
      queued.map(({ alert, next, notifications }) => ({
        alert,
        next,
        escalated: notifications.some(({ event }) => event === 'escalated'),
      })),
      now,
    );
  }

  private ofStep(alert: Alert, step: DueStep, contact: Contact | undefined, now: Date): Delivery[] {
    return this.recipients
      .addresses(contact, step.to, alert.escalation)
      .map((address) =>
        alert.open
          ? notification(alert, eventOf(alert, step), stepName(alert, step), address, now)
          : notification(alert, 'missed', 'missed', address, now),
      );
  }

  /**
   * Whom the end of an alert reaches beside those who were notified of it: everyone whom its policy names, or, with a new
   * fact, those in whose place another was notified.
   */
  private reached(
    alert: Alert,
    notified: readonly Delivery[],
    contact: Contact | undefined,
    now: Date,
  ): Address[] {
    if (reachesPolicy(alert)) return this.named(alert.escalation, alert, contact);
    if (!isStatedAnew(alert)) return [];
    const due = dueSteps(alert.escalation, alert.raised_at, undefined, now);
    const isNotified = ({ recipient }: Address): boolean =>
      notified.some((one) => one.recipient === recipient);
    return this.named(due, alert, contact).filter((address) => !isNotified(address));
  }

  /** What was queued for the person whom an address reaches now, over whatever address. */
  private ofPerson(
    address: Address,
    notified: readonly Delivery[],
    { escalation }: Alert,
    contact: Contact | undefined,
  ): Delivery[] {
    const reachedNow = (one: Address): Address =>
      this.recipients.replacementOf(one, contact, escalation) ?? one;
    return notified
      .filter((one) => !wasToFormerCarer(one, contact?.carer))
      .filter((one) => isSameAddress(reachedNow(address))(reachedNow(one)));
  }

  /** Where something for the persons of these steps goes at this moment. */
  private named(
    steps: readonly { to: EscalationTarget }[],
    { escalation }: Alert,
    contact: Contact | undefined,
  ): Address[] {
    const targets = new Set(steps.map(({ to }) => to));
    return [...targets].flatMap((to) => this.recipients.addresses(contact, to, escalation));
  }

  /**
   * Queues the notifications of ended alerts, for everyone who was or is about to be notified of the alert, or
   * whom its policy names. First resolves the alerts whose hold-down has passed.
   */
  async queueEnds(now: Date, stopping: () => boolean = () => false): Promise<void> {
    await this.owed.endCleared(now);
    for (;;) {
      const ended = await this.owed.findOwedEnds(PAGE);
      if (ended.length === 0) return;
      const [earlier, contacts] = await Promise.all([
        this.deliveries.findByAlerts(ended.map(({ _id }) => _id)),
        this.recipients.contactsOf(
          // one without evidence cannot be read: it is quarantined below
          ended
            .filter(
              (alert) =>
                alert.evidence && (reachesPolicy(alert) || isStatedAnew(alert) || isCorrection(alert)),
            )
            .map(({ user_id }) => user_id),
        ),
      ]);
      const ends = await this.eachReadable(ended, now, (alert) => {
        const notified = earlier.filter(({ alert_id }) => alert_id.equals(alert._id));
        const contact = contacts.get(alert.user_id);
        const reached = this.reached(alert, notified, contact, now);
        const ofPerson = (address: Address): Delivery[] => this.ofPerson(address, notified, alert, contact);
        return { alert, notifications: endNotifications(alert, { notified, reached, ofPerson }, now) };
      });
      await this.deliveries.enqueue(ends.flatMap(({ notifications }) => notifications));
      await this.owed.clearOwedEnds(ends.map(({ alert }) => alert));
      if (ended.length < PAGE || stopping()) return;
    }
  }

  /** What is made of each of these alerts. One that makes it throw is quarantined and holds up no other. */
  private async eachReadable<T>(alerts: Alert[], now: Date, make: (alert: Alert) => T): Promise<T[]> {
    const made: T[] = [];
    for (const alert of alerts) {
      try {
        made.push(make(alert));
      } catch (error) {
        const failure = { check: 'OutboxService', error: String(error), at: now };
        if (await this.owed.quarantine(alert, failure))
          this.logger.error(`alert ${alert._id.toHexString()} quarantined: ${String(error)}`);
      }
    }
    return made;
  }
}

/** Whether an end corrects another, of which whoever was not sent it gets a new fact. */
function isCorrection({ end_owed }: Alert): boolean {
  return notificationEventFacts(end_owed!).corrects !== undefined;
}

/** Whether an end is a new fact of which nobody was notified before, unless staff closed the alert. */
function isStatedAnew({ end_owed, closing, evidence }: Alert): boolean {
  return isNewFact(end_owed!, evidence) && closing === undefined;
}

/** Whether the end reaches everyone in the policy: it is a new fact, also after an acknowledgement, unless staff closed the alert. */
function reachesPolicy({ end_owed, closing, evidence }: Alert): boolean {
  return reachesEveryone(end_owed!, evidence) && closing === undefined;
}

/** The notifications of an end, one for each address: of those who were notified, and of those whom it reaches besides. */
function endNotifications(
  alert: Alert,
  {
    notified,
    reached,
    ofPerson,
  }: { notified: Delivery[]; reached: Address[]; ofPerson: (address: Address) => Delivery[] },
  now: Date,
): Delivery[] {
  const addresses = new Map(
    [...notified, ...reached].map(({ recipient, channel }) => [
      `${recipient} ${channel}`,
      { recipient, channel },
    ]),
  );
  return [...addresses.values()].map((address) => {
    const before = notified.filter(isSameAddress(address));
    const event = isCorrection(alert)
      ? endEventFor(alert.end_owed!, ofPerson(address), now)
      : alert.end_owed!;
    const created_at = after(before, now);
    const queued = { ...notification(alert, event, endStep(alert, event), address, now), created_at };
    return notificationEventFacts(event).summarizes
      ? { ...queued, next_attempt_at: gatheredAt(now) }
      : queued;
  });
}

/** `now`, but after these: the order of notifications is that of their creation, and a notifier may have hung. */
function after(earlier: Delivery[], now: Date): Date {
  const times = earlier.flatMap(({ created_at }) =>
    created_at instanceof Date ? created_at.getTime() + 1 : [],
  );
  return new Date(Math.max(now.getTime(), ...times));
}

/** A correction is for whoever may have got what it corrects; for anyone else the part that was taken is new. */
function endEventFor(owed: EndEvent, notified: Delivery[], now: Date): EndEvent {
  const { corrects } = notificationEventFacts(owed);
  if (!corrects) return owed;
  const before = notified.filter(({ event }) => corrects.includes(event));
  return before.some((one) => isBeingSent(one, now) || mayHaveArrived(one)) ? owed : 'partial';
}

/** A dose may be corrected several times, to a larger part each, and what people say of it may change. */
function endStep({ end_owed, evidence }: Alert, event: EndEvent): string {
  if (notificationEventFacts(event).settledAs) return `${event}:${statementIn(evidence)!.entry}`;
  // another carer may be sent as a part what the former one was sent as another
  return event === 'corrected' || end_owed === 'corrected'
    ? `${event}:${String(evidence['pills_taken'])}`
    : event;
}

/** The steps that came due since the last time. None during a snooze; after it, the last step repeats. */
function stepsDue(alert: Alert, now: Date): DueStep[] {
  if (alert.snoozed_until && alert.snoozed_until > now) return [];
  const due = dueSteps(policyOf(alert), alert.raised_at, alert.stepped_until, now);
  if (due.length > 0 || alert.snoozed_until === undefined) return firstOfEachStep(due);
  return dueSteps(alert.escalation, alert.raised_at, undefined, now).slice(-1);
}

/** Of the repeats of a step that fall together the first one is sent: after an outage of months there may be 100,000. */
function firstOfEachStep(due: readonly DueStep[]): DueStep[] {
  const seen = new Set<number>();
  return due.filter(({ index }) => !seen.has(index) && seen.add(index));
}

/** The steps of an alert's escalation. After its end, those that are still to come do not repeat. */
function policyOf({ open, escalation }: Alert): readonly EscalationStep[] {
  return open ? escalation : withoutRepeats(escalation);
}

/** The first step raises; every later one, and every repetition, escalates. */
function eventOf(alert: Alert, { round, at }: DueStep): NotificationEvent {
  const first = nextStepAt(alert.escalation, alert.raised_at, new Date(alert.raised_at.getTime() - 1));
  const isFirst = round === 0 && at.getTime() === first?.getTime();
  return isFirst && alert.snoozed_until === undefined ? 'raised' : 'escalated';
}

/** The `step` of a notification. */
function stepName(alert: Alert, step: DueStep): string {
  const snoozed = alert.snoozed_until ? `:${alert.snoozed_until.getTime()}` : '';
  return `${eventOf(alert, step)}:${step.index}:${step.round}${snoozed}`;
}

/**
 * Leaves out what would notify somebody twice: of several steps that fall together, such as repeats during a snooze or
 * while no notifier ran, the first one is sent to an address, and no reminder while an earlier notification of the alert is still to be sent there, for example after quiet hours
 * or a snooze, or when one has just been sent.
 *
 * @param earlier what was queued before, of these and other alerts.
 */
function withoutDuplicates(wanted: Delivery[], earlier: Delivery[], now: Date): Delivery[] {
  return wanted.filter((one, index) => {
    if (!ALERTING_EVENTS.includes(one.event))
      // that the dose is missed is sent once to a person, also at another address
      return !ofSameAddress(one, earlier).some(
        ({ event, status }) => event === one.event && status !== 'cancelled',
      );
    if (ofSameAddress(one, wanted.slice(0, index)).length > 0) return false;
    return !ofSameAddress(one, earlier).some((other) => isOrWasJustDue(other, now));
  });
}

/** Whether a start or a reminder is still to be sent, or was sent a moment ago. */
function isOrWasJustDue({ event, status, attempts }: Delivery, now: Date): boolean {
  if (!ALERTING_EVENTS.includes(event)) return false;
  if (status === 'pending') return true;
  const sentAt = attempts.findLast(({ ok }) => ok)?.at;
  return sentAt !== undefined && now.getTime() - sentAt.getTime() < TOO_SOON_MS;
}

function notification(
  alert: Alert,
  event: NotificationEvent,
  step: string,
  { recipient, channel }: Address,
  now: Date,
): Delivery {
  return {
    _id: derivedMessageId('delivery', alert._id.toHexString(), step, recipient, channel),
    alert_id: alert._id,
    bottle_id: alert.bottle_id,
    kind: alert.kind,
    event,
    step,
    recipient,
    channel,
    status: 'pending',
    attempts: [],
    next_attempt_at: now,
    created_at: now,
  };
}
