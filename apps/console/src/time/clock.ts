import { useSyncExternalStore } from 'react';

/**
 * The page's only source of time. It follows the server's clock, because the clock of the user's machine may be
 * wrong.
 */
let ahead = 0;

/** A `Date` header has whole seconds and responses take time, so smaller differences mean nothing. */
const NOTICEABLE_MS = 3_000;

/** The present moment by the server's clock. Epoch milliseconds. */
export function now(): number {
  return Date.now() + ahead;
}

/** Learns the offset of the server's clock from the `Date` header of a response. */
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

/** The present moment, updated every few seconds and the same for all components. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => shown);
}
