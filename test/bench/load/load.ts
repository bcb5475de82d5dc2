import { percentile } from '../report/spread.js';
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

/** Sends for a while and counts. */
export async function runLoad(order: LoadOrder, bodyOf: BodyOf): Promise<LoadResult> {
  const url = new URL(order.url);
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => HttpConnection.open(url, order.path)),
  );
  const statuses: Record<number, number> = {};
  const acknowledged = new Answers();
  const refused = new Answers();
  const start = performance.now();
  const end = start + order.seconds * 1_000;
  let next = order.from;

  const send = async (place: number, due: number): Promise<void> => {
    const { token, body } = bodyOf(next++, order);
    const sent = performance.now();
    const status = await connections[place]!.post(token, body);
    const now = performance.now();
    statuses[status] = (statuses[status] ?? 0) + 1;
    const second = Math.floor((now - start) / 1_000);
    if (status >= 200 && status < 300) acknowledged.add(now - due, second);
    else refused.add(now - sent, second);
    if (status === 0) connections[place] = await HttpConnection.open(url, order.path);
  };

  if (order.rate === undefined) await closedLoop(connections.length, end, send);
  else await openLoop(connections.length, start, end, order.rate, send);
  const seconds = (performance.now() - start) / 1_000;
  for (const connection of connections) connection.close();
  return {
    sent: next - order.from,
    statuses,
    seconds,
    p50: acknowledged.percentile(0.5),
    p99: acknowledged.percentile(0.99),
    refusedP99: refused.percentile(0.99),
    acknowledgedBySecond: acknowledged.bySecond(order.seconds),
    refusedBySecond: refused.bySecond(order.seconds),
  };
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
    if (this.latencies.length === 0) return 0;
    return percentile(
      this.latencies.sort((one, other) => one - other),
      share,
    );
  }

  bySecond(count: number): number[] {
    return Array.from({ length: count }, (_, second) => this.seconds[second] ?? 0);
  }
}

type Send = (place: number, due: number) => Promise<void>;

async function closedLoop(connections: number, end: number, send: Send): Promise<void> {
  await Promise.all(
    Array.from({ length: connections }, async (_, place) => {
      for (let now = performance.now(); now < end; now = performance.now()) await send(place, now);
    }),
  );
}

/** What finds no free connection waits, and the wait counts: latencies run from when a request was due. */
async function openLoop(
  connections: number,
  start: number,
  end: number,
  rate: number,
  send: Send,
): Promise<void> {
  const idle = Array.from({ length: connections }, (_, place) => place);
  const waiting: number[] = [];
  const pending = new Set<Promise<void>>();
  const dispatch = (): void => {
    while (idle.length > 0 && waiting.length > 0) {
      const place = idle.pop()!;
      const sent = send(place, waiting.shift()!).then(() => {
        idle.push(place);
        pending.delete(sent);
        dispatch();
      });
      pending.add(sent);
    }
  };
  for (let due = 0; performance.now() < end;) {
    for (const now = performance.now(); start + (due * 1_000) / rate <= now; due += 1)
      waiting.push(start + (due * 1_000) / rate);
    dispatch();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  // what was due in time and never found a connection was not sent
  waiting.length = 0;
  await Promise.all(pending);
}
