import { type Claim, type ClaimedDeliveries, DeliveriesRepository, type Delivery } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { skipAfter } from '../contention.js';
import type { Channel } from './channel.js';
import { Channels } from './channels/index.js';
import { OPERATOR } from './recipients.js';
import { type Known, Sender } from './sender.js';
import { Settlements, type Settling } from './settlements.js';
import { TaskWindow } from './task-window.js';

/** Not more than can be begun in a moment: what a killed notifier had claimed may have been sent, for all that is known. */
const PAGE = 200;
const DELIVERY_LEASE_MS = 30_000;
/** While messages are under way, new ones are looked for this often. Milliseconds. */
const LOOK_AGAIN_MS = 250;
/** What was read of a message's alert is good for this long; then it is read again before sending. Milliseconds. */
const FRESH_MS = 2_000;

/** One run of one channel. */
interface Run {
  channel: Channel;
  sending: TaskWindow;
  settling: Settling;
  stopping: () => boolean;
}

/**
 * Sends what is due, each channel by itself. A message is claimed before and marked after: a crash in between
 * sends it again under the same id. What has changed since it was queued is looked at once more at the moment
 * of sending. A receiver that hangs holds up nobody else's messages.
 */
@Injectable()
export class Deliverer {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly sender: Sender,
    private readonly settlements: Settlements,
    private readonly clock: Clock,
    private readonly channels: Channels,
  ) {}

  /** Sends over all channels until nothing is due. @returns how many messages it has dealt with. */
  async run(stopping: () => boolean = () => false): Promise<number> {
    const done = await Promise.all(this.channels.all.map((channel) => this.runChannel(channel, stopping)));
    return done.reduce((sum, count) => sum + count, 0);
  }

  /** Sends over one channel until nothing is due and all that was sent is marked. */
  async runChannel(channel: Channel, stopping: () => boolean = () => false): Promise<number> {
    const sending = new TaskWindow(channel.concurrency);
    const settling = this.settlements.begin();
    let [total, skip] = [0, 0];
    try {
      while (!stopping()) {
        const now = this.clock.now();
        const { found, ...page } = await this.deliveries.claimDue(
          channel.name,
          now,
          DELIVERY_LEASE_MS,
          PAGE,
          skip,
        );
        const won = page.deliveries.length;
        if (won > 0) await this.sendPage(page, { channel, sending, settling, stopping });
        else if (found === 0 && skip === 0) {
          if (sending.isIdle) break;
          await sending.untilIdle(LOOK_AGAIN_MS);
        }
        total += won;
        skip = skipAfter({ found, won }, PAGE);
      }
    } finally {
      try {
        await sending.all();
      } finally {
        await settling.all();
      }
    }
    return total;
  }

  /** Begins to send a page; resolves when all of it is under way, or let go. */
  private async sendPage({ claim, deliveries }: Omit<ClaimedDeliveries, 'found'>, run: Run): Promise<void> {
    const unsent = new Set(deliveries.map(({ _id }) => _id));
    try {
      const known = await this.sender.read(claim, deliveries, run.channel);
      for (const chain of chainsOf(deliveries, run.channel.digests)) {
        if (run.stopping()) break;
        await run.sending.start(() => this.sendChain(chain, known, run));
        for (const { _id } of chain.flat()) unsent.delete(_id);
      }
    } finally {
      await this.letGo([...unsent], claim);
    }
  }

  /** Sends groups of messages to one recipient, one after the other. */
  private async sendChain(
    chain: Delivery[][],
    known: Known,
    { channel, settling, stopping }: Run,
  ): Promise<void> {
    const unsent = new Set(chain.flat().map(({ _id }) => _id));
    const { claim } = known;
    try {
      for (const group of chain) {
        const now = this.clock.now().getTime();
        // a lease that could end before the answer comes is left to whoever claims next, as is a stop
        if (stopping() || claim.until.getTime() - now < channel.timeLimitMs) return;
        const isFresh = now - known.readAt.getTime() <= FRESH_MS;
        const latest = isFresh ? known : await this.sender.read(claim, group, channel);
        await this.sender.send(group, latest, { channel, settling, begun: ({ _id }) => unsent.delete(_id) });
      }
    } finally {
      await this.letGo([...unsent], claim);
    }
  }

  /** What it does not come to is let go: only an attempt that was cut off keeps its claim. */
  private async letGo(ids: string[], claim: Claim): Promise<void> {
    if (ids.length > 0) await this.deliveries.release(ids, claim, this.clock.now());
  }
}

/**
 * What is sent one after the other: everything to one person. The operator's receiver is a program and takes
 * many at once. Where the channel digests, several messages to one recipient are one.
 */
function chainsOf(deliveries: Delivery[], digests: boolean): Delivery[][][] {
  const byRecipient = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = delivery.recipient === OPERATOR && !digests ? delivery._id : delivery.recipient;
    if (!byRecipient.get(key)?.push(delivery)) byRecipient.set(key, [delivery]);
  }
  const lists = [...byRecipient.values()];
  return digests ? lists.map((list) => [list]) : lists.map((list) => list.map((delivery) => [delivery]));
}
