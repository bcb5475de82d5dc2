import { alertKindFacts } from '../alert-kinds/alert-kinds.js';
import { notificationEventFacts } from '../alert-kinds/notification-events.js';
import { type AlertMessage, KIND_TEXTS } from './kind-texts.js';

/** The title of a notification. */
export function alertTitle({ kind, event, evidence }: AlertMessage): string {
  const title = KIND_TEXTS[kind].titles[event];
  if (typeof title === 'function') return title(evidence);
  if (title !== undefined) return title;
  return notificationEventFacts(event).title ?? alertKindFacts(kind).title;
}

/** The sentences of its body that only this kind has. @param at formats an ISO time in the recipient's zone */
export function kindLines(message: AlertMessage, at: (iso: string) => string): string[] {
  return KIND_TEXTS[message.kind].lines?.(message, at) ?? [];
}
