import { alertKind } from '../../alert-kinds/alert-kinds.js';
import type { Message } from '../../api/schema.js';

/** The title of a message as its recipient got it, which the server wrote in English; the kind while it has none. */
export function MessageTitle({ of: { title, kind } }: { of: Pick<Message, 'title' | 'kind'> }) {
  return title === null ? alertKind(kind).label : <span lang="en">{title}</span>;
}
