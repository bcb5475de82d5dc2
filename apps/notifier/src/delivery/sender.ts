import { isCanary, type Message, namedDoses, summarize } from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Attempt,
  type Claim,
  type Contact,
  contactDetailsOf,
  CoverageGapsRepository,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  isDatabaseError,
  type RecordedGap,
  type ContactDetails,
  mayHaveArrived,
} from '#persistence';
import { Clock, failSpan, type Span, startSpan, traceparentOf } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { alertId } from '../alerts/alerts.service.js';
import { FleetIncidents } from '../alert-kinds/fleet-incident/fleet-incidents.js';
import { AttemptLimit } from './attempt-limit.js';
import { AttemptWriter, type RunResults } from './attempt-writer.js';
import { earlyFrom, MAX_ATTEMPTS, nextAttemptAt, regularAttempts } from './backoff.js';
import { type Channel, DeliveryError, type Notification } from './channel.js';
import { Gathering, type GatheringOf } from './gathering.js';
import { Messages } from './message.js';
import { SUMMARIZED_EVENTS } from './order.js';
import { recheck } from './recheck.js';
import { isSameAddress, OPERATOR, Recipients, wasToFormerCarer } from './recipients.js';
import { Recovery } from './recovery.js';
import { type RecentlySent, Throttle } from './throttle.js';

/** An alert that names a dose is raised while the dose is late: not longer than this before its end. Milliseconds. */
const NAMED_WITHIN_MS = 14 * 24 * 60 * 60_000;

/** What sending a page of notifications takes, read once for all of them. */
export interface SendContext {
  claim: Claim;
  readAt: Date;
  alerts: Map<string, Alert>;
  ofAlerts: Delivery[];
  /** Alerts that name a dose of which these notifications say that it cannot be confirmed. */
  naming: Alert[];
  /** The notifications about the doses that silences name. */
  ofNamedDoses: Delivery[];
  /** The coverage gaps whose doses may still be settled, or of which people were notified a moment ago. */
  gaps: RecordedGap[];
  gatheringOf: GatheringOf;
  contacts: Map<string, Contact>;
  incidents: Alert[];
  recentlySent: RecentlySent;
}

interface ReadyToSend {
  delivery: Delivery;
  alert: Alert;
  contact: ContactDetails | undefined;
  message: Message;
}

/** What a coverage gap left unconfirmed is sent within this time after all of it is found. Milliseconds. */
const SETTLED_LATELY_MS = 120_000;

interface SendOptions {
  channel: Channel;
  results: RunResults;
  /** Called for each notification when its attempt begins, or when it gets a result without one. */
  onBegun: (delivery: Delivery) => void;
}

/** An attempt whose beginning is recorded. */
interface AttemptInProgress {
  claim: Claim;
  at: Date;
  /** Called when the channel gets the message: from then on it may have arrived. */
  onSend: () => void;
}

