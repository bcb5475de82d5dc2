/**
 * A command without an answer for so long fails, and its connection is closed; the driver repeats it once where it may.
 * Otherwise a connection that a router has forgotten would keep its command for ever. Milliseconds.
 */
export const COMMAND_LIMIT_MS = 10_000;

/** For a command whose work grows with the fleet: a new index, or an hour of the whole log. */
export const LONG_COMMAND = { timeoutMS: 15 * 60_000 } as const;

/** For an index of a collection that may be large. */
export const INDEX_COMMAND = { timeoutMS: 24 * 60 * 60_000 } as const;
