import { DAY, MINUTE } from './facts.js';

/**
 * The local time of a zone at every minute of a range, looked up minute by minute and not
 * computed: slow, and hard to get wrong at a clock change.
 */
export class WallClock {
  /** `YYYY-MM-DD HH:MM` of every minute. */
  private readonly shown: string[] = [];
  /** The first minute at which the wall shows this, or that stands for a time that the clock leaps over. */
  private readonly first = new Map<string, number | undefined>();
  private readonly from: number;
  /** The dates of the range, `YYYY-MM-DD`. */
  readonly dates: readonly string[];

  constructor(zone: string, from: number, to: number) {
    this.from = Math.floor(from / MINUTE) * MINUTE;
    // Swedish writes dates as ISO 8601 does
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (let at = this.from; at <= to; at += MINUTE) {
      const text = format.format(at);
      if (!this.first.has(text)) this.first.set(text, at);
      this.shown.push(text);
    }
    this.dates = [...new Set(this.shown.map((text) => text.slice(0, 10)))];
  }

  /** `YYYY-MM-DD`. */
  dateAt(at: number): string {
    return this.showAt(at).slice(0, 10);
  }

  /** `HH:MM`. */
  timeAt(at: number): string {
    return this.showAt(at).slice(11);
  }

  /**
   * When the wall first shows a time of a date. A time that the clock leaps over comes as much later as it would
   * have come after the last minute before the leap: 02:30 is shown as 03:30.
   */
  instantOf(date: string, time: string): number | undefined {
    const text = `${date} ${time}`;
    if (!this.first.has(text)) this.first.set(text, this.afterLeap(date, time));
    return this.first.get(text);
  }

  private afterLeap(date: string, time: string): number | undefined {
    const text = `${date} ${time}`;
    const before = this.shown.findLastIndex((shown) => shown.startsWith(date) && shown < text);
    if (before < 0 || before === this.shown.length - 1) return undefined;
    return this.from + before * MINUTE + minutesBetween(this.shown[before]!.slice(11), time) * MINUTE;
  }

  private showAt(at: number): string {
    const shown = this.shown[Math.floor((at - this.from) / MINUTE)];
    if (shown === undefined) throw new Error(`${new Date(at).toISOString()} is off the wall`);
    return shown;
  }
}

function minutesBetween(one: string, other: string): number {
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return minutes(other) - minutes(one);
}

/** The walls of all zones of a scenario, with room for what begins before it and ends after it. */
export class WallClocks {
  private readonly walls = new Map<string, WallClock>();

  constructor(
    private readonly from: number,
    private readonly to: number,
  ) {}

  in(zone: string): WallClock {
    const wall = this.walls.get(zone) ?? new WallClock(zone, this.from - 3 * DAY, this.to + 9 * DAY);
    this.walls.set(zone, wall);
    return wall;
  }
}
