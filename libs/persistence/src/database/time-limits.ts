import { DAY_MS } from '#domain';
/**
 * A command without an answer for so long fails, and its connection is closed; the driver repeats it once where it may.
 * Otherwise a connection that a router has forgotten would keep its command for ever. Milliseconds.
 */
export const COMMAND_LIMIT_MS = 10_000;

/**
 * How long a command waits for a connection while all of the pool are busy. Shorter than callers wait for an answer.
 * Milliseconds.
 */
export const CONNECTION_LIMIT_MS = 5_000;

/**
 * Options of a command with a limit of its own, which the driver passes on to the connection; its option `timeoutMS`
 * has no effect. `maxTimeMS` is here for the driver's types only.
 */
interface CommandLimit {
  socketTimeoutMS: number;
  maxTimeMS?: number;
}

/** For a command whose work grows with the fleet: an hour of the whole log. */
export const LONG_COMMAND: CommandLimit = { socketTimeoutMS: 15 * 60_000 };

/** For an index of a collection that may be large. */
export const INDEX_COMMAND: CommandLimit = { socketTimeoutMS: DAY_MS };
