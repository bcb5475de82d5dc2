const FRAME = /^\s+at /;
/** Databases, parsers and validators quote the values that they refuse. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** Mail addresses, and addresses of servers with a password. */
const WITH_AT = /[^\s<>"'(),;]+@[^\s<>"'(),;]+/g;

/** A line of the log, or an error's stack, without what may be a person's data or a secret. Its frames stay. */
export function withoutValues(text: string): string {
  return text
    .split('\n')
    .map((line) => (FRAME.test(line) ? line : line.replace(QUOTED, '"…"').replace(WITH_AT, '…')))
    .join('\n');
}
