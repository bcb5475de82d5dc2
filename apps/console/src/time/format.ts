import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js';
import { t, LOCALE } from '../i18n/i18n.js';

/** The user's time zone: an IANA name. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Whether clocks count to twelve where the browser's user lives. Not by `LOCALE`: the console writes an American's English
 * as a Briton's. Outside of a browser, in unit tests, they do not.
 */
export const HAS_12_HOURS =
  'document' in globalThis &&
  /^h1[12]$/.test(
    new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions().hourCycle ?? '',
  );

/** `09`, or `9 am`. */
const HOUR_STYLE: Intl.DateTimeFormatOptions = HAS_12_HOURS
  ? { hour: 'numeric', hourCycle: 'h12' }
  : { hour: '2-digit', hourCycle: 'h23' };

type Style = 'hour' | 'time' | 'day' | 'dayOfYear' | 'full' | 'fields' | 'month' | 'zone';

/** The locale of dates and times, and one that names more zones (EST for GMT-5). */
const LOCALES = [LOCALE, 'en-US'];

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  hour: HOUR_STYLE,
  time: { ...HOUR_STYLE, minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  full: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...HOUR_STYLE,
    minute: '2-digit',
    second: '2-digit',
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

function format(style: Style, zone: string, locale = LOCALE): Intl.DateTimeFormat {
  const key = `${locale} ${style} ${zone}`;
  const found = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: zone });
  formats.set(key, found);
  return found;
}

/** `09:14`, or `9:14 am`, where the zone is written elsewhere. */
export function timeOnly(at: number, zone: string): string {
  return format('time', zone).format(at);
}

/** A time of day of the API, `07:15`, as clocks show it. */
export function wallTime(time: string): string {
  return HAS_12_HOURS ? timeOnly(Date.parse(`1970-01-01T${time}Z`), 'UTC') : time;
}

/** A full hour from 0 to 24: `06` and `24`, or `6 am` and `12 am`. */
export function hourName(hour: number): string {
  return hour === 24 && !HAS_12_HOURS ? '24' : format('hour', 'UTC').format(hour * HOUR_MS);
}

/** `09:14 CET`, or `9:14 am CET`. */
export function clockTime(at: number, zone: string): string {
  return `${timeOnly(at, zone)} ${zoneName(at, zone)}`;
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

/** `2 Mar 2026`, for what is read later. */
export function dayWithYear(at: number, zone: string): string {
  return dayName(at, zone, 'dayOfYear');
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

/** The names of the months, from January. */
export function monthNames(style: 'long' | 'short'): string[] {
  const names = new Intl.DateTimeFormat(LOCALE, { month: style, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => names.format(Date.UTC(2024, month, 1)));
}

/** The names of the days of the week, from Sunday. */
export function weekdayNames(style: 'long' | 'short'): string[] {
  const names = new Intl.DateTimeFormat(LOCALE, { weekday: style, timeZone: 'UTC' });
  // a Sunday
  return Array.from({ length: 7 }, (_, day) => names.format(Date.UTC(2024, 8, 1 + day)));
}

/**
 * A duration: `40 s`, `23 min`, `3 h 5 min`, `2 days 4 h`, `12 days`.
 *
 * @param context `dative` after a preposition that asks for it in German, such as `vor` and `nach`
 */
export function duration(ms: number, context?: 'dative'): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) {
    const [hours, minutes] = [Math.floor(ms / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS)];
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  const count = Math.floor(ms / DAY_MS);
  const days = daysText(count, context);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  return count < 7 && hours > 0 ? `${days} ${hours} h` : days;
}

/** `1 day`, `12 days`. @param context as of {@link duration} */
export function daysText(count: number, context?: 'dative'): string {
  return context === 'dative'
    ? t('{{count, number}} days', { count, context: 'dative' })
    : t('{{count, number}} days', { count });
}

/** `just now`, `23 min ago`, `in 2 h`. */
export function ago(at: number, now: number): string {
  const passed = now - at;
  if (Math.abs(passed) < 45_000) return t('just now');
  const span = duration(Math.abs(passed), 'dative');
  return passed > 0 ? t('{{span}} ago', { span }) : t('in {{span}}', { span });
}
