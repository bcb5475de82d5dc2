import { chainsOf } from '#domain';
import {
  type Claim,
  type ClaimedDeliveries,
  type Delivery,
  isDatabaseError,
  OutboxRepository,
} from '#persistence';
import { Clock, GroupCommit } from '#platform';
import { Injectable } from '@nestjs/common';
import { skipAfter } from '../contention.js';
import type { Channel } from './channel.js';
import { Channels } from './channels/index.js';
import { AttemptWriter, type RunResults } from './attempt-writer.js';
import { Recovery } from './recovery.js';
import { PageContext, type SendContext, SendContexts } from './send-context.js';
import { Sender } from './sender.js';
import { TaskPool } from './task-pool.js';

const PAGE = 200;
const DELIVERY_LEASE_MS = 30_000;
/** How often to look for new notifications while attempts are running. Milliseconds. */
const POLL_MS = 250;

/** One run of one channel. */
interface Run {
  channel: Channel;
  sending: TaskPool;
  results: RunResults;
  stopping: () => boolean;
}

/** What a page takes, and its groups in the order in which they are sent. */
interface Plan {
  context: SendContext;
  chains: Delivery[][][];
}

/**
 * Sends due notifications, independently for each channel. A notification is claimed and its attempt
 * recorded before it is sent, and the result after: a crash in between sends it again under the same id. A receiver that hangs blocks no other.
 */
@Injectable()
export class Deliverer {
  /** All channels ask at the same ticks: one query answers them. */
  private readonly due: GroupCommit<string, boolean>;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly contexts: SendContexts,
    private readonly sender: Sender,
    private readonly attemptWriter: AttemptWriter,
    private readonly recovery: Recovery,
    private readonly clock: Clock,
    private readonly channels: Channels,
  ) {
    this.due = new GroupCommit(
      async (names) => {
        const due = await outbox.findDueChannels(names, clock.now());
        return names.map((name) => due.has(name));
      },
      { group: Number.POSITIVE_INFINITY, queued: Number.POSITIVE_INFINITY, inFlight: 1 },
    );
  }

  /** Sends over all channels until nothing is due. @returns how many notifications it claimed. */
  async run(stopping: () => boolean = () => false): Promise<number> {
    const done = await Promise.all(this.channels.all.map((channel) => this.runChannel(channel, stopping)));
    return done.reduce((sum, count) => sum + count, 0);
  }

  /** Sends over one channel until nothing is due and all results are written. */
  async runChannel(channel: Channel, stopping: () => boolean = () => false): Promise<number> {
    await this.recovery.bringForward(channel);
    const [isDue] = await this.due.add([channel.name]);
    return isDue ? this.sendDue(channel, stopping) : 0;
  }

  private async sendDue(channel: Channel, stopping: () => boolean): Promise<number> {
    const sending = new TaskPool(channel.concurrency);
    const results = this.attemptWriter.startRun();
    let [total, skip] = [0, 0];
    try {
      while (!stopping()) {
        const now = this.clock.now();
        const { found, ...page } = await this.outbox.claimDue(
          channel.name,
          now,
          DELIVERY_LEASE_MS,
          PAGE,
          skip,
        );
        const won = page.deliveries.length;
        if (won > 0) await this.sendPage(page, { channel, sending, results, stopping });
        const isAllThatWasDue = found < PAGE && won === found && skip === 0;
        if (isAllThatWasDue) {
          if (found === 0 && sending.isIdle) break;
          await sending.untilIdle(POLL_MS);
        }
        total += won;
        skip = skipAfter({ found, won }, PAGE);
        await this.recovery.bringForward(channel);
      }
    } finally {
      try {
        await sending.all();
      } finally {
        await results.written();
      }
    }
    return total;
  }

  /** Starts to send a page; resolves when all of it is started or released. */
  private async sendPage({ claim, deliveries }: Omit<ClaimedDeliveries, 'found'>, run: Run): Promise<void> {
    // neither begun nor released
    const left = new Set(deliveries);
    const release = async (some: readonly Delivery[]): Promise<void> => {
      const ids = some.filter((delivery) => left.delete(delivery)).map(({ _id }) => _id);
      if (ids.length > 0) await this.outbox.release(ids, claim, this.clock.now());
    };
    const onBegun = (delivery: Delivery): void => void left.delete(delivery);
    const unstarted = new Set(deliveries);
    try {
      const { context, chains } = await this.planPage(claim, deliveries, run, onBegun);
      const page = new PageContext(
        context,
        () => this.contexts.read(claim, [...left], run.channel),
        this.clock,
      );
      for (const chain of chains) {
        if (run.stopping()) break;
        await run.sending.start(async () => {
          try {
            await this.sendChain(chain, page, run, onBegun);
          } finally {
            await release(chain.flat());
          }
        });
        for (const delivery of chain.flat()) unstarted.delete(delivery);
      }
    } finally {
      // the next notifier sends them at once
      await release([...unstarted]);
    }
  }

  /** Plans a page without the records that cause an error: each of those counts as a failed attempt. */
  private async planPage(
    claim: Claim,
    deliveries: Delivery[],
    { channel, results }: Run,
    onFailed: (delivery: Delivery) => void,
  ): Promise<Plan> {
    try {
      return await this.plan(claim, deliveries, channel);
    } catch (error) {
      if (isDatabaseError(error)) throw error;
    }
    const good: Delivery[] = [];
    for (const delivery of deliveries) {
      try {
        await this.plan(claim, [delivery], channel);
        good.push(delivery);
      } catch (error) {
        if (isDatabaseError(error)) throw error;
        await this.sender.fail(delivery, claim, error, results);
        onFailed(delivery);
      }
    }
    return this.plan(claim, good, channel);
  }

  /** Reads what a page takes, and in which order it is sent. */
  private async plan(claim: Claim, deliveries: Delivery[], channel: Channel): Promise<Plan> {
    const context = await this.contexts.read(claim, deliveries, channel);
    return { context, chains: chainsOf(deliveries, channel.digests) };
  }

  /** Sends groups of notifications, one after the other, until the lease ends. */
  private async sendChain(
    chain: Delivery[][],
    page: PageContext,
    { channel, results, stopping }: Run,
    onBegun: (delivery: Delivery) => void,
  ): Promise<void> {
    for (const group of chain) {
      // no attempt under a lease that could end before the answer
      if (stopping() || page.leaseLeftMs() < channel.timeLimitMs) return;
      await this.sender.send(group, await page.latest(), { channel, results, onBegun });
    }
  }
}
