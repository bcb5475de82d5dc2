import { DAY_MS } from '#domain';
import { type ChangedBottle, ChangedBottlesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Types } from 'mongoose';

/** How long a lookup, or a poll that found no change, stays valid. Milliseconds. */
export const KNOWN_FOR_MS = 45_000;
/** Interval of polls. Together with KNOWN_FOR_MS and the time of a request less than a minute. Milliseconds. */
const POLL_INTERVAL_MS = 15_000;
/** How much later than its date a change may become visible: a slow write, another primary's clock. Milliseconds. */
const LATE_MS = 30_000;
/** After this a bottle is looked up again in any case. Milliseconds. */
const MAX_AGE_MS = DAY_MS;
/** More changes than this in one poll: the caches are cleared. */
const MAX_CHANGES = 10_000;

type HasChanged = (bottle: Types.ObjectId) => boolean;
/** Removes these bottles from a cache. */
type Forget = (hasChanged: HasChanged) => void;

/** How far the changes have been read; dates by the database's clock. */
interface Progress {
  newest: Date;
  /** When `newest` was read first, by our clock. Epoch milliseconds. */
  since: number;
  /** Changes dated earlier need not be read again. */
  from: Date;
}

/**
 * Polls the registry for changes, so that what is cached of all other bottles need not be looked up again: a bottle
 * reports only every half hour. When polls fail, everything is looked up again after 45 s. So every process notices
 * within a minute that a token was replaced or that a bottle changed owners.
 */
@Injectable()
export class RegistryWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RegistryWatch.name);
  private readonly caches: Forget[] = [];
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private progress: Progress | undefined;
  /** When what is cached was last found to be right. Epoch milliseconds. */
  private confirmed = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly changes: ChangedBottlesRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.poll(), POLL_INTERVAL_MS).unref();
    void this.poll();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
  }

  onChange(forget: Forget): void {
    this.caches.push(forget);
  }

  /** Whether a lookup is still valid, unless its entry was removed. Epoch milliseconds. */
  isValid(lookedUpAt: number, now: number): boolean {
    return Math.max(lookedUpAt, this.confirmed) + KNOWN_FOR_MS > now && lookedUpAt + MAX_AGE_MS > now;
  }

  /** Reads the changes now; one poll at a time. */
  poll(): Promise<void> {
    this.polling ??= this.readChanges().finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async readChanges(): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      const progress = this.progress ?? startAt((await this.changes.findNewest()) ?? new Date(0), now);
      const changed = await this.changes.findSince(progress.from, MAX_CHANGES);
      const isTooMany = changed.length === MAX_CHANGES;
      if (changed.length > 0) this.forget(isTooMany ? () => true : isAmong(changed));
      this.progress = isTooMany ? undefined : advance(progress, changed, now);
      this.confirmed = now;
    } catch (error) {
      this.logger.warn(`cannot read changes of the registry: ${String(error)}`);
    }
  }

  private forget(hasChanged: HasChanged): void {
    for (const forget of this.caches) forget(hasChanged);
  }
}

function isAmong(changed: readonly ChangedBottle[]): HasChanged {
  const ids = new Set(changed.map(({ _id }) => _id.toHexString()));
  return (bottle) => ids.has(bottle.toHexString());
}

function startAt(newest: Date, now: number): Progress {
  return { newest, since: now, from: new Date(newest.getTime() - LATE_MS) };
}

/** After a poll. Without a newer change, earlier ones are done with when late ones can no longer appear. */
function advance(progress: Progress, changed: readonly ChangedBottle[], now: number): Progress {
  const newest = changed.at(-1)?.identity_changed_at ?? progress.newest;
  if (newest > progress.newest) return startAt(newest, now);
  return now - progress.since < LATE_MS
    ? progress
    : { ...progress, from: new Date(progress.newest.getTime() + 1) };
}
