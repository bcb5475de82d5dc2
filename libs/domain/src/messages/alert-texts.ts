import { type AlertKind, alertKindFacts } from '../alert-kinds/alert-kinds.js';
import { notificationEventFacts } from '../notifications/notification-events.js';
import type { AlertContent } from './dose-texts.js';

interface AlertMessage extends AlertContent {
  kind: AlertKind;
}

/** The title of a notification. */
export function alertTitle({ kind, event, evidence }: AlertMessage): string {
  const { title: ofKind, titles } = alertKindFacts(kind);
  const title = titles?.[event];
  return (
    (typeof title === 'function' ? title(evidence) : title) ?? notificationEventFacts(event).title ?? ofKind
  );
}

/** The sentences of its body that only this kind has. @param at formats an ISO time in the recipient's zone */
export function kindLines(message: AlertMessage, at: (iso: string) => string): string[] {
  return alertKindFacts(message.kind).lines?.(message, at) ?? [];
}
