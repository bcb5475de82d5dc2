import { actionId, heartbeatId, type ReportedAction } from '#domain';
import { SystemClock } from '#platform';
import type { mongo } from 'mongoose';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BottleClient } from './bottle/bottle-client.js';

const RETRY_MS = 200;
/** How long an answer may take where there is another address to try. Milliseconds. */
const ANSWER_MS = 3_000;

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
  /** Aborts all attempts. */
  signal: AbortSignal;
}

/** A bottle that repeats each report until it is acknowledged, as its firmware has to. */
export class PersistentBottle {
  /** When it was opened, by its own clock. */
  openedAt: Date | undefined;
  private readonly clients: BottleClient[];
  /** Between when and when each acknowledged report was received. Milliseconds of this process. */
  private readonly contacts: { sent: number; acknowledged: number }[] = [];
  private tried = 0;
  private readonly clock = new SystemClock();

  constructor(
    readonly id: string,
    token: string,
    private readonly options: Options,
  ) {
    this.clients = options.targets.map((target) => new BottleClient({ target, token }));
    // every bottle listens for it
    setMaxListeners(0, options.signal);
  }

  async heartbeat(): Promise<void> {
    const at = this.clock.now();
    const id = heartbeatId(this.id, at, at);
    await this.persist(id, (client) => client.heartbeat({ sent_at: at.toISOString() }));
  }

  async open(): Promise<void> {
    this.openedAt = await this.sendAction({ action: 'opened', event_id: 'opening' });
  }

  async close(pills_taken = 0): Promise<void> {
    await this.sendAction({ action: 'closed', event_id: 'closing', pills_taken });
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

  /** @returns the time of the action by its own clock. */
  private async sendAction(
    action: Pick<ReportedAction, 'action' | 'pills_taken'> & { event_id: string },
  ): Promise<Date> {
    const time = this.clock.now();
    const event = { ...action, mass_of_contents: 30, number_of_pills: 20 };
    const id = actionId(this.id, { ...event, time });
    const answer = await this.persist(id, (client) => client.action({ ...event, time: time.toISOString() }));
    if (answer.body?.id !== id) throw new Error('acknowledged under another id');
    return time;
  }

  /** @param id the one that the log must hold once the report is acknowledged */
  private async persist<A extends { status: number }>(
    id: string,
    report: (client: BottleClient) => Promise<A>,
  ): Promise<A> {
    const sent = performance.now();
    for (;;) {
      this.options.signal.throwIfAborted();
      const client = this.clients[this.tried % this.clients.length]!;
      const isLast = this.clients.length === 1;
      const answered = report(client).catch(() => undefined);
      const answer = await (isLast
        ? answered
        : Promise.race([answered, sleep(ANSWER_MS, undefined, { ref: false })]));
      if (!answer || answer.status >= 500) this.tried += 1;
      if (answer && answer.status < 300) {
        this.contacts.push({ sent, acknowledged: performance.now() });
        this.options.acknowledged(id, sent);
        return answer;
      }
      if (answer && answer.status < 500) throw new Error(`refused with ${answer.status}`);
      await sleep(RETRY_MS);
    }
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