/** Rechecks notifications, sends them, and records the results. */
@Injectable()
export class Sender {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly incidents: FleetIncidents,
    private readonly gaps: CoverageGapsRepository,
    private readonly gathering: Gathering,
    private readonly messages: Messages,
    private readonly throttle: Throttle,
    private readonly attempts: AttemptWriter,
    private readonly limit: AttemptLimit,
    private readonly recovery: Recovery,
    private readonly clock: Clock,
  ) {}

  /** Reads what sending these notifications over their channel takes. */
  async read(claim: Claim, deliveries: Delivery[], channel: Channel): Promise<SendContext> {
    const readAt = this.clock.now();
    const followers = deliveries.filter(({ event }) => event !== 'raised');
    const unknown = deliveries.filter(({ event }) => event === 'unknown');
    const naming = await this.alerts.findNamingDoses(
      unknown.map(({ bottle_id }) => bottle_id),
      new Date(Math.min(...unknown.map(({ created_at }) => created_at.getTime())) - NAMED_WITHIN_MS),
    );
    const related = [...followers.map(({ alert_id }) => alert_id), ...naming.map(({ _id }) => _id)];
    const [alerts, ofAlerts, gaps, incidents, recentlySent] = await Promise.all([
      this.alerts.findByIds(deliveries.map(({ alert_id }) => alert_id)),
      // the first one of an alert waits for no other
      related.length === 0 ? [] : this.deliveries.findByAlerts(related),
      deliveries.some(({ event }) => event === 'unknown' || event === 'unconfirmed')
        ? this.gaps.findUnsettled(new Date(readAt.getTime() - SETTLED_LATELY_MS))
        : [],
      this.incidents.latest(),
      this.throttle.read(channel, deliveries),
    ]);
    const named = alerts.flatMap((alert) => namedDoses(alert).flatMap((dose) => doseAlertIds(alert, dose)));
    const [contacts, ofNamedDoses, gatheringOf] = await Promise.all([
      this.recipients.contactsOf(alerts.map(({ user_id }) => user_id)),
      named.length === 0 ? [] : this.deliveries.findByAlerts(named),
      this.gathering.read(claim, deliveries, alerts, readAt),
    ]);
    const byId = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    return {
      claim,
      readAt,
      alerts: byId,
      ofAlerts,
      naming,
      ofNamedDoses,
      gaps,
      gatheringOf,
      contacts,
      incidents,
      recentlySent,
    };
  }

  /**
   * Sends the notifications of a group that pass the recheck, as one message, and records a result for each. A record
   * that causes an error counts as a failed attempt and affects no other: it is found before an attempt begins, when it
   * certainly did not arrive.
   */
  async send(
    group: Delivery[],
    context: SendContext,
    { channel, results, onBegun }: SendOptions,
  ): Promise<void> {
    const unfinished = new Set(group);
    let mayArrive = false;
    const record = async (delivery: Delivery, result: DeliveryResult): Promise<void> => {
      unfinished.delete(delivery);
      onBegun(delivery);
      await results.add(delivery, context.claim, result);
    };
    try {
      const ready: ReadyToSend[] = [];
      for (const delivery of group) {
        const found = this.prepare(delivery, context);
        if ('alert' in found) ready.push(found);
        else await record(delivery, found);
      }
      if (ready.length === 0) return;
      const delayedUntil = this.throttle.delayedUntil(
        ready.map(({ delivery }) => delivery),
        context.recentlySent,
      );
      if (delayedUntil) {
        for (const { delivery } of ready) await record(delivery, throttled(delayedUntil));
        return;
      }
      const at = this.clock.now();
      const held = await this.begin(ready, context.claim, at);
      for (const { delivery } of ready) {
        onBegun(delivery);
        if (!held.has(delivery)) unfinished.delete(delivery);
      }
      const sending = ready.filter(({ delivery }) => held.has(delivery));
      const [first, ...others] = sending;
      if (!first) return;
      const started = { claim: context.claim, at, onSend: () => (mayArrive = true) };
      const resultOf = await this.attempt(channel, [first, ...others], started);
      if (resultOf(first.delivery).kind === 'delivered') {
        this.throttle.count(first.delivery, at, context.recentlySent);
        for (const { delivery, alert } of sending) this.attempts.noteDelay(delivery, alert, at);
      }
      for (const { delivery } of sending) await record(delivery, resultOf(delivery));
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      for (const delivery of unfinished)
        await record(delivery, failedByError(delivery, error, this.clock.now(), mayArrive));
    }
  }

  /** Records that a notification caused an error before anything was sent. */
  async fail(delivery: Delivery, claim: Claim, error: unknown, results: RunResults): Promise<void> {
    await results.add(delivery, claim, failedByError(delivery, error, this.clock.now(), false));
  }

  /** Why it cannot be sent now, or an error that it causes; otherwise what to send. */
  private prepare(delivery: Delivery, context: SendContext): DeliveryResult | ReadyToSend {
    try {
      return this.recheck(delivery, context);
    } catch (error) {
      return failedByError(delivery, error, this.clock.now(), false);
    }
  }

  private recheck(delivery: Delivery, context: SendContext): DeliveryResult | ReadyToSend {
    const alert = context.alerts.get(delivery.alert_id.toHexString());
    const ofUser = alert && context.contacts.get(alert.user_id);
    const contact = contactDetailsOf(delivery.recipient, ofUser);
    const { gaps, gatheringOf, ofNamedDoses, incidents } = context;
    const naming = context.naming.filter(
      ({ bottle_id, kind, subject, evidence }) =>
        bottle_id.equals(delivery.bottle_id) &&
        (kind === 'coverage_gap'
          ? subject === alert?.subject
          : namedDoses({ kind, evidence }).some((dose) => dose.toISOString() === alert?.subject) &&
            !isOverBefore(evidence['heard_again_at'], alert?.evidence['missed_at'])),
    );
    // no record about another alert is read: it may be damaged
    const about = [delivery.alert_id, ...naming.map(({ _id }) => _id)];
    const now = this.clock.now();
    const moment = {
      alert,
      ofAlert: context.ofAlerts
        .filter(({ alert_id }) => about.some((_id) => _id.equals(alert_id)))
        .filter((one) => !wasToFormerCarer(one, ofUser?.carer))
        .map((one) => this.recipients.asReached(one, ofUser, alert?.escalation ?? [])),
      naming,
      gaps,
      gatheringOf,
      details: contact,
      replacement: alert && this.recipients.replacementOf(delivery, ofUser, alert.escalation),
      incidents,
      now,
    };
    const postponed = recheck(delivery, moment) ?? exhausted(delivery);
    if (postponed) return postponed;
    const shown = withoutNotifiedDoses(alert!, delivery, ofNamedDoses);
    return { delivery, alert: shown, contact, message: this.messages.compose(delivery, shown, contact) };
  }

  /** Records that an attempt begins. @returns the notifications that are still claimed. */
  private async begin(ready: ReadyToSend[], claim: Claim, at: Date): Promise<ReadonlySet<Delivery>> {
    const held = await this.attempts.begin(
      ready.map(({ delivery }) => ({
        id: delivery._id,
        claim,
        at,
        ...(delivery.early && { early: delivery.early }),
        next_attempt_at: retryWithoutResult(delivery, claim, at),
      })),
    );
    return new Set(ready.filter((_one, index) => held[index]).map(({ delivery }) => delivery));
  }

  /** Makes an attempt that began. @returns the result for each of its notifications. */
  private async attempt(
    channel: Channel,
    [first, ...others]: [ReadyToSend, ...ReadyToSend[]],
    { claim, at, onSend }: AttemptInProgress,
  ): Promise<(delivery: Delivery) => DeliveryResult> {
    const span = startAttempt(channel, first, others);
    const toNotification = ({ delivery, message }: ReadyToSend): Notification => ({
      delivery,
      message,
      traceparent: traceparentOf(span),
    });
    const notifications = asMessages([toNotification(first), ...others.map(toNotification)]);
    try {
      // this process may have hung since the lease was checked
      if (claim.until.getTime() - this.clock.now().getTime() < channel.timeLimitMs)
        throw new DeliveryError('not sent: the lease ends too soon', { unsent: true });
      onSend();
      const { status } = await this.limit.run(channel.timeLimitMs, (signal) =>
        channel.send(notifications, first.contact, signal),
      );
      // a watchdog answers for itself, not for the operator's receiver
      if (!isCanary(first.delivery.bottle_id)) this.recovery.noteAnswer(channel);
      const attempt: Attempt = { at, ok: true, ...(status === undefined ? {} : { status }) };
      return ({ recipient }) => ({ kind: 'delivered', attempt, toPerson: recipient !== OPERATOR });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = failedAttempt(at, error);
      failSpan(span, error.message);
      // the same jitter for all of them, so that they are retried as one message
      const random = Math.random();
      return (delivery) => failed(delivery, attempt, error.permanent, random);
    } finally {
      span?.end();
    }
  }
}

