import { beginningAfter } from './course.js';
import { dosesDue, isDosingDay } from './due.js';
import {
  amountsByTime,
  durationOf,
  windowsOf,
  type Schedule,
  type ScheduleVersion,
  type TimesOfDaySchedule,
} from './schedule.js';
import { slotsBetween } from './slots.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.js';

export const SCHEDULE_WARNINGS = [
  'windows_overlap',
  'missed_after_next_dose',
  'ends_before_next_step',
] as const;

/** Why doses of a schedule cannot be judged well. It is valid nevertheless. */
export interface ScheduleWarning {
  code: (typeof SCHEDULE_WARNINGS)[number];
  /** The field to change, as of a ScheduleError. */
  field: string;
  /** A sentence for people. */
  text: string;
  /** The shortest time between two doses, as a duration; of the windows and times of doses. */
  doses_apart?: string;
  /** From when until when no dose is due; of a step that ends before the next. */
  no_dose_from?: Date;
  no_dose_until?: Date;
}

/**
 * Warns of a schedule by the two of its doses that are closest (DOSE-40): if their windows overlap by more than half, a
 * removal can nearly always be of either; if a dose is missed only after the next is due, it is found too late to take
 * it. Exactly half, and exactly at the next dose, are well. Days have 24 hours: a clock change is no reason to warn.
 */
export function scheduleWarnings(schedule: Schedule): ScheduleWarning[] {
  const apart = shortestGap(schedule);
  const { early_ms, missed_ms } = windowsOf(schedule);
  const window = early_ms + missed_ms;
  const warnings: ScheduleWarning[] = [];
  if (2 * apart < window)
    warnings.push({
      code: 'windows_overlap',
      field: 'schedule.early_window',
      text: `Doses are ${textOf(apart)} apart and can be taken for ${textOf(window)}: these windows overlap by more than half, so a pill may be counted for the wrong dose.`,
      doses_apart: textOf(apart),
    });
  if (missed_ms > apart)
    warnings.push({
      code: 'missed_after_next_dose',
      field: 'schedule.missed_after',
      text: `A dose is missed ${textOf(missed_ms)} after its time, but the next one is due ${textOf(apart)} after it.`,
      doses_apart: textOf(apart),
    });
  return warnings;
}

/** A time in which a step would have doses, had it not ended, and the next one has not begun. */
interface PlanGap {
  step: ScheduleVersion;
  from: Date;
  to: Date;
}

/**
 * Warns of the steps that are new in a plan, and of the plan as it is to be.
 *
 * @param before the plan until now
 */
export function planWarnings(
  made: readonly ScheduleVersion[],
  plan: readonly ScheduleVersion[],
  before: readonly ScheduleVersion[] = [],
): ScheduleWarning[] {
  return [...made.flatMap(({ schedule }) => scheduleWarnings(schedule)), ...gapWarnings(plan, before)];
}

/**
 * Warns of the steps of a plan that end before the next begins (DOSE-40): the days between have no dose. A gap that the
 * plan had before gives none, nor one in which no dose was due before, after a step that stays.
 */
export function gapWarnings(
  plan: readonly ScheduleVersion[],
  before: readonly ScheduleVersion[] = [],
): ScheduleWarning[] {
  const known = gapsOf(before);
  const wasSo = ({ step, from, to }: PlanGap): boolean =>
    known.some((gap) => gap.from <= from && gap.to >= to) ||
    (before.includes(step) && slotsBetween(before, [], from, to).length === 0);
  return gapsOf(plan)
    .filter((gap) => !wasSo(gap))
    .map(({ step, from, to }) => ({
      code: 'ends_before_next_step',
      field: 'doses' in step.schedule ? 'schedule.doses' : 'schedule.until',
      text: `The step is over at ${from.toISOString()}, and the next one begins at ${to.toISOString()}: no dose is due in between.`,
      no_dose_from: from,
      no_dose_until: to,
    }));
}

function gapsOf(plan: readonly ScheduleVersion[]): PlanGap[] {
  return plan.flatMap((step, index) => {
    const from = beginningAfter(step);
    const to = plan[index + 1]?.effective_from;
    if (!from || !to || from >= to) return [];
    const { until: _u, doses: _d, ...schedule } = { doses: undefined, ...step.schedule };
    const due = dosesDue({ ...step, schedule }, { from: from.getTime(), to: to.getTime() });
    return due.length > 0 ? [{ step, from, to }] : [];
  });
}

/** The shortest time between two doses in milliseconds; Infinity if there are no two. */
function shortestGap(schedule: Schedule): number {
  switch (schedule.kind) {
    case 'times_of_day':
      return shortestByTheClock(schedule);
    case 'interval':
      return durationOf(schedule.every, 'schedule.every');
    case 'as_needed':
      return Infinity;
  }
}

function shortestByTheClock(schedule: TimesOfDaySchedule): number {
  const times = amountsByTime(schedule).map(([time]) => Date.parse(`1970-01-01T${time}Z`));
  const first = times[0]!;
  const overnight = shortestDays(schedule) * DAY_MS + first - times.at(-1)!;
  return Math.min(overnight, ...times.slice(1).map((time, index) => time - times[index]!));
}

/** The fewest days from one day with doses to the next. */
function shortestDays(schedule: TimesOfDaySchedule): number {
  const { anchor, days_on, days_off } = schedule.cycle ?? { anchor: '1970-01-01', days_on: 1, days_off: 0 };
  const first = Date.parse(anchor) / DAY_MS;
  let shortest = Infinity;
  let last = -Infinity;
  // the pattern of cycle and week begins again after seven cycles; the second time for what lies across. Months have a
  // pattern of four years
  const days = 14 * (days_on + days_off);
  const end = first + (schedule.days_of_month ? Math.max(days, 4 * 366) : days);
  for (let day = first; day < end; day += 1) {
    if (!isDosingDay(schedule, day)) continue;
    shortest = Math.min(shortest, day - last);
    last = day;
  }
  return shortest;
}

/** As in a schedule: `2h` or `90m`. */
function textOf(ms: number): string {
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS}h`;
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS}m` : `${ms}ms`;
}
