import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { messageEventLabel } from '../../alert-kinds/message-events.js';
import type { Message } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';

/** The title of a message as its recipient got it, which the server wrote in English; while it has none, what it is about. */
export function MessageTitle({ of: { title, kind, event } }: { of: Message }) {
  return title === null ? (
    `${alertKind(kind).label}: ${messageEventLabel(event)}`
  ) : (
    <span lang="en">{title}</span>
  );
}

/** The text of a message, or why there is none. */
export function messageText({ text, text_changed }: Message): string {
  if (text_changed) return t('What this message was about has changed since; its text is not kept.');
  return text ?? t('Text deleted with its alert');
}
