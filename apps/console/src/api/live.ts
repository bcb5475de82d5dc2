import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { now } from '../time/clock.js';
import { address, UNREACHABLE } from './http.js';
import { session } from './session.js';
import { Store } from './store.js';
import type { Person } from './schema.js';

/** Whether the page receives live updates. */
export interface LiveState {
  kind: 'connecting' | 'live' | 'stale';
  /** Time of the last event. Epoch milliseconds. */
  lastSeenAt: number;
}

/** The server sends an `alive` event every 15 s. */
const TIMEOUT_MS = 20_000;
/** After a request without a response a new stream must open within this time. */
const CHECK_TIMEOUT_MS = 5_000;
/** The delay before the first reconnection; it doubles with every failure. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 20_000;
/** Changed data is reloaded at most this often. */
const FLUSH_INTERVAL_MS = 1_500;
/** And lists of which several pages are shown at most this often. */
const LONG_LIST_INTERVAL_MS = 10_000;

const EVENTS = ['bottle', 'alert', 'delivery', 'contact', 'fleet', 'reset', 'alive'] as const;
type EventName = (typeof EVENTS)[number];

interface LiveEvent {
  bottle_id?: string;
  alert_id?: string;
}

/**
 * One stream of server-sent events per tab, because browsers limit connections per origin. Events name what changed;
 * the affected queries reload. After a lost connection the stream resumes at the last event.
 */
export class Live extends Store<LiveState> {
  private source: EventSource | undefined;
  private lastId = '';
  private bottleId: string | undefined;
  private failures = 0;
  /** Whether it connects again because a request got no response. */
  private isChecking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly due = new Map<string, string[]>();
  private readonly reloadedAt = new Map<string, number>();
  private flushTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param stays whether it stays connected while the page is hidden */
  constructor(
    private readonly queries: QueryClient,
    private readonly stays: () => boolean,
  ) {
    super({ kind: 'connecting', lastSeenAt: now() });
  }

  /** Connects while the page is visible, or stays connected; a hidden page catches up when it is shown again. */
  start(): () => void {
    const update = (): void => {
      if (this.isOff()) this.disconnect();
      else if (!this.source) this.connect();
    };
    document.addEventListener('visibilitychange', update);
    window.addEventListener('online', this.retryNow);
    window.addEventListener('offline', this.lostNetwork);
    window.addEventListener(UNREACHABLE, this.checkNow);
    update();
    return () => {
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('online', this.retryNow);
      window.removeEventListener('offline', this.lostNetwork);
      window.removeEventListener(UNREACHABLE, this.checkNow);
      this.disconnect();
    };
  }

  /** Subscribes to all events of this bottle. */
  watch(bottleId: string | undefined): void {
    if (this.bottleId === bottleId) return;
    this.bottleId = bottleId;
    if (this.source) this.connect();
  }

  readonly retryNow = (): void => {
    this.failures = 0;
    if (!this.isOff()) this.connect();
  };

  /** The stream itself would notice it only when the next event is overdue. */
  private readonly lostNetwork = (): void => {
    if (this.source) this.lost();
  };

  /** A request got no response: connects again at once, and is live only if that succeeds. */
  private readonly checkNow = (): void => {
    if (!this.source || this.isChecking || this.get().kind !== 'live') return;
    this.isChecking = true;
    this.connect(CHECK_TIMEOUT_MS);
  };

  /** Whether a list is shown of which each reload takes several requests. */
  private isLong(queryKey: string[]): boolean {
    const shown = this.queries.getQueryCache().findAll({ queryKey, type: 'active' });
    return shown.some(({ state }) => ((state.data as { pages?: unknown[] })?.pages?.length ?? 0) > 1);
  }

  private isOff(): boolean {
    return document.hidden && !this.stays();
  }

