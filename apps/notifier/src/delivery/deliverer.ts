import {
  type Alert,
  AlertsRepository,
  type Attempt,
  type Claim,
  type Contact,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
  type Reach,
} from '#persistence';
import { Clock, Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { FleetIncidents } from '../alerts/fleet-incidents.js';
import { MAX_ATTEMPTS, waitAfter } from './backoff.js';
import { DeliveryError, type DeliveryChannel } from './channel.js';
import { EmailChannel } from './email.channel.js';
import { Links } from './links.js';
import { LogChannel } from './log.channel.js';
import { messageOf } from './message.js';
import { recheck } from './recheck.js';
import { Recipients } from './recipients.js';
import { WEBHOOK_TIMEOUT_MS, WebhookChannel } from './webhook.channel.js';

const PAGE = 100;
const AT_ONCE = 50;
/** A page takes at most PAGE / AT_ONCE timeouts; the lease outlives it. */
export const DELIVERY_LEASE_MS = 30_000;

/** What a page of messages needs, read once. */
interface Page {
  claim: Claim;
  alerts: Map<string, Alert>;
  siblings: Delivery[];
  contacts: Map<string, Contact>;
  incident: Alert | undefined;
}

/**
 * Sends what is due. A message is claimed before and marked after: a crash in between sends it again under
 * the same id. What has changed since it was queued is looked at once more at the moment of sending.
 */
@Injectable()
export class Deliverer {
  private readonly channels: Map<string, DeliveryChannel>;
  private readonly results: Counter<'channel' | 'result'>;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly recipients: Recipients,
    private readonly incidents: FleetIncidents,
    private readonly links: Links,
    private readonly clock: Clock,
    webhook: WebhookChannel,
    email: EmailChannel,
    log: LogChannel,
    metrics: Metrics,
  ) {
    this.channels = new Map([webhook, email, log].map((channel) => [channel.name, channel]));
    this.results = new Counter({
      name: 'pillwatch_deliveries_total',
      help: 'Messages by channel and what became of them',
      labelNames: ['channel', 'result'],
      registers: [metrics],
    });
  }

  /** Sends until nothing is due. @returns how many messages it has dealt with. */
  async run(stopping: () => boolean = () => false): Promise<number> {
    let total = 0;
    while (!stopping()) {
      const { claim, deliveries } = await this.deliveries.claimDue(this.clock.now(), DELIVERY_LEASE_MS, PAGE);
      if (deliveries.length === 0) break;
      await this.sendPage(await this.read(claim, deliveries), deliveries, stopping);
      total += deliveries.length;
    }
    return total;
  }

  private async read(claim: Claim, deliveries: Delivery[]): Promise<Page> {
    const ids = deliveries.map(({ alert_id }) => alert_id);
    const [alerts, siblings, incident] = await Promise.all([
      this.alerts.findByIds(ids),
      this.deliveries.findByAlerts(ids),
      this.incidents.holding(),
    ]);
    const contacts = await this.recipients.contactsOf(alerts.map(({ user_id }) => user_id));
    return {
      claim,
      alerts: new Map(alerts.map((alert) => [alert._id.toHexString(), alert])),
      siblings,
      contacts,
      incident,
    };
  }

  private async sendPage(page: Page, deliveries: Delivery[], stopping: () => boolean): Promise<void> {
    const groups = this.digest(deliveries).values();
    const worker = async (): Promise<void> => {
      for (const group of groups) {
        // a lease that could end before the answer comes is left to whoever claims next, as is a stop
        if (stopping() || page.claim.until.getTime() - this.clock.now().getTime() < WEBHOOK_TIMEOUT_MS)
          return;
        await this.sendGroup(page, group);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Several messages to one recipient at once are one, where the channel can. */
  private digest(deliveries: Delivery[]): Delivery[][] {
    const groups = new Map<string, Delivery[]>();
    for (const delivery of deliveries) {
      const key = this.channels.get(delivery.channel)!.digests
        ? `${delivery.channel} ${delivery.recipient}`
        : delivery._id;
      groups.set(key, [...(groups.get(key) ?? []), delivery]);
    }
    return [...groups.values()];
  }

  private async sendGroup(page: Page, group: Delivery[]): Promise<void> {
    const now = this.clock.now();
    const ready: { delivery: Delivery; alert: Alert; reach: Reach | undefined }[] = [];
    for (const delivery of group) {
      const alert = page.alerts.get(delivery.alert_id.toHexString());
      const reach = this.recipients.reachOf(delivery.recipient, alert && page.contacts.get(alert.user_id));
      const objection = recheck(delivery, {
        alert,
        siblings: page.siblings,
        reach,
        incident: page.incident,
        now,
      });
      if (objection) await this.settle(page.claim, delivery, objection);
      else ready.push({ delivery, alert: alert!, reach });
    }
    const [first, ...others] = ready;
    if (!first) return;
    const attempt = await this.attempt([first, ...others]);
    for (const { delivery } of ready) await this.settle(page.claim, delivery, attempt(delivery));
  }

  private async settle(claim: Claim, delivery: Delivery, result: DeliveryResult): Promise<void> {
    this.results.inc({ channel: delivery.channel, result: result.kind });
    await this.deliveries.settle(delivery._id, claim, result);
  }

  /** Sends, and says what that makes of each delivery. */
  private async attempt([first, ...others]: [ReadyToSend, ...ReadyToSend[]]): Promise<
    (delivery: Delivery) => DeliveryResult
  > {
    const channel = this.channels.get(first.delivery.channel)!;
    const outgoing = ({ delivery, alert }: ReadyToSend) => ({
      delivery,
      message: messageOf(delivery, alert, this.links.acknowledge(delivery)),
    });
    try {
      const { status } = await channel.send([outgoing(first), ...others.map(outgoing)], first.reach);
      const attempt = this.note({ ok: true, ...(status === undefined ? {} : { status }) });
      return () => ({ kind: 'delivered', attempt });
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = this.note({
        ok: false,
        error: error.message,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
      return (delivery) => failed(delivery, attempt, error.permanent);
    }
  }

  private note(how: Omit<Attempt, 'at'>): Attempt {
    return { at: this.clock.now(), ...how };
  }
}

interface ReadyToSend {
  delivery: Delivery;
  alert: Alert;
  reach: Reach | undefined;
}

function failed({ attempts }: Delivery, attempt: Attempt, permanent: boolean): DeliveryResult {
  const wait = permanent ? undefined : waitAfter(attempts.length + 1, Math.random());
  if (wait !== undefined)
    return { kind: 'retry', attempt, next_attempt_at: new Date(attempt.at.getTime() + wait) };
  return { kind: 'dead', attempt, reason: permanent ? attempt.error! : `${MAX_ATTEMPTS} attempts failed` };
}
