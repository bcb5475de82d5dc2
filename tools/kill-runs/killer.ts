import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { SystemClock } from '#platform';
import type { Random } from '../simulator/random.js';
import type { ServiceProcess } from '../harness/service-process.js';
import { eventually } from '../harness/eventually.js';
import type { Stage } from './stage.js';

const VICTIMS = ['notifier', 'receiver', 'primary'] as const;
export type Victim = (typeof VICTIMS)[number];

/** So long after a message came the kill may come. Milliseconds. */
const AFTER_MS = 200;
/** Longer than a lease: no message for so long is a fault of its own. Milliseconds. */
const STUCK_MS = 90_000;
/** A message whose attempts failed so often already is left alone: another failure would be a wait of minutes. */
const SPARED_ATTEMPTS = 3;

/** Kills one after the other, and starts again what it has killed. */
export class Killer {
  readonly kills: Record<Victim, number> = { notifier: 0, receiver: 0, primary: 0 };
  /** How many of them found the receiver with a message that it had not answered. */
  whileInHand = 0;
  /** How often one was put off for a message that had failed several times already. */
  putOff = 0;
  private readonly back = new Map<object, Promise<void>>();
  private readonly clock = new SystemClock();

  constructor(
    private readonly stage: Stage,
    private readonly notifiers: readonly ServiceProcess[],
    private readonly random: Random,
  ) {}

  /** One kill while messages are delivered. What is killed is started again, and need not be back on return. */
  async kill(): Promise<void> {
    const victim = this.random.pick(VICTIMS);
    const [notifier, delay] = [this.random.pick(this.notifiers), this.random.between(0, AFTER_MS)];
    const { set, receiver, journal } = this.stage;
    const struck = { notifier, receiver, primary: set }[victim];
    await this.back.get(struck);
    await this.nextMessage();
    await sleep(delay);
    this.kills[victim] += 1;
    if (journal.unanswered > 0) this.whileInHand += 1;
    const revive = struck === set ? await set.killPrimary() : await killProcess(struck as ServiceProcess);
    const back = revive();
    // looked at before the next kill of the same, and at the end
    back.catch(() => undefined);
    this.back.set(struck, back);
  }

  /** Resolves when all that was killed is back. */
  async allBack(): Promise<void> {
    await Promise.all(this.back.values());
  }

  /** Waits until the receiver has taken one more. */
  private async nextMessage(): Promise<void> {
    while ((await this.endangered()) > 0) {
      this.putOff += 1;
      await sleep(AFTER_MS);
    }
    const { journal } = this.stage;
    const before = journal.came;
    await eventually(
      () => {
        if (journal.came === before) throw new Error(`no message came for ${STUCK_MS / 1000} s`);
      },
      STUCK_MS,
      5,
    );
  }

  /** Messages about to be sent that have failed several times. None, as far as is known, while there is no primary. */
  private async endangered(): Promise<number> {
    const soon = new Date(this.clock.now().getTime() + 1_000);
    const filter: mongo.Filter<mongo.Document> = {
      next_attempt_at: { $lte: soon },
      [`attempts.${SPARED_ATTEMPTS - 1}`]: { $exists: true },
    };
    return this.stage.db
      .collection('deliveries')
      .countDocuments(filter, { timeoutMS: 500 })
      .catch(() => 0);
  }
}

async function killProcess(process: ServiceProcess): Promise<() => Promise<void>> {
  await process.end('SIGKILL');
  return () => process.start();
}
