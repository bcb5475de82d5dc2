import type { AlertKind, NotificationEvent } from '#domain';
import type { Alert, Delivery } from '#persistence';
import { Clock, signLink } from '#platform';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const LINK_LIFETIME_MS = 3 * 24 * 60 * 60_000;

/** The content of a notification; the JSON body of a webhook. Times are ISO 8601, UTC. */
export interface Message {
  /** `alert.` and the event, such as `alert.raised`. */
  type: string;
  timestamp: string;
  data: {
    alert_id: string;
    bottle_id: string;
    user_id: string;
    medication: string;
    kind: AlertKind;
    event: NotificationEvent;
    subject: string;
    state: string;
    deadline: string;
    raised_at: string;
    ended_at?: string;
    /** A page on which the recipient can acknowledge; absent once the alert has ended. */
    acknowledge_url?: string;
    evidence: Record<string, unknown>;
  };
}

/** Composes messages. */
@Injectable()
export class Messages {
  constructor(
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** The message of a notification, from the alert as it is now. */
  compose(delivery: Delivery, alert: Alert): Message {
    const acknowledgeUrl = alert.open ? this.acknowledgeUrl(delivery) : undefined;
    return {
      type: `alert.${delivery.event}`,
      timestamp: delivery.created_at.toISOString(),
      data: {
        alert_id: alert._id.toHexString(),
        bottle_id: alert.bottle_id.toHexString(),
        user_id: alert.user_id,
        medication: alert.medication,
        kind: alert.kind,
        event: delivery.event,
        subject: alert.subject,
        state: alert.state,
        deadline: alert.deadline.toISOString(),
        raised_at: alert.raised_at.toISOString(),
        ...(alert.ended_at ? { ended_at: alert.ended_at.toISOString() } : {}),
        ...(acknowledgeUrl === undefined ? {} : { acknowledge_url: acknowledgeUrl }),
        evidence: alert.evidence,
      },
    };
  }

  /** A signed link for this recipient, valid for three days; undefined without PUBLIC_URL and LINK_SECRET. */
  private acknowledgeUrl({ alert_id, recipient }: Delivery): string | undefined {
    const { PUBLIC_URL, LINK_SECRET } = this.config;
    if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
    const token = signLink(LINK_SECRET, {
      purpose: 'acknowledge',
      alert_id: alert_id.toHexString(),
      recipient,
      expires_at: new Date(this.clock.now().getTime() + LINK_LIFETIME_MS),
    });
    return `${PUBLIC_URL.replace(/\/$/, '')}/a/${token}`;
  }
}
