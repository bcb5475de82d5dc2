import {
  type Alert,
  AlertsRepository,
  type Attempt,
  type Claim,
  DeliveriesRepository,
  type Delivery,
  type DeliveryResult,
} from '#persistence';
import { Clock, Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MAX_ATTEMPTS, waitAfter } from './backoff.js';
import { DeliveryError, type DeliveryChannel } from './channel.js';
import { LogChannel } from './log.channel.js';
import { messageOf } from './message.js';
import { WEBHOOK_TIMEOUT_MS, WebhookChannel } from './webhook.channel.js';

const PAGE = 40;
const AT_ONCE = 20;
/** A page takes at most PAGE / AT_ONCE timeouts; the lease outlives it. */
export const DELIVERY_LEASE_MS = 30_000;
/** While it is not known whether a receiver was told of an alert, the message of its end waits this long. */
const WAIT_FOR_FIRST_MS = 5_000;

/**
 * Sends what is due. A message is claimed before and marked after: a crash in between sends it again under
 * the same id. What has ended meanwhile is not sent, and only who was told hears of an end.
 */
@Injectable()
export class Deliverer {
  private readonly channels: Map<string, DeliveryChannel>;
  private readonly attempts: Counter<'channel' | 'result'>;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
    webhook: WebhookChannel,
    log: LogChannel,
    metrics: Metrics,
  ) {
    this.channels = new Map([webhook, log].map((channel) => [channel.name, channel]));
    this.attempts = new Counter({
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
      await this.sendPage(claim, deliveries);
      total += deliveries.length;
    }
    return total;
  }

  private async sendPage(claim: Claim, deliveries: Delivery[]): Promise<void> {
    const ids = deliveries.map(({ alert_id }) => alert_id);
    const [alerts, siblings] = await Promise.all([
      this.alerts.findByIds(ids),
      this.deliveries.findByAlerts(ids),
    ]);
    const byId = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    const queue = deliveries.values();
    const worker = async (): Promise<void> => {
      for (const delivery of queue) {
        // a lease that could end before the answer comes is left to whoever claims next
        if (claim.until.getTime() - this.clock.now().getTime() < WEBHOOK_TIMEOUT_MS) return;
        const result = await this.deal(delivery, byId.get(delivery.alert_id.toHexString()), siblings);
        this.attempts.inc({ channel: delivery.channel, result: result.kind });
        await this.deliveries.settle(delivery._id, claim, result);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async deal(
    delivery: Delivery,
    alert: Alert | undefined,
    siblings: Delivery[],
  ): Promise<DeliveryResult> {
    if (!alert) return { kind: 'cancelled', reason: 'the alert was erased' };
    const objection = delivery.event === 'raised' ? staleRaise(alert) : this.untoldEnd(delivery, siblings);
    return objection ?? this.attempt(delivery, alert);
  }

  private untoldEnd(delivery: Delivery, siblings: Delivery[]): DeliveryResult | undefined {
    const first = siblings.find(
      (other) =>
        other.event === 'raised' &&
        other.alert_id.equals(delivery.alert_id) &&
        other.recipient === delivery.recipient &&
        other.channel === delivery.channel,
    );
    if (first && mayHaveArrived(first)) return undefined;
    if (first?.status === 'pending') {
      return { kind: 'postponed', next_attempt_at: new Date(this.clock.now().getTime() + WAIT_FOR_FIRST_MS) };
    }
    return { kind: 'cancelled', reason: 'the recipient was never told of the alert' };
  }

  private async attempt(delivery: Delivery, alert: Alert): Promise<DeliveryResult> {
    try {
      const { status } = await this.channels
        .get(delivery.channel)!
        .send(delivery, messageOf(delivery, alert));
      return {
        kind: 'delivered',
        attempt: this.note({ ok: true, ...(status === undefined ? {} : { status }) }),
      };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const attempt = this.note({
        ok: false,
        error: error.message,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
      const wait = waitAfter(delivery.attempts.length + 1, Math.random());
      if (error.permanent || wait === undefined) {
        return {
          kind: 'dead',
          attempt,
          reason: error.permanent ? error.message : `${MAX_ATTEMPTS} attempts failed`,
        };
      }
      return { kind: 'retry', attempt, next_attempt_at: new Date(attempt.at.getTime() + wait) };
    }
  }

  private note(how: Omit<Attempt, 'at'>): Attempt {
    return { at: this.clock.now(), ...how };
  }
}

/** An alert that has ended meanwhile is not announced any more. */
function staleRaise(alert: Alert): DeliveryResult | undefined {
  return alert.open ? undefined : { kind: 'cancelled', reason: 'the alert had ended before it was sent' };
}

/** Delivered, or tried without an answer: then it may have arrived (alertmanager#2657). */
function mayHaveArrived({ status, attempts }: Delivery): boolean {
  const unanswered = attempts.some((attempt) => !attempt.ok && attempt.status === undefined);
  return status === 'delivered' || (status !== 'pending' && unanswered);
}
