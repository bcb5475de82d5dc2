import { type DayOfWeek, DAYS_OF_WEEK, type Schedule, type ScheduleFields } from '../../../api/vocabulary.js';
import { localInput, toIso } from '../../../time/calendar.js';

/** A time of day; without an amount of its own it has that of the dose. */
export interface DraftTime {
  at: string;
  pills: number | '';
}

/** A schedule in the editor: the values of the form's fields. */
export interface Draft {
  kind: Schedule['kind'];
  pills: number;
  times: DraftTime[];
  days: DayOfWeek[];
  /** Days of the month, `1, 15`; empty for every day. */
  monthDays: string;
  cycle: boolean;
  daysOn: number;
  daysOff: number;
  cycleFrom: string;
  /** A duration. */
  every: string;
  /** `YYYY-MM-DDTHH:MM` in the schedule's zone. */
  anchor: string;
  /** The anchor of the schedule that is edited, to the second. */
  anchorBefore: string;
  maxPerDay: number;
  /** A duration; empty for none. */
  minInterval: string;
  ends: 'never' | 'until' | 'doses';
  /** `YYYY-MM-DD`, the last day. */
  until: string;
  doses: number;
  early: string;
  late: string;
  missed: string;
  /** Empty for the bottle's own. */
  zone: string;
  /** `YYYY-MM-DDTHH:MM` in the schedule's zone; empty for when it is saved. */
  from: string;
}

/** @param present epoch milliseconds. */
export function draftOf(schedule: Schedule | undefined, bottleZone: string, present: number): Draft {
  const fields: ScheduleFields = schedule ?? {};
  const zone = fields.time_zone ?? bottleZone;
  const today = localInput(present, zone).slice(0, 10);
  return {
    kind: schedule?.kind ?? 'times_of_day',
    pills: fields.pills_per_dose ?? 1,
    times: (fields.times ?? ['08:00']).map(draftTime),
    days: fields.days_of_week ?? [...DAYS_OF_WEEK],
    monthDays: fields.days_of_month?.join(', ') ?? '',
    cycle: fields.cycle !== undefined,
    daysOn: fields.cycle?.days_on ?? 21,
    daysOff: fields.cycle?.days_off ?? 7,
    cycleFrom: fields.cycle?.anchor ?? today,
    every: fields.every ?? '8h',
    anchor: fields.anchor === undefined ? `${today}T08:00` : localInput(Date.parse(fields.anchor), zone),
    anchorBefore: fields.anchor ?? '',
    maxPerDay: fields.max_per_day ?? 4,
    minInterval: fields.min_interval ?? '',
    ends: fields.doses !== undefined ? 'doses' : fields.until !== undefined ? 'until' : 'never',
    until: fields.until ?? today,
    doses: fields.doses ?? 14,
    early: fields.early_window ?? '2h',
    late: fields.late_after ?? '1h',
    missed: fields.missed_after ?? '4h',
    zone: fields.time_zone ?? '',
    from: '',
  };
}

/** The schedule in the format of the API. */
export function scheduleOf(draft: Draft, bottleZone: string): Schedule {
  const zone = draft.zone === '' ? bottleZone : draft.zone;
  const instant = (local: string): string => toIso(local, zone);
  return {
    ...kindFields(draft, zone),
    ...endOf(draft),
    pills_per_dose: draft.pills,
    ...(draft.kind === 'as_needed'
      ? {}
      : {
          early_window: draft.early.trim(),
          late_after: draft.late.trim(),
          missed_after: draft.missed.trim(),
        }),
    ...(draft.zone === '' ? {} : { time_zone: draft.zone }),
    ...(draft.from === '' ? {} : { effective_from: instant(draft.from) }),
  };
}

/** A plan of one or more steps in the format of the API. */
export function planOf([first, ...others]: readonly Schedule[]):
  | { schedule: Schedule | undefined }
  | { steps: Schedule[] } {
  return first && others.length > 0 ? { steps: [first, ...others] } : { schedule: first };
}

/** A step like the one before, which begins when that has ended. */
export function nextStep(before: Draft): Draft {
  return { ...before, from: '' };
}

function kindFields(draft: Draft, zone: string): Schedule {
  switch (draft.kind) {
    case 'times_of_day':
      return {
        kind: 'times_of_day',
        times: draft.times.map(({ at, pills }) => (pills === '' ? at : { at, pills })),
        ...(draft.days.length === 7 ? {} : { days_of_week: draft.days }),
        ...(draft.monthDays.trim() === '' ? {} : { days_of_month: numbersIn(draft.monthDays) }),
        ...(draft.cycle
          ? { cycle: { days_on: draft.daysOn, days_off: draft.daysOff, anchor: draft.cycleFrom } }
          : {}),
      };
    case 'interval':
      return { kind: 'interval', every: draft.every.trim(), anchor: anchorOf(draft, zone) };
    case 'as_needed':
      return {
        kind: 'as_needed',
        max_per_day: draft.maxPerDay,
        ...(draft.minInterval.trim() === '' ? {} : { min_interval: draft.minInterval.trim() }),
      };
  }
}

const draftTime = (time: string | { at: string; pills: number }): DraftTime =>
  typeof time === 'string' ? { at: time, pills: '' } : time;

/** What is no number stays text, which the server names. */
function numbersIn(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) as number[];
}

/** As needed there are no doses to count. */
function endOf({ kind, ends, until, doses }: Draft): Pick<ScheduleFields, 'until' | 'doses'> {
  if (ends === 'until') return { until };
  return ends === 'doses' && kind !== 'as_needed' ? { doses } : {};
}

/** An anchor whose date and time nobody has changed stays what it is, to the second. */
function anchorOf({ anchor, anchorBefore }: Draft, zone: string): string {
  const before = Date.parse(anchorBefore);
  return !Number.isNaN(before) && localInput(before, zone) === anchor ? anchorBefore : toIso(anchor, zone);
}