/** The span of an attempt: in the trace of its alert, or of the first of several. */
function startAttempt(
  { name }: Channel,
  { delivery, alert }: ReadyToSend,
  others: readonly ReadyToSend[],
): Span | undefined {
  return startSpan(`deliver ${name}`, {
    kind: 'client',
    parent: alert.traceparent,
    links: others.flatMap((other) => other.alert.traceparent ?? []),
    attributes: {
      'pillwatch.delivery_id': delivery._id,
      'pillwatch.event': delivery.event,
      'pillwatch.attempt': delivery.attempts.length + 1,
    },
  });
}

/** What is sent: each notification, and those of a summary as one, under the first one's id. */
function asMessages(notifications: [Notification, ...Notification[]]): [Notification, ...Notification[]] {
  const summaries = SUMMARIZED_EVENTS.flatMap((event) => {
    const [first, ...others] = notifications
      .filter(({ delivery }) => delivery.event === event)
      .sort((one, other) => (one.message.data.subject < other.message.data.subject ? -1 : 1));
    if (!first) return [];
    return [{ ...first, message: summarize([first, ...others].map(({ message }) => message)) }];
  });
  const single = notifications.filter(({ delivery }) => !SUMMARIZED_EVENTS.includes(delivery.event));
  return [...summaries, ...single] as [Notification, ...Notification[]];
}

