import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { now } from '../time/clock.js';
import { address } from './http.js';
import { session } from './session.js';

/** Whether what is shown is how things are. */
export interface LiveState {
  kind: 'connecting' | 'live' | 'stale';
  /** When the server was last heard. Epoch milliseconds. */
  lastSeenAt: number;
}

/** The server says every 15 s that it is there. */
const SILENCE_MS = 40_000;
/** A connection that fails at once is tried again after this long, then after twice as long, and so on. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 20_000;
/** Lists that many things change are read again at most this often. */
const CALM_MS = 1_500;

const EVENTS = ['bottle', 'alert', 'delivery', 'fleet', 'reset', 'alive'] as const;
type EventName = (typeof EVENTS)[number];

interface LiveEvent {
  bottle_id?: string;
  alert_id?: string;
}

/**
 * One stream of server-sent events a tab: a browser allows six connections to one origin. It says what has changed;
 * what of it is on the page is read again. After a lost connection the stream goes on where it stopped.
 */
export class Live {
  private state: LiveState = { kind: 'connecting', lastSeenAt: now() };
  private source: EventSource | undefined;
  private lastId = '';
  private bottleId: string | undefined;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly due = new Map<string, string[]>();
  private calm: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): LiveState => this.state;

  /** Connects while the page is seen; a hidden one catches up when it is looked at again. */
  start(): () => void {
    const look = (): void => (document.hidden ? this.disconnect() : this.connect());
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', this.retryNow);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', this.retryNow);
      this.disconnect();
    };
  }

  /** Everything of this bottle is wanted too. */
  watch(bottleId: string | undefined): void {
    if (this.bottleId === bottleId) return;
    this.bottleId = bottleId;
    if (this.source) this.connect();
  }

  readonly retryNow = (): void => {
    this.failures = 0;
    if (!document.hidden) this.connect();
  };

  private connect(): void {
    this.disconnect();
    const source = new EventSource(
      address('/v1/events', { bottle_id: this.bottleId, last_event_id: this.lastId }),
    );
    this.source = source;
    source.addEventListener('open', () => this.hear());
    for (const name of EVENTS) source.addEventListener(name, (event) => this.take(name, event));
    source.addEventListener('error', () => this.lost());
    this.expectWord();
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }

  private hear(): void {
    this.failures = 0;
    // what could not be read meanwhile can be now
    if (this.state.kind === 'stale')
      void this.queries.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      });
    this.set({ kind: 'live', lastSeenAt: now() });
    this.expectWord();
  }

  private expectWord(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(), SILENCE_MS);
  }

  private lost(): void {
    this.disconnect();
    this.set({ kind: 'stale', lastSeenAt: this.state.lastSeenAt });
    // it may be the session that has ended: then a dialog says so
    if (this.failures > 0) void session.load();
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private take(name: EventName, event: MessageEvent<string>): void {
    this.hear();
    if (event.lastEventId !== '') this.lastId = event.lastEventId;
    if (name === 'alive') return;
    if (name === 'reset') return void this.queries.invalidateQueries();
    for (const key of affected(name, JSON.parse(event.data) as LiveEvent)) this.due.set(key.join(' '), key);
    if (this.calm === undefined) this.flush();
  }

  /** The first change shows at once, those that follow it closely together. */
  private flush(): void {
    this.calm = undefined;
    if (this.due.size === 0) return;
    for (const queryKey of this.due.values()) void this.queries.invalidateQueries({ queryKey });
    this.due.clear();
    this.calm = setTimeout(() => this.flush(), CALM_MS);
  }

  private set(state: LiveState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** What of the page may look different after an event: beginnings of query keys. */
function affected(name: EventName, { bottle_id, alert_id }: LiveEvent): string[][] {
  return [
    ...(bottle_id === undefined ? [] : [['bottle', bottle_id]]),
    ...(alert_id === undefined ? [] : [['alert', alert_id]]),
    // more of them than can be named
    ...(alert_id === undefined && (name === 'alert' || name === 'delivery') ? [['alert']] : []),
    ...(name === 'bottle' ? [['bottles']] : []),
    ...(name === 'alert' ? [['alerts']] : []),
    ...(name === 'delivery' ? [['deliveries']] : []),
    ...(name === 'alert' || name === 'fleet' ? [['fleet']] : []),
  ];
}

export function useLiveState(live: Live): LiveState {
  return useSyncExternalStore(live.subscribe, live.get);
}

/** Has everything about one bottle sent to this page while it shows it. */
export function useWatchedBottle(live: Live, bottleId: string): void {
  useEffect(() => {
    live.watch(bottleId);
    return () => live.watch(undefined);
  }, [live, bottleId]);
}
