import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../report/rounds.js';
import { HttpConnection } from './http-connection.js';

/** What to send. */
export interface LoadOrder {
  url: string;
  path: string;
  connections: number;
  seconds: number;
  /** Requests a second, sent at their time whatever the answers; without it each connection waits for its answer. */
  rate?: number;
  /** The fleet that sends, and where in it to begin: each heartbeat is of another bottle or moment. */
  bottles: number;
  from: number;
  /** Items a request; more than one is a hub's batch. */
  batch?: number;
  /** Heartbeats carry nothing but when they were sent: what a real one costs is held against these. */
  empty?: boolean;
  /** The bottles are opened and closed in turn, instead of heartbeats. */
  actions?: boolean;
  /** Those that send are every so-many-th of a big fleet, and not those of `bottleOf`. Batches only. */
  everyOf?: number;
}

/** What came back. */
export interface LoadResult {
  sent: number;
  /** Requests by status; 0 is a connection that ended without an answer. */
  statuses: Record<number, number>;
  seconds: number;
  /** Of what was acknowledged, from the moment at which it was due. Milliseconds. */
  p50: number;
  p99: number;
  /** Of what was refused, from when it was sent to the answer. Milliseconds. */
  refusedP99: number;
  /** Requests acknowledged and refused in each full second. */
  acknowledgedBySecond: number[];
  refusedBySecond: number[];
}

/** A body for the n-th request. */
export type BodyOf = (n: number, order: LoadOrder) => { token: string; body: string };

/**
 * Fewer than wait in the system's queue for a server that does not take them in yet. Node takes in one a turn of its
 * loop: under load some would otherwise be answered a minute later than they were opened.
 */
const OPENED_AT_ONCE = 100;
/** In this time an idle server has taken in the last of them. */
const TAKEN_IN_MS = 100;

/** Sends for a while and counts. */
export async function runLoad(order: LoadOrder, bodyOf: BodyOf): Promise<LoadResult> {
  const load = new Load(order, bodyOf);
  await load.open();
  return load.run();
}

/**
 * With a rate, what finds no free connection waits, and the wait counts: latencies run from when a request was due.
 * Without one, each connection sends its next request when the last was answered.
 */
class Load {
  private readonly url: URL;
  private readonly idle: HttpConnection[] = [];
  private readonly statuses: Record<number, number> = {};
  private readonly acknowledged = new Answers();
  private readonly refused = new Answers();
  private sent = 0;
  private waitedFor = 0;
  private start = 0;
  private end = 0;
  private finish: () => void = () => undefined;

  constructor(
    private readonly order: LoadOrder,
    private readonly bodyOf: BodyOf,
  ) {
    this.url = new URL(order.url);
  }

  async open(): Promise<void> {
    const { connections } = this.order;
    for (let opened = 0; opened < connections; opened += OPENED_AT_ONCE) {
      const some = Math.min(OPENED_AT_ONCE, connections - opened);
      await Promise.all(Array.from({ length: some }, () => this.openOne()));
    }
    await sleep(TAKEN_IN_MS);
  }

  async run(): Promise<LoadResult> {
    const { order, acknowledged, refused, statuses } = this;
    this.start = performance.now();
    this.end = this.start + order.seconds * 1_000;
    for (; performance.now() < this.end; await sleep(1)) this.sendDue();
    if (this.waitedFor > 0) await new Promise<void>((resolve) => (this.finish = resolve));
    const seconds = (performance.now() - this.start) / 1_000;
    for (const connection of this.idle) connection.close();
    return {
      sent: this.sent,
      statuses,
      seconds,
      p50: acknowledged.percentile(0.5),
      p99: acknowledged.percentile(0.99),
      refusedP99: refused.percentile(0.99),
      acknowledgedBySecond: acknowledged.bySecond(order.seconds),
      refusedBySecond: refused.bySecond(order.seconds),
    };
  }

  /** What is due in time and never finds a connection is not sent. */
  private sendDue(): void {
    const now = performance.now();
    if (now >= this.end) return;
    for (let due = this.nextDue(now); due <= now && this.idle.length > 0; due = this.nextDue(now))
      this.send(this.idle.pop()!, due, now);
  }

  private nextDue(now: number): number {
    const { rate } = this.order;
    return rate === undefined ? now : this.start + (this.sent * 1_000) / rate;
  }

  private send(connection: HttpConnection, due: number, now: number): void {
    const { token, body } = this.bodyOf(this.order.from + this.sent, this.order);
    this.sent += 1;
    this.waitedFor += 1;
    connection.due = due;
    connection.sent = now;
    connection.post(token, body);
  }

  private answered(connection: HttpConnection, status: number): void {
    const now = performance.now();
    const second = Math.floor((now - this.start) / 1_000);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status >= 200 && status < 300) this.acknowledged.add(now - connection.due, second);
    else this.refused.add(now - connection.sent, second);
    this.waitedFor -= 1;
    if (status === 0) void this.openOne();
    else this.idle.push(connection);
    this.sendDue();
    if (this.waitedFor === 0 && now >= this.end) this.finish();
  }

  private async openOne(): Promise<void> {
    const answered = (connection: HttpConnection, status: number): void => this.answered(connection, status);
    this.idle.push(await HttpConnection.open(this.url, this.order.path, answered));
  }
}

/** Latencies and counts of one kind of answer. */
class Answers {
  private readonly latencies: number[] = [];
  private readonly seconds: number[] = [];

  add(latency: number, second: number): void {
    this.latencies.push(latency);
    this.seconds[second] = (this.seconds[second] ?? 0) + 1;
  }

  /** 0 when there was none. */
  percentile(share: number): number {
    return this.latencies.length === 0 ? 0 : percentile(Float64Array.from(this.latencies).sort(), share);
  }

  bySecond(count: number): number[] {
    return Array.from({ length: count }, (_, second) => this.seconds[second] ?? 0);
  }
}
