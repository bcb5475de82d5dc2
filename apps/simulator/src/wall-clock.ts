/** A minute of the wall clock: its instant, and how it is written in a zone. */
export interface WallClockMinute {
  at: number;
  /** `HH:MM` */
  time: string;
}

const MINUTE_MS = 60_000;

/** The first whole minute that begins at least `leadMs` from now: a schedule's times have no seconds. */
export function nextMinute(now: Date, leadMs: number): number {
  return Math.ceil((now.getTime() + leadMs) / MINUTE_MS) * MINUTE_MS;
}

/** How an instant's minute is written on a clock in a zone (IANA name): `HH:MM`. */
export function wallClockTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}
