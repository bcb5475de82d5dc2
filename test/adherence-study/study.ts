/** The monitors of a published adherence study (data/README.md), in the words of the product. */
import { DAY_MS } from '#domain';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Local times are read as UTC: the files have no zone. */
export interface Monitor {
  patient: string;
  monitor: string;
  from: string;
  to: string;
  regimen: Regimen[];
  added_openings: { date: string; openings: number; comment: string }[];
  non_monitored: { from: string; to: string; comment: string }[];
  openings: string[];
  published: { implementation: number; days: PublishedDay[] };
}

interface Regimen {
  expected_openings_a_day: number;
  from: string;
  to: string;
  days_on: number | null;
  days_off: number | null;
}

export interface PublishedDay {
  date: string;
  recorded: number;
  added: number;
  corrected: number;
  expected: number;
  non_monitored: boolean;
  implementation: 0 | 1 | null;
}

const FOLDER = join(import.meta.dirname, 'data');

const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

export function readMonitors(): Monitor[] {
  return readdirSync(FOLDER)
    .filter((name) => /^.+-.+\.json$/.test(name))
    .toSorted()
    .map((name) => read(name) as Monitor);
}

/** The published figure of each patient. */
export const readPatients = (): Record<string, number> => read('patients.json') as Record<string, number>;

export const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`);
export const noon = (date: string): Date => new Date(`${date}T12:00:00Z`);
export const dayAfter = (date: string): string => dateOf(new Date(midnight(date).getTime() + DAY_MS));
export const dateOf = (time: Date): string => time.toISOString().slice(0, 10);
/** One opening is one dose of one pill; the day of one before 03:00 is the day before. */
export const dayOfOpening = (time: Date): string => dateOf(new Date(time.getTime() - 3 * 3_600_000));

/**
 * The steps of the plan: a schedule for each line of the regimen, from its first day on, and a break where there is none
 * or 0 is expected.
 */
export function stepsOf({ regimen, to }: Pick<Monitor, 'regimen' | 'to'>) {
  const lines = regimen.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return lines.flatMap((line, index) => {
    const next = lines[index + 1]?.from ?? dayAfter(to);
    return [stepOf(line), ...(dayAfter(line.to) < next ? [breakFrom(dayAfter(line.to))] : [])];
  });
}

function stepOf({ expected_openings_a_day: times, from, days_on, days_off }: Regimen) {
  if (times === 0) return breakFrom(from);
  return {
    kind: 'times_of_day' as const,
    times: timesOfDay(times),
    ...(days_on !== null && days_off !== null && { cycle: { days_on, days_off, anchor: from } }),
    ...WINDOWS,
    effective_from: `${from}T00:00:00Z`,
  };
}

/** A step without doses: a cycle whose one day on is the day before it. */
function breakFrom(from: string) {
  const anchor = dateOf(new Date(midnight(from).getTime() - DAY_MS));
  return {
    kind: 'times_of_day' as const,
    times: ['12:00'],
    cycle: { days_on: 1, days_off: 366, anchor },
    ...WINDOWS,
    effective_from: `${from}T00:00:00Z`,
  };
}

const WINDOWS = { pills_per_dose: 1, early_window: '2h', late_after: '1h', missed_after: '4h' };

/** So many times, spread over the day from 06:00 to midnight. */
function timesOfDay(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const minutes = Math.floor(360 + (1_080 * (index + 0.5)) / count);
    return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  });
}

const pad = (number: number): string => String(number).padStart(2, '0');

interface UnmonitoredDays {
  reason: 'other_container';
  from: Date;
  to: Date;
}

/** The days on which the monitor says nothing, or of which two lines of the regimen say different things. */
export function notMonitored({ non_monitored, regimen }: Monitor): UnmonitoredDays[] {
  const overlaps = regimen.flatMap((one, index) =>
    regimen.slice(index + 1).map((other) => ({
      from: one.from > other.from ? one.from : other.from,
      to: one.to < other.to ? one.to : other.to,
    })),
  );
  return [...non_monitored, ...overlaps.filter(({ from, to }) => from <= to)].map(({ from, to }) => ({
    reason: 'other_container',
    from: midnight(from),
    to: midnight(dayAfter(to)),
  }));
}

/** How many doses were added or taken away on a day. */
export function correctionsOf({ added_openings }: Monitor): Map<string, number> {
  const days = new Map<string, number>();
  for (const { date, openings } of added_openings) days.set(date, (days.get(date) ?? 0) + openings);
  return days;
}
