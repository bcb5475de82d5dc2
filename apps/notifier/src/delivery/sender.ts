import { summarize } from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Attempt,
  type Claim,
  type Contact,
  contactDetailsOf,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  isDatabaseError,
  type ContactDetails,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { FleetIncidents } from '../alert-kinds/fleet-incident/fleet-incidents.js';
import { AttemptLimit } from './attempt-limit.js';
import { AttemptWriter, type RunResults } from './attempt-writer.js';
import { MAX_ATTEMPTS, waitAfter } from './backoff.js';
import { type Channel, DeliveryError, type Notification } from './channel.js';
import { Messages } from './message.js';
import { isSummarized } from './order.js';
import { recheck } from './recheck.js';
import { OPERATOR, Recipients } from './recipients.js';
import { Recovery } from './recovery.js';
import { type RecentlySent, Throttle } from './throttle.js';

/** A silence that names a dose is raised while the dose is late: not longer than this before its end. Milliseconds. */
const NAMED_WITHIN_MS = 14 * 24 * 60 * 60_000;
/** A notification that waits at least so long is sent earlier if its receiver answers again. Milliseconds. */
const LONG_WAIT_MS = 30_000;
/** How often a notification is sent early; its other attempts follow the backoff, so that ten last for a day. */
const MAX_EARLY = 3;
/** After an early attempt that failed, how long it is not sent early again. Milliseconds. */
const EARLY_PAUSE_MS = 60_000;
/** HTTP: too many requests. SMTP: service not available. */
const UNAVAILABLE = new Set([429, 421]);

/** What sending a page of notifications takes, read once for all of them. */
export interface SendContext {
  claim: Claim;
  readAt: Date;
  alerts: Map<string, Alert>;
  ofAlerts: Delivery[];
  /** Silences that name a dose of which these notifications say that it cannot be confirmed. */
  silences: Alert[];
  contacts: Map<string, Contact>;
  incidents: Alert[];
  recentlySent: RecentlySent;
}

interface ReadyToSend {
  delivery: Delivery;
  alert: Alert;
  contact: ContactDetails | undefined;
}

interface SendOptions {
  channel: Channel;
  results: RunResults;
  /** Called for each notification when its attempt begins, or when it gets a result without one. */
  onBegun: (delivery: Delivery) => void;
}

/** Rechecks notifications, sends them, and records the results. */
@Injectable()
export class Sender {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly incidents: FleetIncidents,
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
    const silences = await this.alerts.findSilencesNaming(
      unknown.map(({ bottle_id }) => bottle_id),
      new Date(Math.min(...unknown.map(({ created_at }) => created_at.getTime())) - NAMED_WITHIN_MS),
    );
    const related = [...followers.map(({ alert_id }) => alert_id), ...silences.map(({ _id }) => _id)];
    const [alerts, ofAlerts, incidents, recentlySent] = await Promise.all([
      this.alerts.findByIds(deliveries.map(({ alert_id }) => alert_id)),
      // the first one of an alert waits for no other
      related.length === 0 ? [] : this.deliveries.findByAlerts(related),
      this.incidents.latest(),
      this.throttle.read(channel, deliveries),
    ]);
    const contacts = await this.recipients.contactsOf(alerts.map(({ user_id }) => user_id));
    const byId = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    return { claim, readAt, alerts: byId, ofAlerts, silences, contacts, incidents, recentlySent };
  }

  /**
   * Sends the notifications of a group that pass the recheck, as one message, and records a result for each. A record
   * that causes an error counts as a failed attempt and affects no other group.
   */
  async send(
    group: Delivery[],
    context: SendContext,
    { channel, results, onBegun }: SendOptions,
  ): Promise<void> {
    const unfinished = new Set(group);
    const begun = new Set<Delivery>();
    const record = async (delivery: Delivery, result: DeliveryResult): Promise<void> => {
      unfinished.delete(delivery);
      onBegun(delivery);
      await results.add(delivery, context.claim, result);
    };
    try {
      const ready: ReadyToSend[] = [];
      for (const delivery of group) {
        const found = this.recheck(delivery, context);
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
        begun.add(delivery);
        onBegun(delivery);
        if (!held.has(delivery)) unfinished.delete(delivery);
      }
      const sending = ready.filter(({ delivery }) => held.has(delivery));
      const [first, ...others] = sending;
      if (!first) return;
      const resultOf = await this.attempt(channel, [first, ...others], context.claim, at);
      if (resultOf(first.delivery).kind === 'delivered')
        this.throttle.count(first.delivery, at, context.recentlySent);
      for (const { delivery } of sending) await record(delivery, resultOf(delivery));
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const attempt: Attempt = { at: this.clock.now(), ok: false, error: String(error) };
      for (const delivery of unfinished) {
        const unsent = begun.has(delivery) ? {} : { unsent: true as const };
        await record(delivery, failed(delivery, { ...attempt, ...unsent }, false, Math.random()));
      }
    }
  }

  /** Why it cannot be sent now; or what to send. */
  private recheck(delivery: Delivery, context: SendContext): DeliveryResult | ReadyToSend {
    const alert = context.alerts.get(delivery.alert_id.toHexString());
    const contact = contactDetailsOf(delivery.recipient, alert && context.contacts.get(alert.user_id));
    const { ofAlerts, silences, incidents } = context;
    const naming = silences.filter(
      ({ bottle_id, evidence }) =>
        bottle_id.equals(delivery.bottle_id) &&
        names(evidence['unconfirmed_doses'], alert?.subject) &&
        !isOverBefore(evidence['heard_again_at'], alert?.evidence['missed_at']),
    );
    const moment = { alert, ofAlert: ofAlerts, naming, details: contact, incidents, now: this.clock.now() };
    return recheck(delivery, moment) ?? exhausted(delivery) ?? { delivery, alert: alert!, contact };
  }

  /** Records that an attempt begins. @returns the notifications that are still claimed. */
  private async begin(ready: ReadyToSend[], claim: Claim, at: Date): Promise<ReadonlySet<Delivery>> {
    const held = await this.attempts.begin(
      ready.map(({ delivery }) => ({
        id: delivery._id,
        claim,
        at,
        next_attempt_at: retryWithoutResult(delivery, claim, at),
      })),
    );
    return new Set(ready.filter((_one, index) => held[index]).map(({ delivery }) => delivery));
  }

  /** Makes one attempt, which began at `at`. @returns the result for each of its notifications. */
  private async attempt(
    channel: Channel,
    [first, ...others]: [ReadyToSend, ...ReadyToSend[]],
    claim: Claim,
    at: Date,
  ): Promise<(delivery: Delivery) => DeliveryResult> {
    const toNotification = ({ delivery, alert, contact }: ReadyToSend) => ({
      delivery,
      message: this.messages.compose(delivery, alert, contact),
    });
    const notifications = asMessages([toNotification(first), ...others.map(toNotification)]);
    try {
      // this process may have hung since the lease was checked
      if (claim.until.getTime() - this.clock.now().getTime() < channel.timeLimitMs)
        throw new DeliveryError('not sent: the lease ends too soon', { unsent: true });
      const { status } = await this.limit.run(channel.timeLimitMs, (signal) =>
        channel.send(notifications, first.contact, signal),
      );
      this.recovery.noteAnswer(channel);
      const attempt: Attempt = { at, ok: true, ...(status === undefined ? {} : { status }) };
      return ({ recipient }) => ({ kind: 'delivered', attempt, toPerson: recipient !== OPERATOR });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = failedAttempt(at, error);
      // the same jitter for all of them, so that they are retried as one message
      const random = Math.random();
      return (delivery) => failed(delivery, attempt, error.permanent, random);
    }
  }
}

