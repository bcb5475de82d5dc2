import { amountAt, DAY, type DosePause, type DosePlan, type Prescription } from './facts.js';

/** A dose that is due at `at`, and until when taking it is what. */
export interface DueDose {
  at: number;
  opens: number;
  lateAt: number;
  missedAt: number;
  pills: number;
}

/** The wall clocks of zones. */
export interface Walls {
  in(zone: string): {
    /** `YYYY-MM-DD`, in order. */
    dates: readonly string[];
    /** When the wall first shows a time of a date; undefined if it never does. */
    instantOf(date: string, time: string): number | undefined;
  };
}

/** Every dose of `[from, to)` under what is prescribed, in order. Doses due at one moment are one dose of all their pills. */
export function dueDoses(
  prescriptions: readonly Prescription[],
  pauses: readonly DosePause[],
  { from, to }: { from: number; to: number },
  walls: Walls,
): DueDose[] {
  const doses = prescriptions.flatMap(({ plan, from: begins }, index) => {
    const ends = prescriptions[index + 1]?.from ?? Infinity;
    const course = planned(plan, to, walls)
      .filter(({ at }) => at >= begins)
      .slice(0, plan.doses);
    const due = course
      .filter(({ at }) => at < ends && at >= from && at < to)
      .filter(({ at }) => !pauses.some((pause) => pause.from <= at && at < pause.to));
    return [...new Set(due.map(({ at }) => at))].map((at) => ({
      at,
      opens: at - plan.early,
      lateAt: at + plan.late,
      missedAt: at + plan.missed,
      pills: pillsOf(due.filter((other) => other.at === at)),
    }));
  });
  return doses.sort((one, other) => one.at - other.at);
}

interface PlannedDose {
  at: number;
  pills: number;
}

const pillsOf = (doses: readonly PlannedDose[]): number => doses.reduce((sum, { pills }) => sum + pills, 0);

/** The doses that a plan has before `to`, in order. */
function planned(plan: DosePlan, to: number, walls: Walls): PlannedDose[] {
  if (plan.kind === 'as_needed') return [];
  const wall = walls.in(plan.zone);
  const lastDate = plan.until ?? '9999-12-31';
  if (plan.kind === 'interval') {
    const dayAfter = wall.dates.find((date) => date > lastDate);
    const ends = dayAfter === undefined ? Infinity : wall.instantOf(dayAfter, '00:00')!;
    const all: PlannedDose[] = [];
    for (let at = plan.anchor; at < Math.min(to, ends); at += plan.every) all.push({ at, pills: plan.pills });
    return all;
  }
  const times = [...new Set(plan.times)];
  const amountOf = (time: string): number =>
    plan.times.reduce((sum, each, place) => (each === time ? sum + amountAt(plan, place) : sum), 0);
  return wall.dates
    .filter((date) => date <= lastDate && isDosingDay(plan, date))
    .flatMap((date) => times.map((time) => ({ at: wall.instantOf(date, time), pills: amountOf(time) })))
    .flatMap(({ at, pills }) => (at === undefined ? [] : [{ at, pills }]))
    .sort((one, other) => one.at - other.at);
}

function isDosingDay({ days, monthDays, cycle }: DosePlan, date: string): boolean {
  const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(date).getUTCDay()]!;
  if (days.length > 0 && !days.includes(weekday)) return false;
  if (monthDays && !monthDays.some((day) => dateInMonth(date, day) === date)) return false;
  if (!cycle) return true;
  const day = (Date.parse(date) - Date.parse(cycle.anchor)) / DAY;
  return day >= 0 && day % (cycle.on + cycle.off) < cycle.on;
}

/** The date of that day in the month of a date, or of the month's last day. */
function dateInMonth(date: string, day: number): string {
  const of = (each: number): string => `${date.slice(0, 8)}${String(each).padStart(2, '0')}`;
  let found = day;
  while (Number.isNaN(Date.parse(of(found))) || new Date(of(found)).toISOString().slice(0, 10) !== of(found))
    found -= 1;
  return of(found);
}
