import { type AlertKind, alertKindFacts, type NotificationEvent, notificationEventFacts } from '#domain';

/** What a notification says of an alert, as a receiver gets it. Times are ISO 8601, UTC. */
export interface AlertMessage {
  kind: AlertKind;
  event: NotificationEvent;
  subject: string;
  evidence: Record<string, unknown>;
}

/** The wording of one kind's notifications. */
export interface KindTexts {
  /**
   * Titles by event, where they differ from the event's own in the catalogue of events. `raised` is the title in the
   * catalogue of kinds, and so is `escalated` unless given. Titles name no medication: a locked phone shows them to
   * whoever looks.
   */
  titles: Partial<Record<NotificationEvent, string | ((evidence: Record<string, unknown>) => string)>>;
  /**
   * Sentences of the body that only this kind has.
   *
   * @param at formats an ISO time in the recipient's zone
   */
  lines?: (message: AlertMessage, at: (iso: string) => string) => string[];
}

/** The wording of every kind's notifications; channels ask here, and know no kind. */
export class AlertTexts {
  constructor(private readonly texts: Readonly<Record<AlertKind, KindTexts>>) {}

  title({ kind, event, evidence }: AlertMessage): string {
    const title = this.texts[kind].titles[event];
    if (typeof title === 'function') return title(evidence);
    if (title !== undefined) return title;
    return notificationEventFacts(event).title ?? alertKindFacts(kind).title;
  }

  lines(message: AlertMessage, at: (iso: string) => string): string[] {
    return this.texts[message.kind].lines?.(message, at) ?? [];
  }
}
