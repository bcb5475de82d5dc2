import type { At } from '../alerts/alert-kind-facts.js';
import { type AlertContent, type AlertKind, alertKindFacts } from '../alerts/alert-kinds.js';
import { notificationEventFacts } from '../notifications/notification-events.js';

/** The title of a notification. */
export function alertTitle<K extends AlertKind>({ kind, event, evidence }: AlertContent<K>): string {
  const { title: ofKind, titles } = alertKindFacts<K>(kind);
  const title = titles?.[event];
  return (
    (typeof title === 'function' ? title(evidence) : title) ?? notificationEventFacts(event).title ?? ofKind
  );
}

/** The sentences of its body that only this kind has. */
export function kindLines<K extends AlertKind>(content: AlertContent<K>, at: At): string[] {
  return alertKindFacts<K>(content.kind).lines?.(content, at) ?? [];
}