  private connect(timeout = TIMEOUT_MS): void {
    this.disconnect();
    const source = new EventSource(
      address('/v1/events', { bottle_id: this.bottleId, last_event_id: this.lastId }),
    );
    this.source = source;
    source.addEventListener('open', () => this.received());
    for (const name of EVENTS) source.addEventListener(name, (event) => this.handle(name, event));
    source.addEventListener('error', () => this.lost());
    this.restartTimeout(timeout);
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }

  private received(): void {
    this.failures = 0;
    this.isChecking = false;
    // retry the queries that failed in the meantime
    if (this.get().kind === 'stale')
      void this.queries.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      });
    this.set({ kind: 'live', lastSeenAt: now() });
    this.restartTimeout();
  }

  private restartTimeout(timeout = TIMEOUT_MS): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(), timeout);
  }

  private lost(): void {
    this.disconnect();
    this.isChecking = false;
    this.set({ kind: 'stale', lastSeenAt: this.get().lastSeenAt });
    // the session may have ended: a dialog then asks to sign in
    if (this.failures > 0) void session.load();
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private handle(name: EventName, event: MessageEvent<string>): void {
    this.received();
    if (event.lastEventId !== '') this.lastId = event.lastEventId;
    if (name === 'alive') return;
    if (name === 'reset') return void this.queries.invalidateQueries();
    const change = JSON.parse(event.data) as LiveEvent;
    for (const key of [...affected(name, change), ...this.people(change)]) this.due.set(key.join(' '), key);
    if (this.flushTimer === undefined) this.flush();
  }

  /** The query keys of the people whose page has been shown and whose bottle the event is about. */
  private people({ bottle_id }: LiveEvent): string[][] {
    if (bottle_id === undefined) return [];
    return this.queries
      .getQueryCache()
      .findAll({ queryKey: ['person'] })
      .filter(
        ({ queryKey, state }) => queryKey.length === 2 && mayOwn(state.data as Person | undefined, bottle_id),
      )
      .map(({ queryKey }) => queryKey as string[]);
  }

  /** Reloads at once after the first change, and in batches after changes that follow closely. */
  private flush(): void {
    this.flushTimer = undefined;
    if (this.due.size === 0) return;
    for (const [name, queryKey] of this.due) {
      if (this.isLong(queryKey) && now() - (this.reloadedAt.get(name) ?? 0) < LONG_LIST_INTERVAL_MS) continue;
      void this.queries.invalidateQueries({ queryKey });
      this.reloadedAt.set(name, now());
      this.due.delete(name);
    }
    this.flushTimer = setTimeout(() => this.flush(), FLUSH_INTERVAL_MS);
  }
}

/** The query keys that an event affects. */
function affected(name: EventName, { bottle_id, alert_id }: LiveEvent): string[][] {
  return [
    ...(bottle_id === undefined ? [] : [['bottle', bottle_id]]),
    ...(alert_id === undefined ? [] : [['alert', alert_id]]),
    // the event stands for several alerts
    ...(alert_id === undefined && (name === 'alert' || name === 'delivery') ? [['alert'], ['person']] : []),
    ...(name === 'bottle' ? [['bottles']] : []),
    // the counts beside a long list do not wait for it
    ...(name === 'alert' ? [['alerts'], ['alert-counts']] : []),
    ...(name === 'delivery' ? [['deliveries']] : []),
    ...(name === 'contact' ? [['contact'], ['person']] : []),
    ...(name === 'alert' || name === 'fleet' ? [['fleet']] : []),
  ];
}

/** Whether a bottle is one of a person's, as far as the page knows. */
function mayOwn(person: Person | undefined, bottleId: string): boolean {
  if (!person || person.has_more_bottles) return true;
  return [...person.bottles, ...person.former_bottles].some(({ bottle_id }) => bottle_id === bottleId);
}

/** Subscribes to all events of a bottle while its page is shown. */
export function useWatchedBottle(live: Live, bottleId: string): void {
  useEffect(() => {
    live.watch(bottleId);
    return () => live.watch(undefined);
  }, [live, bottleId]);
}
