/** A line of a stack: `at name (place)` or `at place`. */
const FRAME = /^\s+at (?:.* \(.+\)|\S+:\d+:\d+)$/;
/**
 * Databases, parsers and validators quote the values that they refuse. A value may have several lines, and one that is cut
 * off has no end.
 */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|$)/gs;
/** Mail addresses, and addresses of servers with a password. */
const WITH_AT = /[^\s<>"'(),;]+@[^\s<>"'(),;]+/g;

/** A line of the log, or an error's stack, without what may be a person's data or a secret. Its frames stay. */
export function withoutValues(text: string): string {
  const parts: string[] = [];
  let message: string[] = [];
  const endMessage = (): void => {
    if (message.length > 0) parts.push(message.join('\n').replace(QUOTED, '"…"').replace(WITH_AT, '…'));
    message = [];
  };
  for (const line of text.split('\n')) {
    if (!FRAME.test(line)) message.push(line);
    else {
      endMessage();
      parts.push(line);
    }
  }
  endMessage();
  return parts.join('\n');
}