/** What is sent: each notification, and those of a summary as one, under the first one's id. */
function asMessages(notifications: [Notification, ...Notification[]]): [Notification, ...Notification[]] {
  const isPart = ({ delivery }: Notification): boolean => isSummarized(delivery.event);
  const [first, ...others] = notifications
    .filter(isPart)
    .sort((one, other) => (one.message.data.subject < other.message.data.subject ? -1 : 1));
  if (!first) return notifications;
  const message = summarize([first, ...others].map((one) => one.message));
  const single = notifications.filter((one) => !isPart(one));
  return [{ delivery: first.delivery, message }, ...single];
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
function retryWithoutResult({ attempts }: Delivery, claim: Claim, at: Date): Date {
  const wait = waitAfter(attempts.length + 1, 0.5) ?? 0;
  return new Date(Math.max(claim.until.getTime(), at.getTime() + wait));
}

/** The last attempt had no result: nothing is left to try. */
function exhausted({ attempts }: Delivery): DeliveryResult | undefined {
  if (attempts.length < MAX_ATTEMPTS) return undefined;
  return { kind: 'dead', reason: `${MAX_ATTEMPTS} attempts failed` };
}

/** Whether a silence was over when a dose ended: whoever was notified of it knows that the bottle reports again. */
function isOverBefore(backAt: unknown, missedAt: unknown): boolean {
  return backAt instanceof Date && missedAt instanceof Date && backAt <= missedAt;
}

function names(doses: unknown, dose: string | undefined): boolean {
  return Array.isArray(doses) && doses.some((each) => each instanceof Date && each.toISOString() === dose);
}

function throttled(until: Date): DeliveryResult {
  const reason = "delayed: recipient's message limit reached";
  return { kind: 'postponed', next_attempt_at: until, reason, throttled: true };
}

function failed(delivery: Delivery, attempt: Attempt, permanent: boolean, random: number): DeliveryResult {
  const wait = permanent ? undefined : waitAfter(delivery.attempts.length + 1, random);
  if (wait !== undefined) {
    const next_attempt_at = new Date(attempt.at.getTime() + wait);
    return { kind: 'retry', attempt, next_attempt_at, ...early(delivery, attempt, wait) };
  }
  return { kind: 'dead', attempt, reason: permanent ? attempt.error! : `${MAX_ATTEMPTS} attempts failed` };
}

/** From when on it is sent as soon as its receiver answers again: not if this message alone was refused. */
function early(
  { retried_early = 0 }: Delivery,
  { at, status }: Attempt,
  wait: number,
): { retry_early_from?: Date } {
  if (wait < LONG_WAIT_MS || retried_early >= MAX_EARLY || !isUnavailable(status)) return {};
  return { retry_early_from: new Date(at.getTime() + (retried_early === 0 ? 0 : EARLY_PAUSE_MS)) };
}

/** No answer, or one that says that the receiver takes nothing at the moment. */
function isUnavailable(status: number | undefined): boolean {
  return status === undefined || status >= 500 || UNAVAILABLE.has(status);
}
