import { Store, useStore } from '../api/store.js';

/**
 * The page's only source of time. It follows the server's clock, because the clock of the user's machine may be
 * wrong.
 */
let ahead = 0;

/** A `Date` header has whole seconds and responses take time, so smaller differences mean nothing. */
const NOTICEABLE_MS = 3_000;

/** The present moment by the server's clock. Epoch milliseconds. */
export function now(): number {
  return machineNow() + ahead;
}

/** By the clock of the user's machine, which no response corrects: for spans between two moments on this page. */
export function machineNow(): number {
  return Date.now();
}

/** Learns the offset of the server's clock from the `Date` header of a response. */
export function learnServerTime(header: string | null): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const difference = server + 500 - machineNow();
  const before = ahead;
  ahead = Math.abs(difference) < NOTICEABLE_MS ? 0 : difference;
  if (Math.abs(ahead - before) >= NOTICEABLE_MS) shown.set(now());
}

const TICK_MS = 5_000;

const shown = new Store(now());
setInterval(() => shown.set(now()), TICK_MS);

/** The present moment, updated every few seconds and the same for all components. */
export function useNow(): number {
  return useStore(shown);
}
