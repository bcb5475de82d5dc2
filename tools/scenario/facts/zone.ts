import { DAY, SECOND } from '../generate/oracle/facts.js';

/** The wall clock of a zone over some days, as schedules read it. */
export class Zone {
  readonly dates: string[] = [];
  private readonly format: Intl.DateTimeFormat;

  /** @param from and `to`: epoch milliseconds */
  constructor(timeZone: string, from: number, to: number) {
    // Swedish writes dates as ISO 8601 does
    this.format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (let at = from; at <= to; at += DAY / 2) {
      const date = this.shownAt(at).slice(0, 10);
      if (this.dates.at(-1) !== date) this.dates.push(date);
    }
  }

  /** When the wall first shows a time; one that is skipped comes as much later as the clock leaps. */
  instantOf(date: string, time: string): number | undefined {
    const shown = Date.parse(`${date}T${time}:00Z`);
    const possible = [shown - DAY, shown + DAY].map((around) => shown - this.offsetAt(around));
    const found = possible
      .filter((at) => at + this.offsetAt(at) === shown)
      .toSorted((one, other) => one - other)[0];
    const at = found ?? possible[0]!;
    return this.shownAt(at).startsWith(date) ? at : undefined;
  }

  private shownAt(at: number): string {
    return this.format.format(at);
  }

  /** How far the wall is ahead of UTC. */
  private offsetAt(at: number): number {
    const shown = Date.parse(`${this.shownAt(at).replace(' ', 'T')}Z`);
    return shown - Math.floor(at / SECOND) * SECOND;
  }
}
