import type { Clock } from '#platform';
import { CronTime } from 'cron';

/** By expression: `due` is its next tick after each moment since `from`. Most jobs tick at the same moments. */
const known = new Map<string, { from: Date; due: Date }>();

/**
 * The ticks of a cron expression in UTC, by the injected clock. `@Cron` takes the machine's clock: when that is set back
 * by three minutes, it does not tick for three minutes.
 */
export class Ticks {
  private readonly cron: CronTime;
  private due: Date;
  private asked: Date;

  constructor(
    private readonly expression: string,
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
    const last = known.get(this.expression);
    if (last && last.from <= moment && moment < last.due) return last.due;
    const due = this.cron.getNextDateFrom(moment, 'UTC').toJSDate();
    known.set(this.expression, { from: moment, due });
    return due;
  }
}
