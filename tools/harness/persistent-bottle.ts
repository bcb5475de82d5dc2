import { SystemClock } from '#platform';
import type { mongo } from 'mongoose';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../random.js';
import { BottleClient } from './bottle/bottle-client.js';
import { DeviceClock } from './bottle/device-clock.js';
import { Gate } from './bottle/gate.js';
import { Link, STEADY_LINK } from './bottle/link.js';
import { Outbox } from './bottle/outbox.js';
import { loggedId, type Report } from './bottle/report.js';
import { SimulatedBottle } from './bottle/simulated-bottle.js';
import { StatsCollector } from './bottle/stats.js';
import { Timeline } from './bottle/timeline.js';

const RETRY_MS = 200;
const PILLS = 20;

interface Options {
  /** device-api's addresses: when one does not answer, the next is tried. */
  targets: readonly string[];
  /**
   * Called as soon as a report is acknowledged.
   *
   * @param id the one that the log must hold
   * @param sentAt when it was first sent; milliseconds of this process
   */
  acknowledged: (id: string, sentAt: number) => void;
  /** Ends all attempts. */
  signal: AbortSignal;
}

/** A report under way. */
interface Waiting {
  sent: number;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** A bottle whose reports can be waited for: it repeats each several times a second until it is acknowledged. */
export class PersistentBottle {
  /** When it was opened, by its own clock. */
  openedAt: Date | undefined;
  private readonly bottle: SimulatedBottle;
  private readonly underWay = new Map<Report, Waiting>();
  /** Between when and when each acknowledged report was received. Milliseconds of this process. */
  private readonly contacts: { sent: number; acknowledged: number }[] = [];

  constructor(
    readonly id: string,
    token: string,
    private readonly options: Options,
  ) {
    const { targets, signal } = options;
    const [timeline, random, clock] = [new Timeline(new SystemClock()), new Random(id), new DeviceClock()];
    const outbox = new Outbox({
      bottleId: id,
      client: new BottleClient({ targets, token }),
      link: new Link(STEADY_LINK, random),
      clock,
      random,
      retries: timeline,
      gate: new Gate(1),
      stats: new StatsCollector(),
      delay: () => RETRY_MS,
      onSettled: (report, answer) =>
        'result' in answer
          ? this.takeOut(report).reject(new Error(`refused with ${answer.result.status}`))
          : this.acknowledge(report, loggedId(answer)),
    });
    this.bottle = new SimulatedBottle({ id, clock, outbox, timeline, random, pills: PILLS, battery: 100 });
    // every bottle listens for it
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => {
      timeline.stop();
      outbox.close();
      for (const { reject } of this.underWay.values()) reject(signal.reason);
    });
  }

  async heartbeat(): Promise<void> {
    await this.persist(() => this.bottle.heartbeat());
  }

  async open(): Promise<void> {
    const report = await this.persist(() => this.bottle.openLid());
    this.openedAt = new Date(report.madeAt);
  }

  async close(pillsTaken = 0): Promise<void> {
    await this.persist(() => this.bottle.closeLid(pillsTaken));
  }

  /** Sends a heartbeat at this interval until the signal aborts. */
  async keepReporting(everyMs: number): Promise<void> {
    while (!this.options.signal.aborted) {
      await this.heartbeat().catch((error: unknown) => {
        if (!this.options.signal.aborted) throw error;
      });
      await sleep(everyMs, undefined, { signal: this.options.signal }).catch(() => undefined);
    }
  }

  /**
   * How often so much time may have lain between two of its reports, or since the last one. On a busy machine, or while
   * no service answers, that is more often than the bottle means to be silent.
   */
  silences(afterMs: number): number {
    const inOrder = this.contacts.toSorted((one, other) => one.acknowledged - other.acknowledged);
    const ends = [...inOrder.slice(1).map(({ acknowledged }) => acknowledged), performance.now()];
    let lastSent = -Infinity;
    return inOrder.filter(({ sent }, place) => {
      lastSent = Math.max(lastSent, sent);
      return ends[place]! - lastSent >= afterMs;
    }).length;
  }

  /** Resolves when the report is acknowledged. @throws if it is refused, or if there is nothing to report */
  private async persist(make: () => Report | undefined): Promise<Report> {
    this.options.signal.throwIfAborted();
    const sent = performance.now();
    const report = make();
    if (!report) throw new Error('its lid is where it was');
    await new Promise<void>((resolve, reject) => this.underWay.set(report, { sent, resolve, reject }));
    return report;
  }

  private acknowledge(report: Report, id: string): void {
    const { sent, resolve } = this.takeOut(report);
    this.contacts.push({ sent, acknowledged: performance.now() });
    this.options.acknowledged(id, sent);
    resolve();
  }

  private takeOut(report: Report): Waiting {
    const waiting = this.underWay.get(report)!;
    this.underWay.delete(report);
    return waiting;
  }
}

/** The acknowledged reports, by the ids that the log must hold for them, that it does not hold. */
export async function missingFromLog(db: mongo.Db, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const logs = ['bottle_actions', 'bottle_heartbeats'].map((name) =>
    db
      .collection(name)
      .find({}, { projection: { _id: 1 } })
      .toArray(),
  );
  const logged = new Set((await Promise.all(logs)).flat().map(({ _id }) => _id.toHexString()));
  return [...acknowledged].filter((id) => !logged.has(id));
}
