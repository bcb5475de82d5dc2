import type { AlertKind } from '#domain';
import type { Alert, Delivery, MessageEvent } from '#persistence';

/** What a receiver gets: the JSON body of a webhook, and the log's line. Times are ISO 8601, UTC. */
export interface Message {
  /** `alert.raised`, `alert.missed`, `alert.resolved`, `alert.retracted`. */
  type: string;
  timestamp: string;
  data: {
    alert_id: string;
    bottle_id: string;
    user_id: string;
    medication: string;
    kind: AlertKind;
    event: MessageEvent;
    subject: string;
    state: string;
    deadline: string;
    raised_at: string;
    ended_at?: string;
    /** Opens a page on which the recipient can acknowledge; absent once the alert has ended. */
    acknowledge_url?: string;
    evidence: Record<string, unknown>;
  };
}

/** The message for a delivery, from the alert as it is now. */
export function messageOf(delivery: Delivery, alert: Alert, acknowledgeUrl?: string): Message {
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
      ...(acknowledgeUrl === undefined || !alert.open ? {} : { acknowledge_url: acknowledgeUrl }),
      evidence: alert.evidence,
    },
  };
}
