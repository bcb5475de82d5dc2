import { BottleActionsRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const SAMPLE_EVERY = 10_000;
const WINDOW = 60_000;

interface Sample {
  at: number;
  count: number;
}

/**
 * How many actions come in a minute. The lab's indexes cannot count them by time of receipt, but their
 * collection only grows: its size, which costs nothing to ask, is sampled, and its growth is the rate.
 */
@Injectable()
export class ActionRate implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly samples: Sample[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const sample = (): void => void this.sample().catch(() => undefined);
    this.timer = setInterval(sample, SAMPLE_EVERY).unref();
    sample();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Actions a minute over the last minute, or since the start; null when nothing can be said yet. */
  async perMinute(): Promise<number | null> {
    const now = await this.sample();
    const before = this.samples.find(({ at }) => at >= now.at - WINDOW)!;
    if (now.at <= before.at) return null;
    // an erased bottle takes its actions with it
    return Math.round((Math.max(0, now.count - before.count) * WINDOW) / (now.at - before.at));
  }

  private async sample(): Promise<Sample> {
    const count = await this.actions.estimateCount();
    const sample = { at: this.clock.now().getTime(), count };
    this.samples.push(sample);
    while (this.samples[0]!.at < sample.at - WINDOW - SAMPLE_EVERY) this.samples.shift();
    return sample;
  }
}
