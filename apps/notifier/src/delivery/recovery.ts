import { ReceiversRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AttemptLimit } from './attempt-limit.js';
import type { Channel } from './channel.js';

/** How often a receiver that notifications wait for is asked whether it answers. Milliseconds. */
const ASK_MS = 30_000;
/** How many waiting notifications are sent at once, and in each further second. */
const PER_SECOND = 50;
const PAGE = 1_000;

/**
 * Sends what waits for a receiver when it answers again, instead of after its backoff. Each attempt that succeeds brings
 * the others forward, at a limited rate. While nothing is attempted the receiver is asked; if it answers, one
 * notification is sent to it.
 */
@Injectable()
export class Recovery {
  private readonly answered = new Set<Channel>();
  private readonly askedAt = new Map<Channel, number>();
  /** When the last of what was brought forward is due. Milliseconds. */
  private readonly spreadUntil = new Map<Channel, number>();

  constructor(
    private readonly receivers: ReceiversRepository,
    private readonly limit: AttemptLimit,
    private readonly clock: Clock,
  ) {}

  /** Notes that an attempt succeeded. */
  noteAnswer(channel: Channel): void {
    this.answered.add(channel);
  }

  /** Makes due what can be sent again over a channel. */
  async bringForward(channel: Channel): Promise<void> {
    const now = this.clock.now();
    if (this.isSpreading(channel, now)) return;
    if (this.answered.delete(channel)) {
      const brought = await this.receivers.bringForward(channel.name, now, {
        limit: PAGE,
        perSecond: PER_SECOND,
      });
      this.spreadUntil.set(channel, now.getTime() + (brought / PER_SECOND) * 1_000);
      return;
    }
    // also when the clock was set back
    if (Math.abs(now.getTime() - (this.askedAt.get(channel) ?? 0)) < ASK_MS) return;
    this.askedAt.set(channel, now.getTime());
    if ((await this.receivers.awaitsReceiver(channel.name, now)) && (await this.answers(channel)))
      await this.receivers.bringForward(channel.name, now, { limit: 1, perSecond: 1 });
  }

  /** Whether what was brought forward is still becoming due: more would come on top of it, and break the limit. */
  private isSpreading(channel: Channel, now: Date): boolean {
    const left = (this.spreadUntil.get(channel) ?? 0) - now.getTime();
    // not when the clock was set back
    return left > 0 && left <= (PAGE / PER_SECOND) * 1_000;
  }

  private answers(channel: Channel): Promise<boolean> {
    return this.limit.run(channel.timeLimitMs, (signal) => channel.answers(signal)).catch(() => false);
  }
}
