import { type ChangedBottle, ChangedBottlesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Types } from 'mongoose';

/** What was right at some moment is taken for right so much longer. Milliseconds. */
export const KNOWN_FOR_MS = 45_000;
/** The registry is asked this often. A request may take what is left of the minute. Milliseconds. */
const EVERY_MS = 15_000;
/** A change may be seen so much later than it is dated: an answer on its way, another primary's clock. Milliseconds. */
const LATE_MS = 30_000;
/** After this a bottle is looked up again in any case. Milliseconds. */
const LOOKED_UP_ANEW_MS = 24 * 60 * 60_000;
/** More changes than this at once: everything is forgotten. */
const MOST = 10_000;

type HasChanged = (bottle: Types.ObjectId) => boolean;
/** Forgets what is known of these bottles. */
type Forget = (hasChanged: HasChanged) => void;

/** Which changes were seen; dates by the database's clock. */
interface Seen {
  newest: Date;
  /** When that was seen first, by our clock. Epoch milliseconds. */
  since: number;
  /** What is dated before it need not be read again. */
  from: Date;
}

/**
 * Asks now and then what has changed in the registry, so that what is remembered of all other bottles need not be
 * looked up again: bottles speak half an hour apart. Without an answer everything is looked up again after 45 s. So a
 * token that was replaced, and a bottle that changed hands, are found out within a minute by every process.
 */
@Injectable()
export class RegistryWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RegistryWatch.name);
  private readonly forgetters: Forget[] = [];
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private seen: Seen | undefined;
  /** What was known then and was not forgotten was right then. Epoch milliseconds. */
  private confirmed = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly changes: ChangedBottlesRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
    void this.look();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  onChange(forget: Forget): void {
    this.forgetters.push(forget);
  }

  /** Whether what was looked up at `asked` is to be believed at `now`, unless it was forgotten. Epoch milliseconds. */
  holds(asked: number, now: number): boolean {
    return Math.max(asked, this.confirmed) + KNOWN_FOR_MS > now && asked + LOOKED_UP_ANEW_MS > now;
  }

  /** Asks now; at most once at a time. */
  look(): Promise<void> {
    this.looking ??= this.ask().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async ask(): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      const seen = this.seen ?? firstSeen((await this.changes.findNewest()) ?? new Date(0), now);
      const changed = await this.changes.findSince(seen.from, MOST);
      const all = changed.length === MOST;
      if (changed.length > 0) this.forget(all ? () => true : isAmong(changed));
      this.seen = all ? undefined : seenSince(seen, changed, now);
      this.confirmed = now;
    } catch (error) {
      this.logger.warn(`changes of the registry are not known: ${String(error)}`);
    }
  }

  private forget(hasChanged: HasChanged): void {
    for (const forget of this.forgetters) forget(hasChanged);
  }
}

function isAmong(changed: readonly ChangedBottle[]): HasChanged {
  const ids = new Set(changed.map(({ _id }) => _id.toHexString()));
  return (bottle) => ids.has(bottle.toHexString());
}

function firstSeen(newest: Date, now: number): Seen {
  return { newest, since: now, from: new Date(newest.getTime() - LATE_MS) };
}

/** After another look. When nothing is newer, and all that is dated before could be seen by now, that is done with. */
function seenSince(seen: Seen, changed: readonly ChangedBottle[], now: number): Seen {
  const newest = changed.at(-1)?.identity_changed_at ?? seen.newest;
  if (newest > seen.newest) return firstSeen(newest, now);
  return now - seen.since < LATE_MS ? seen : { ...seen, from: new Date(seen.newest.getTime() + 1) };
}
