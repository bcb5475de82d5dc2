import { useSyncExternalStore } from 'react';

/**
 * The page's only source of time. "23 min ago" is reckoned by the server's clock, because the clock of the machine
 * that shows it may be wrong.
 */
let ahead = 0;

/** A `Date` header has whole seconds, and the answer took a while: smaller differences say nothing. */
const NOTICEABLE_MS = 3_000;

/** The present moment by the server's clock. Epoch milliseconds. */
export function now(): number {
  return Date.now() + ahead;
}

/** Learns how far the server's clock is ahead, out of the `Date` header of an answer. */
export function learnServerTime(header: string | null): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const difference = server + 500 - Date.now();
  ahead = Math.abs(difference) < NOTICEABLE_MS ? 0 : difference;
}

const TICK_MS = 5_000;

const listeners = new Set<() => void>();
let shown = now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  shown = now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    shown = now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present moment, again every few seconds: whatever shows "23 min ago" shows the same one. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => shown);
}
