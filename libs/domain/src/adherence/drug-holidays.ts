import { type DoseOutcome, isTaken } from '../doses/index.js';
import { HOUR_MS } from '../time/durations.js';

const LEAST_MS = 72 * HOUR_MS;
const MOST_BETWEEN_SLOTS_MS = 72 * HOUR_MS;

/** One judged slot, as stored. */
export interface DoseRecord {
  scheduled_at: Date;
  outcome: DoseOutcome;
  /** When the dose was whole; needed for the taken outcomes. */
  taken_at?: Date;
}

/** Pills taken beyond the schedule; only the day counts. */
export interface ExtraRecord {
  time: Date;
}

/** A time without any dose though doses were prescribed. */
export interface DrugHoliday {
  /** The last dose before it, or the beginning of the range. */
  from: Date;
  /** The next dose, or the end of the range. */
  to: Date;
  hours: number;
  /** Prescribed doses in it, none taken. */
  missed_doses: number;
}

export interface DrugHolidays {
  count: number;
  /** Hours of all of them together. */
  hours: number;
  periods: DrugHoliday[];
  /** Periods that would count, but hold a dose of which nobody knows. */
  possible: number;
}

/** A time between two doses with its slots. */
interface Gap {
  from: number;
  to: number;
  records: DoseRecord[];
}

/**
 * Drug holidays: at least 72 hours from one dose to the next, with at least one prescribed dose between them and all
 * of these missed (docs/adherence.md). A partial dose or an extra one ends a holiday. Where slots lie more than 72
 * hours apart (a pause, days off, a weekly schedule) the time without slots is not counted.
 *
 * @param records one a slot, in order, all within the range
 */
export function drugHolidays({
  records,
  extra,
  from,
  to,
}: {
  records: readonly DoseRecord[];
  extra: readonly ExtraRecord[];
  from: Date;
  to: Date;
}): DrugHolidays {
  const long = gapsBetweenDoses(records, dosesTaken(records, extra), from.getTime(), to.getTime())
    .flatMap(splitAtPauses)
    .filter((gap) => gap.to - gap.from >= LEAST_MS && gap.records.length > 0);
  const certain = long.filter((gap) => gap.records.every(({ outcome }) => outcome === 'missed'));
  const periods = certain.map(asHoliday);
  return {
    count: periods.length,
    hours: periods.reduce((sum, period) => sum + period.hours, 0),
    periods,
    possible: long.length - certain.length,
  };
}

/** Times at which anything was taken, in order; a partial dose has no time of its own and stands at its slot. */
function dosesTaken(records: readonly DoseRecord[], extra: readonly ExtraRecord[]): number[] {
  const taken = records.filter(({ outcome }) => outcome === 'partial' || isTaken(outcome));
  const times = [
    ...taken.map(({ taken_at, scheduled_at }) => taken_at ?? scheduled_at),
    ...extra.map((x) => x.time),
  ];
  return times.map((time) => time.getTime()).sort((a, b) => a - b);
}

/** The times between doses, each with the slots in it that were not taken. */
function gapsBetweenDoses(
  records: readonly DoseRecord[],
  doses: readonly number[],
  from: number,
  to: number,
): Gap[] {
  const edges = [from, ...doses.filter((dose) => dose > from && dose < to), to];
  const untaken = records.filter(({ outcome }) => outcome !== 'partial' && !isTaken(outcome));
  let next = 0;
  return edges.slice(1).map((end, index) => {
    const first = next;
    while (next < untaken.length && untaken[next]!.scheduled_at.getTime() < end) next += 1;
    return { from: edges[index]!, to: end, records: untaken.slice(first, next) };
  });
}

/** Splits a gap where nothing was prescribed for more than 72 hours, before, between and after its slots. */
function splitAtPauses({ from, to, records }: Gap): Gap[] {
  const parts: Gap[] = [];
  let part: Gap | undefined;
  let before = from;
  for (const record of records) {
    const slot = record.scheduled_at.getTime();
    if (!part || slot - before > MOST_BETWEEN_SLOTS_MS) {
      part = { from: slot - before > MOST_BETWEEN_SLOTS_MS ? slot : before, to: slot, records: [] };
      parts.push(part);
    }
    part.records.push(record);
    part.to = slot;
    before = slot;
  }
  if (part && to - part.to <= MOST_BETWEEN_SLOTS_MS) part.to = to;
  return parts;
}

function asHoliday({ from, to, records }: Gap): DrugHoliday {
  return {
    from: new Date(from),
    to: new Date(to),
    hours: (to - from) / HOUR_MS,
    missed_doses: records.length,
  };
}
