import { DAY, type DosePause, type DosePlan, type Prescription } from './facts.js';

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
    return instants(plan, from, to, walls)
      .filter((at) => at >= begins && at < ends && at >= from && at < to)
      .filter((at) => !pauses.some((pause) => pause.from <= at && at < pause.to))
      .map((at, _, all) => ({
        at,
        opens: at - plan.early,
        lateAt: at + plan.late,
        missedAt: at + plan.missed,
        pills: plan.pills * all.filter((other) => other === at).length,
      }))
      .filter((dose, place, all) => all.findIndex(({ at }) => at === dose.at) === place);
  });
  return doses.sort((one, other) => one.at - other.at);
}

function instants(plan: DosePlan, from: number, to: number, walls: Walls): number[] {
  if (plan.kind === 'as_needed') return [];
  if (plan.kind === 'interval') {
    const all: number[] = [];
    for (let at = plan.anchor; at < to; at += plan.every) if (at >= from) all.push(at);
    return all;
  }
  const wall = walls.in(plan.zone);
  const found = wall.dates
    .filter((date) => isDosingDay(plan, date))
    .flatMap((date) => plan.times.map((time) => wall.instantOf(date, time)));
  return found.filter((at) => at !== undefined);
}

function isDosingDay({ days, cycle }: DosePlan, date: string): boolean {
  const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(date).getUTCDay()]!;
  if (days.length > 0 && !days.includes(weekday)) return false;
  if (!cycle) return true;
  const day = (Date.parse(date) - Date.parse(cycle.anchor)) / DAY;
  return day >= 0 && day % (cycle.on + cycle.off) < cycle.on;
}
