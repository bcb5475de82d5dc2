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
  TELLING_EVENTS,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { FleetIncidents } from '../alert-kinds/fleet-incident/fleet-incidents.js';
import { MAX_ATTEMPTS, waitAfter } from './backoff.js';
import { type Channel, DeliveryError } from './channel.js';
import { Links } from './links.js';
import { messageOf } from './message.js';
import { recheck } from './recheck.js';
import { OPERATOR, Recipients } from './recipients.js';
import type { Settling } from './settlements.js';
import { Throttle, type ToldLately } from './throttle.js';

/** What some messages need, read once for all of them. */
export interface Known {
  claim: Claim;
  readAt: Date;
  alerts: Map<string, Alert>;
  siblings: Delivery[];
  contacts: Map<string, Contact>;
  incident: Alert | undefined;
  told: ToldLately;
}

interface ReadyToSend {
  delivery: Delivery;
  alert: Alert;
  contact: ContactDetails | undefined;
}

/** By what and how a group is sent. */
interface Sending {
  channel: Channel;
  settling: Settling;
  /** Told of each message of which an attempt begins, or that is settled without one. */
  begun: (delivery: Delivery) => void;
}

/** Looks at messages once more and sends them: what has changed since they were queued may stand against it. */
@Injectable()
export class Sender {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly incidents: FleetIncidents,
    private readonly links: Links,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {}

  /** Reads what sending these messages over their channel takes. */
  async read(claim: Claim, deliveries: Delivery[], channel: Channel): Promise<Known> {
    const readAt = this.clock.now();
    const ends = deliveries.filter(({ event }) => !TELLING_EVENTS.includes(event));
    const [alerts, siblings, incident, told] = await Promise.all([
      this.alerts.findByIds(deliveries.map(({ alert_id }) => alert_id)),
      // only who was told of the beginning hears of the end
      ends.length === 0 ? [] : this.deliveries.findByAlerts(ends.map(({ alert_id }) => alert_id)),
      this.incidents.holding(),
      this.throttle.read(channel, deliveries),
    ]);
    const contacts = await this.recipients.contactsOf(alerts.map(({ user_id }) => user_id));
    const byId = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    return { claim, readAt, alerts: byId, siblings, contacts, incident, told };
  }

  /**
   * Sends what nothing stands against, as one message, and notes what became of each. A record that cannot be
   * dealt with fails alone, as a message that cannot be sent.
   */
  async send(group: Delivery[], known: Known, { channel, settling, begun }: Sending): Promise<void> {
    const left = new Set(group);
    const settle = async (delivery: Delivery, result: DeliveryResult): Promise<void> => {
      left.delete(delivery);
      begun(delivery);
      await settling.add(delivery, known.claim, result);
    };
    try {
      const ready: ReadyToSend[] = [];
      for (const delivery of group) {
        const found = this.lookAgain(delivery, known);
        if ('alert' in found) ready.push(found);
        else await settle(delivery, found);
      }
      const [first, ...others] = ready;
      if (!first) return;
      const held = this.throttle.heldUntil(
        ready.map(({ delivery }) => delivery),
        known.told,
      );
      if (held) {
        for (const { delivery } of ready) await settle(delivery, throttled(held));
        return;
      }
      for (const { delivery } of ready) begun(delivery);
      const resultOf = await this.attempt(channel, [first, ...others]);
      const result = resultOf(first.delivery);
      if (result.kind === 'delivered') this.throttle.count(first.delivery, result.attempt.at, known.told);
      for (const { delivery } of ready) await settle(delivery, resultOf(delivery));
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      const attempt = this.note({ ok: false, error: String(error) });
      for (const delivery of left) await settle(delivery, failed(delivery, attempt, false, Math.random()));
    }
  }

  /** What stands against sending it now; or what to send. */
  private lookAgain(delivery: Delivery, known: Known): DeliveryResult | ReadyToSend {
    const alert = known.alerts.get(delivery.alert_id.toHexString());
    const contact = this.recipients.detailsOf(delivery.recipient, alert && known.contacts.get(alert.user_id));
    const { siblings, incident } = known;
    const moment = { alert, siblings, details: contact, incident, now: this.clock.now() };
    return recheck(delivery, moment) ?? { delivery, alert: alert!, contact };
  }

  /** Sends, and says what that makes of each delivery. */
  private async attempt(
    channel: Channel,
    [first, ...others]: [ReadyToSend, ...ReadyToSend[]],
  ): Promise<(delivery: Delivery) => DeliveryResult> {
    const outgoing = ({ delivery, alert }: ReadyToSend) => ({
      delivery,
      message: messageOf(delivery, alert, this.links.acknowledge(delivery)),
    });
    try {
      const { status } = await channel.send([outgoing(first), ...others.map(outgoing)], first.contact);
      const attempt = this.note({ ok: true, ...(status === undefined ? {} : { status }) });
      return ({ recipient }) => ({ kind: 'delivered', attempt, toPerson: recipient !== OPERATOR });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = this.note({
        ok: false,
        error: error.message,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
      // the same for all of them, so that what went as one message is tried again as one
      const random = Math.random();
      return (delivery) => failed(delivery, attempt, error.permanent, random);
    }
  }

  private note(how: Omit<Attempt, 'at'>): Attempt {
    return { at: this.clock.now(), ...how };
  }
}

function throttled(until: Date): DeliveryResult {
  const reason = 'the recipient was told much already';
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
