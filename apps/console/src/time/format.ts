const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The user's time zone: an IANA name. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

type Style = 'time' | 'day' | 'dayOfYear' | 'full' | 'fields' | 'month' | 'zone';

/** The locale of dates and times, and one that names more zones (EST for GMT-5). */
const LOCALES = ['en-GB', 'en-US'] as const;

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  full: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  fields: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  month: { month: 'long', year: 'numeric' },
  zone: { hour: 'numeric', timeZoneName: 'short' },
};

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: Style, zone: string, locale: (typeof LOCALES)[number] = 'en-GB'): Intl.DateTimeFormat {
  const key = `${locale} ${style} ${zone}`;
  const found = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: zone });
  formats.set(key, found);
  return found;
}

/** `09:14 CET`. */
export function clockTime(at: number, zone: string): string {
  return `${format('time', zone).format(at)} ${zoneName(at, zone)}`;
}

/** The zone's abbreviation at that moment: `CET`, or `GMT+9` where English has none. */
export function zoneName(at: number, zone: string): string {
  const names = LOCALES.map((locale) => {
    const parts = format('zone', zone, locale).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  });
  return names.find((name) => !/\d/.test(name)) ?? names[0] ?? zone;
}

/** The calendar day in a zone: `2026-03-02`. */
export function localDay(at: number, zone: string): string {
  return localTime(at, zone).slice(0, 10);
}

/** The date and time that clocks in a zone show: `2026-03-02T09:14:05`. */
export function localTime(at: number, zone: string): string {
  const parts = format('fields', zone).formatToParts(at);
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** `09:14 CET` today, `Mon 2 Mar, 09:14 CET` this year, `2 Mar 2025, 09:14 CET` before. */
export function dayAndTime(at: number, zone: string, now: number): string {
  const [day, today] = [localDay(at, zone), localDay(now, zone)];
  if (day === today) return clockTime(at, zone);
  const style = day.slice(0, 4) === today.slice(0, 4) ? 'day' : 'dayOfYear';
  return `${dayName(at, zone, style)}, ${clockTime(at, zone)}`;
}

/** `Mon 2 Mar`, or `2 Mar 2025` in another year. */
export function dayOnly(at: number, zone: string, now: number): string {
  const same = localDay(at, zone).slice(0, 4) === localDay(now, zone).slice(0, 4);
  return dayName(at, zone, same ? 'day' : 'dayOfYear');
}

function dayName(at: number, zone: string, style: 'day' | 'dayOfYear'): string {
  return format(style, zone).format(at).replace(',', '');
}

/** `Monday 2 March 2026, 09:14:05 CET`. */
export function fullTime(at: number, zone: string): string {
  return `${format('full', zone).format(at)} ${zoneName(at, zone)}`;
}

/** `March 2026`. */
export function monthName(at: number, zone: string): string {
  return format('month', zone).format(at);
}

/** A duration: `40 s`, `23 min`, `3 h 5 min`, `2 days 4 h`, `12 days`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return withRest(Math.floor(ms / HOUR), 'h', Math.floor((ms % HOUR) / MINUTE), 'min');
  const days = Math.floor(ms / DAY);
  const unit = days === 1 ? 'day' : 'days';
  return days < 7 ? withRest(days, unit, Math.floor((ms % DAY) / HOUR), 'h') : `${days} ${unit}`;
}

function withRest(main: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${main} ${unit}` : `${main} ${unit} ${rest} ${restUnit}`;
}

/** `just now`, `23 min ago`, `in 2 h`. */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (Math.abs(passed) < 45_000) return 'just now';
  return passed > 0 ? `${duration(passed)} ago` : `in ${duration(-passed)}`;
}
