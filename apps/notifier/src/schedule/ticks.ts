import type { Clock } from '#platform';
import { CronTime } from 'cron';

/**
 * The ticks of a cron expression in UTC, by the injected clock. `@Cron` takes the machine's clock: when that is set back
 * by three minutes, it does not tick for three minutes.
 */
export class Ticks {
  private readonly cron: CronTime;
  private due: Date;
  private asked: Date;

  constructor(
    expression: string,
    private readonly clock: Clock,
  ) {
    this.cron = new CronTime(expression, 'UTC');
    this.asked = clock.now();
    this.due = this.next();
  }

  /** Whether a tick has come since the last call. */
  hasCome(): boolean {
    const now = this.clock.now();
    const hasCome = now >= this.due;
    // the clock may have been set back
    if (hasCome || now < this.asked) this.due = this.after(now);
    this.asked = now;
    return hasCome;
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

  private after(moment: Date): Date {
    return this.cron.getNextDateFrom(moment, 'UTC').toJSDate();
  }
}
