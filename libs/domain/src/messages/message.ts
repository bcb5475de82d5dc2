import type { Alert } from '../alerts/alert.js';
import { type AlertEnding, asksForDose, type OfKind } from '../alerts/alert-kinds.js';
import type { CloseReason, Closing } from '../alerts/closing.js';
import type { DoseInGapEvidence } from '../alerts/kinds/coverage-gap/facts.js';
import type { MissedDoseEvidence } from '../alerts/kinds/missed-dose/evidence.js';
import { endingOf } from '../alerts/ended-as.js';
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
    /** As the user's contact names the person; absent if it does not. */
    user_name?: string;
    medication: string;
    /** By which people tell the bottle from their others; absent if it has none. */
    label?: string;
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
    /** Of `summary` and `unconfirmed`: all doses that it is about, oldest first. The other fields are the first's. */
    doses?: SummarizedDose[];
  } & OfKind;
}

/** One dose of a summary. */
export interface SummarizedDose extends Pick<
  Message['data'],
  'alert_id' | 'bottle_id' | 'user_id' | 'user_name' | 'medication' | 'label' | 'subject' | 'statement_url'
> {
  evidence: MissedDoseEvidence | DoseInGapEvidence;
}

/** Several messages about doses as one. */
export function summarize(messages: readonly Message[]): Message {
  const inOrder = messages.toSorted((one, other) => (one.data.subject < other.data.subject ? -1 : 1));
  const [{ data, ...first }] = inOrder as [Message];
  const doses = inOrder.map(
    ({
      data: { alert_id, bottle_id, user_id, user_name, medication, label, subject, evidence, statement_url },
    }) => ({
      alert_id,
      bottle_id,
      user_id,
      ...(user_name !== undefined && { user_name }),
      medication,
      ...(label !== undefined && { label }),
      subject,
      // only doses are summarized
      evidence: evidence as SummarizedDose['evidence'],
      ...(statement_url !== undefined && { statement_url }),
    }),
  );
  return { ...first, data: { ...data, doses } };
}

/** By which people know whose bottle it is, and which. */
export type MessageNames = Pick<Message['data'], 'user_name' | 'label'>;

type MessageLinks = Pick<Message['data'], 'acknowledge_url' | 'statement_url'>;

/** What the page behind a message's link is offered for; one page serves for both. @param url undefined without links */
export function messageLinks(
  event: NotificationEvent,
  alert: OfKind,
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
 * @param names what has one
 */
export function composeMessage(
  { event, created_at }: { event: NotificationEvent; created_at: Date },
  alert: Alert,
  { acknowledge_url, statement_url }: MessageLinks = {},
  { user_name, label }: MessageNames = {},
): Message {
  const ending = endingOf(alert);
  return {
    type: `alert.${event}`,
    timestamp: created_at.toISOString(),
    data: {
      alert_id: alert._id.toHexString(),
      bottle_id: alert.bottle_id.toHexString(),
      user_id: alert.user_id,
      ...(user_name !== undefined && { user_name }),
      medication: alert.medication,
      ...(label !== undefined && { label }),
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
    } as Message['data'],
  };
}

/** What people read of a closing: a note beside another reason is for staff only. */
function closedView({ by, at, reason, note }: Closing): NonNullable<Message['data']['closed']> {
  return { by, at: at.toISOString(), reason, ...(reason === 'other' && note !== undefined && { note }) };
}
