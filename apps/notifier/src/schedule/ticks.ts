import type { Clock } from '#platform';
import { CronTime } from 'cron';

/** The next tick is computed anew this often, in case the clock was set meanwhile. Milliseconds. */
const MAX_SLEEP_MS = 10_000;

/**
 * Ticks by a cron expression in UTC and the injected clock. `CronJob` takes the machine's clock: when that is set back
 * by three minutes, no job of it runs for three minutes.
 */
export class Ticks {
  private readonly cron: CronTime;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    expression: string,
    private readonly onTick: () => void,
    private readonly clock: Clock,
  ) {
    this.cron = new CronTime(expression, 'UTC');
    this.sleepUntil(this.next());
  }

  /** The next tick after now. */
  next(): Date {
    return this.after(this.clock.now());
  }

  /** The time between the next two ticks. Milliseconds. */
  interval(): number {
    const next = this.next();
    return this.after(next).getTime() - next.getTime();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private after(moment: Date): Date {
    return this.cron.getNextDateFrom(moment, 'UTC').toJSDate();
  }

  private sleepUntil(tick: Date): void {
    const wait = Math.max(0, tick.getTime() - this.clock.now().getTime());
    this.timer = setTimeout(() => this.wake(tick), Math.min(wait, MAX_SLEEP_MS));
  }

  private wake(tick: Date): void {
    const isDue = tick <= this.clock.now();
    this.sleepUntil(this.next());
    if (isDue) this.onTick();
  }
}
