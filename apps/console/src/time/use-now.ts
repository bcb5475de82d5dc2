import { useSyncExternalStore } from 'react';
import { now } from './clock.js';

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
