import { actionId, heartbeatId, type ReportedAction } from '#domain';
import { SystemClock } from '#platform';
import type { mongo } from 'mongoose';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BottleClient } from '../simulator/bottle-client.js';

const RETRY_MS = 200;

/** Only what does not concern the bottle's firmware: it knows its own names for events and when they happened. */
interface Ground {
  target: string;
  /** Told the id that the log must hold, as soon as a report is acknowledged. */
  acknowledged: (id: string) => void;
  /** Ends all attempts. */
  signal: AbortSignal;
}

/** A bottle that repeats each report until it is acknowledged, as its firmware has to. */
export class PersistentBottle {
  /** When it was opened, by its own clock. */
  openedAt: Date | undefined;
  private readonly client: BottleClient;
  private readonly clock = new SystemClock();

  constructor(
    readonly id: string,
    token: string,
    private readonly ground: Ground,
  ) {
    this.client = new BottleClient({ target: ground.target, token });
    // every bottle listens for it
    setMaxListeners(0, ground.signal);
  }

  async heartbeat(): Promise<void> {
    const at = this.clock.now();
    await this.persist(() => this.client.heartbeat({ sent_at: at.toISOString() }));
    this.ground.acknowledged(heartbeatId(this.id, at, at));
  }

  async open(): Promise<void> {
    this.openedAt = await this.act({ action: 'opened', event_id: 'opening' });
  }

  async close(): Promise<void> {
    await this.act({ action: 'closed', event_id: 'closing', pills_taken: 0 });
  }

  /** Speaks every so often until the ground's signal ends it. */
  async beat(everyMs: number): Promise<void> {
    while (!this.ground.signal.aborted) {
      await this.heartbeat().catch((error: unknown) => {
        if (!this.ground.signal.aborted) throw error;
      });
      await sleep(everyMs, undefined, { signal: this.ground.signal }).catch(() => undefined);
    }
  }

  /** @returns when it was done, by its own clock. */
  private async act(
    action: Pick<ReportedAction, 'action' | 'pills_taken'> & { event_id: string },
  ): Promise<Date> {
    const time = this.clock.now();
    const event = { ...action, mass_of_contents: 30, number_of_pills: 20 };
    const answer = await this.persist(() => this.client.action({ ...event, time: time.toISOString() }));
    const id = actionId(this.id, { ...event, time });
    this.ground.acknowledged(id);
    if (answer.body?.id !== id) throw new Error('acknowledged under another id');
    return time;
  }

  private async persist<A extends { status: number }>(report: () => Promise<A>): Promise<A> {
    for (;;) {
      this.ground.signal.throwIfAborted();
      const answer = await report().catch(() => undefined);
      if (answer && answer.status < 300) return answer;
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
