import { type AlertEnding, type AlertKind, asksForDose } from '../alert-kinds/alert-kinds.js';
import type { CloseReason, Closing } from '../alert-kinds/closing.js';
import { endingOf } from '../alert-kinds/ended-as.js';
import { type NotificationEvent, notificationEventFacts } from '../notifications/notification-events.js';

/** The content of a notification; the JSON body of a webhook. Times are ISO 8601, UTC. */
export interface Message {
  /** `alert.` and the event: `alert.raised`. */
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
    /** How it ended; absent before. */
    ended_as?: AlertEnding;
    /** Present once staff closed it. `note` is present with the reason `other`. */
    closed?: { by: string; at: string; reason: CloseReason; note?: string };
    /** A page on which the recipient can acknowledge; absent once the alert has ended. */
    acknowledge_url?: string;
    /** A page on which the recipient can say what became of the dose; absent for other kinds and for good ends. */
    statement_url?: string;
    evidence: Record<string, unknown>;
    /** Of `summary` and `unconfirmed`: all doses that it is about, oldest first. The other fields are the first's. */
    doses?: SummarizedDose[];
  };
}

/** One dose of a summary. */
export type SummarizedDose = Pick<
  Message['data'],
  'alert_id' | 'bottle_id' | 'user_id' | 'medication' | 'subject' | 'evidence' | 'statement_url'
>;

/** Several messages about doses as one. */
export function summarize(messages: readonly Message[]): Message {
  const inOrder = messages.toSorted((one, other) => (one.data.subject < other.data.subject ? -1 : 1));
  const [{ data, ...first }] = inOrder as [Message];
  const doses = inOrder.map(
    ({ data: { alert_id, bottle_id, user_id, medication, subject, evidence, statement_url } }) => ({
      alert_id,
      bottle_id,
      user_id,
      medication,
      subject,
      evidence,
      ...(statement_url !== undefined && { statement_url }),
    }),
  );
  return { ...first, data: { ...data, doses } };
}

/** An alert as messages show it. */
export interface MessageAlert {
  _id: { toHexString(): string };
  bottle_id: { toHexString(): string };
  user_id: string;
  medication: string;
  kind: AlertKind;
  subject: string;
  state: string;
  deadline: Date;
  raised_at: Date;
  ended_at?: Date;
  closing?: Closing;
  evidence: Record<string, unknown>;
}

type MessageLinks = Pick<Message['data'], 'acknowledge_url' | 'statement_url'>;

/** What the page behind a message's link is offered for; one page serves for both. @param url undefined without links */
export function messageLinks(
  event: NotificationEvent,
  alert: Pick<MessageAlert, 'kind' | 'evidence'>,
  canBeAcknowledged: boolean,
  url: string | undefined,
): MessageLinks {
  if (url === undefined) return {};
  return {
    ...(canBeAcknowledged && { acknowledge_url: url }),
    ...(notificationEventFacts(event).asksForDose && asksForDose(alert) && { statement_url: url }),
  };
}

/**
 * Composes the message of a notification from the alert as it is now.
 *
 * @param created_at when the notification was queued
 */
export function composeMessage(
  { event, created_at }: { event: NotificationEvent; created_at: Date },
  alert: MessageAlert,
  { acknowledge_url, statement_url }: MessageLinks = {},
): Message {
  const ending = endingOf(alert);
  return {
    type: `alert.${event}`,
    timestamp: created_at.toISOString(),
    data: {
      alert_id: alert._id.toHexString(),
      bottle_id: alert.bottle_id.toHexString(),
      user_id: alert.user_id,
      medication: alert.medication,
      kind: alert.kind,
      event,
      subject: alert.subject,
      state: alert.state,
      deadline: alert.deadline.toISOString(),
      raised_at: alert.raised_at.toISOString(),
      ...(alert.ended_at ? { ended_at: alert.ended_at.toISOString() } : {}),
      ...(ending ? { ended_as: ending } : {}),
      ...(alert.closing ? { closed: closedView(alert.closing) } : {}),
      ...(acknowledge_url === undefined ? {} : { acknowledge_url }),
      ...(statement_url === undefined ? {} : { statement_url }),
      evidence: alert.evidence,
    },
  };
}

/** What people read of a closing: a note beside another reason is for staff only. */
function closedView({ by, at, reason, note }: Closing): NonNullable<Message['data']['closed']> {
  return { by, at: at.toISOString(), reason, ...(reason === 'other' && note !== undefined && { note }) };
}
