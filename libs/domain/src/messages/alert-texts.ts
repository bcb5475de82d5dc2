import { type AlertContent, type AlertKind, alertKindFacts } from '../alerts/alert-kinds.js';
import type { Say, Phrases } from '../language/phrases.js';
import { notificationEventFacts } from '../notifications/notification-events.js';

/** The title of a notification, in its recipient's language. */
export function alertTitle<K extends AlertKind>(
  { kind, event, evidence }: AlertContent<K>,
  say: Say,
): string {
  const { title: ofKind, titles } = alertKindFacts<K>(kind);
  const title = titles?.[event];
  const own = typeof title === 'function' ? title(evidence, say) : title && say(title);
  return own ?? say(notificationEventFacts(event).title ?? ofKind);
}

/** The sentences of its body that only this kind has. */
export function kindLines<K extends AlertKind>(content: AlertContent<K>, phrases: Phrases): string[] {
  return alertKindFacts<K>(content.kind).lines?.(content, phrases) ?? [];
}
