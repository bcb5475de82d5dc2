import { ALERTING_EVENTS } from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Attempt,
  type Claim,
  type Contact,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  isDatabaseError,
  type ContactDetails,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { FleetIncidents } from '../alert-kinds/fleet-incident/fleet-incidents.js';
import { MAX_ATTEMPTS, waitAfter } from './backoff.js';
import { type Channel, DeliveryError } from './channel.js';
import { Messages } from './message.js';
import { recheck } from './recheck.js';
import { OPERATOR, Recipients } from './recipients.js';
import type { RunResults } from './result-writer.js';
import { type RecentlySent, Throttle } from './throttle.js';

/** What sending a page of notifications takes, read once for all of them. */
export interface SendContext {
  claim: Claim;
  readAt: Date;
  alerts: Map<string, Alert>;
  ofAlerts: Delivery[];
  contacts: Map<string, Contact>;
  incident: Alert | undefined;
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
    private readonly clock: Clock,
  ) {}

  /** Reads what sending these notifications over their channel takes. */
  async read(claim: Claim, deliveries: Delivery[], channel: Channel): Promise<SendContext> {
    const readAt = this.clock.now();
    const ends = deliveries.filter(({ event }) => !ALERTING_EVENTS.includes(event));
    const [alerts, ofAlerts, incident, recentlySent] = await Promise.all([
      this.alerts.findByIds(deliveries.map(({ alert_id }) => alert_id)),
      // an end is sent only to recipients of an earlier notification
      ends.length === 0 ? [] : this.deliveries.findByAlerts(ends.map(({ alert_id }) => alert_id)),
      this.incidents.holding(),
      this.throttle.read(channel, deliveries),
    ]);
    const contacts = await this.recipients.contactsOf(alerts.map(({ user_id }) => user_id));
    const byId = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    return { claim, readAt, alerts: byId, ofAlerts, contacts, incident, recentlySent };
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
      const [first, ...others] = ready;
      if (!first) return;
      const delayedUntil = this.throttle.delayedUntil(
        ready.map(({ delivery }) => delivery),
        context.recentlySent,
      );
      if (delayedUntil) {
        for (const { delivery } of ready) await record(delivery, throttled(delayedUntil));
        return;
      }
      for (const { delivery } of ready) onBegun(delivery);
      const resultOf = await this.attempt(channel, [first, ...others]);
      const result = resultOf(first.delivery);
      if (result.kind === 'delivered')
        this.throttle.count(first.delivery, result.attempt.at, context.recentlySent);
      for (const { delivery } of ready) await record(delivery, resultOf(delivery));
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const attempt = this.newAttempt({ ok: false, error: String(error) });
      for (const delivery of unfinished)
        await record(delivery, failed(delivery, attempt, false, Math.random()));
    }
  }

  /** Why it cannot be sent now; or what to send. */
  private recheck(delivery: Delivery, context: SendContext): DeliveryResult | ReadyToSend {
    const alert = context.alerts.get(delivery.alert_id.toHexString());
    const contact = this.recipients.detailsOf(
      delivery.recipient,
      alert && context.contacts.get(alert.user_id),
    );
    const { ofAlerts, incident } = context;
    const moment = { alert, ofAlert: ofAlerts, details: contact, incident, now: this.clock.now() };
    return recheck(delivery, moment) ?? { delivery, alert: alert!, contact };
  }

  /** Makes one attempt. @returns the result for each of its notifications. */
  private async attempt(
    channel: Channel,
    [first, ...others]: [ReadyToSend, ...ReadyToSend[]],
  ): Promise<(delivery: Delivery) => DeliveryResult> {
    const toNotification = ({ delivery, alert }: ReadyToSend) => ({
      delivery,
      message: this.messages.compose(delivery, alert),
    });
    try {
      const { status } = await channel.send(
        [toNotification(first), ...others.map(toNotification)],
        first.contact,
      );
      const attempt = this.newAttempt({ ok: true, ...(status === undefined ? {} : { status }) });
      return ({ recipient }) => ({ kind: 'delivered', attempt, toPerson: recipient !== OPERATOR });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = this.newAttempt({
        ok: false,
        error: error.message,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
      // the same jitter for all of them, so that they are retried as one message
      const random = Math.random();
      return (delivery) => failed(delivery, attempt, error.permanent, random);
    }
  }

  private newAttempt(how: Omit<Attempt, 'at'>): Attempt {
    return { at: this.clock.now(), ...how };
  }
}

function throttled(until: Date): DeliveryResult {
  const reason = "delayed: recipient's message limit reached";
  return { kind: 'postponed', next_attempt_at: until, reason, throttled: true };
}

function failed(
  { attempts }: Delivery,
  attempt: Attempt,
  permanent: boolean,
  random: number,
): DeliveryResult {
  const wait = permanent ? undefined : waitAfter(attempts.length + 1, random);
  if (wait !== undefined)
    return { kind: 'retry', attempt, next_attempt_at: new Date(attempt.at.getTime() + wait) };
  return { kind: 'dead', attempt, reason: permanent ? attempt.error! : `${MAX_ATTEMPTS} attempts failed` };
}