function failedAttempt(at: Date, { message, status, unsent }: DeliveryError): Attempt {
  return {
    at,
    ok: false,
    error: message,
    ...(status === undefined ? {} : { status }),
    ...(unsent ? { unsent: true } : {}),
  };
}

/** When it is tried again if this notifier is killed: after the lease, and not before its backoff. */
function retryWithoutResult({ attempts, early }: Delivery, claim: Claim, at: Date): Date {
  const next = nextAttemptAt([...attempts, { at, ...(early && { early }) }], 0.5) ?? at;
  return new Date(Math.max(claim.until.getTime(), next.getTime()));
}

/** The last attempt had no result: nothing is left to try. */
function exhausted({ attempts }: Delivery): DeliveryResult | undefined {
  if (regularAttempts(attempts) < MAX_ATTEMPTS) return undefined;
  return { kind: 'dead', reason: `${MAX_ATTEMPTS} attempts failed` };
}

/** Whether a silence was over when a dose ended: whoever was notified of it knows that the bottle reports again. */
function isOverBefore(backAt: unknown, missedAt: unknown): boolean {
  return backAt instanceof Date && missedAt instanceof Date && backAt <= missedAt;
}

/** The alerts by which people may have been notified that a dose cannot be confirmed. */
function doseAlertIds({ bottle_id }: Alert, cause: Date): Types.ObjectId[] {
  const bottle = { _id: bottle_id };
  return (['missed_dose', 'coverage_gap'] as const).map((kind) => alertId({ bottle, kind, cause }));
}

/** A silence without the doses of which its recipient was already notified that they cannot be confirmed. */
function withoutNotifiedDoses(alert: Alert, delivery: Delivery, ofDoses: Delivery[]): Alert {
  const doses = namedDoses(alert);
  const notified = ofDoses
    .filter(isSameAddress(delivery))
    .filter((other) => (other.event === 'unknown' || other.event === 'unconfirmed') && mayHaveArrived(other));
  if (doses.length === 0 || notified.length === 0) return alert;
  const unconfirmed_doses = doses.filter(
    (dose) => !notified.some(({ alert_id }) => doseAlertIds(alert, dose).some((id) => id.equals(alert_id))),
  );
  return { ...alert, evidence: { ...alert.evidence, unconfirmed_doses } };
}

function throttled(until: Date): DeliveryResult {
  const reason = "delayed: recipient's message limit reached";
  return { kind: 'postponed', next_attempt_at: until, reason, throttled: true };
}

/** A notification that caused an error follows the backoff, whatever its receiver answers. */
function failedByError(delivery: Delivery, error: unknown, at: Date, mayArrive: boolean): DeliveryResult {
  const attempt: Attempt = { at, ok: false, error: String(error), ...(mayArrive ? {} : { unsent: true }) };
  const result = failed(delivery, attempt, false, Math.random());
  return result.kind === 'retry' ? { ...result, retry_early_from: undefined } : result;
}

function failed(delivery: Delivery, result: Attempt, permanent: boolean, random: number): DeliveryResult {
  const attempt: Attempt = { ...result, ...(delivery.early && { early: delivery.early }) };
  const attempts = [...delivery.attempts, attempt];
  const next_attempt_at = permanent ? undefined : nextAttemptAt(attempts, random);
  if (next_attempt_at) {
    const retry_early_from = earlyFrom(attempts, next_attempt_at);
    return { kind: 'retry', attempt, next_attempt_at, ...(retry_early_from && { retry_early_from }) };
  }
  return { kind: 'dead', attempt, reason: permanent ? attempt.error! : `${MAX_ATTEMPTS} attempts failed` };
}
