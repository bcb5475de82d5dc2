import { CronTime } from 'cron';

const EVERY_SECOND = '* * * * * *';

/** The moments of a cron expression, read in UTC as the notifier does. */
export class CronTicks {
  private readonly cron: CronTime | undefined;
  private last: { after: number; tick: Date } | undefined;

  constructor(expression: string) {
    // asked for once a message: not worth a calendar
    this.cron = expression === EVERY_SECOND ? undefined : new CronTime(expression, 'UTC');
  }

  /** The first tick at or after a moment. */
  from(moment: Date): Date {
    const at = moment.getTime();
    if (!this.cron) return new Date(Math.ceil(at / 1000) * 1000);
    if (this.last && this.last.after <= at && at <= this.last.tick.getTime()) return this.last.tick;
    const tick = this.cron.getNextDateFrom(new Date(at - 1), 'UTC').toJSDate();
    this.last = { after: at, tick };
    return tick;
  }
}
