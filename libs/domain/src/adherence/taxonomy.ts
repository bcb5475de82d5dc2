import { groupBy } from '../group-by.js';
import { type Ratio, ratio } from './ratio.js';
import type { DayFigure, DoseStatement, DosingDay, RemovedPills } from './dosing-days.js';

/** This many days without a dose in a row, all prescribed and monitored, end the treatment; our choice. */
export const DISCONTINUED_AFTER_DAYS = 30;

/** Share of days with the prescribed amount, and what is in it and what is not. */
export interface Implementation extends Ratio {
  /** Of both numbers: days of the plan on which no dose is prescribed. */
  break_days: number;
  /** In neither number. */
  not_monitored_days: number;
  /** In neither number: a dose of theirs is unknown. */
  unknown_days: number;
}

/** When the treatment began. */
export interface Initiation {
  first_dose_at: Date | null;
}

/** How long the treatment lasted, as far as its days tell. */
export interface Persistence {
  /** The last day with a dose; null if there is none. */
  last_dose_on: string | null;
  /** The days since prove that nothing more was taken; null if they cannot tell. */
  discontinued: boolean | null;
}

/** The figures of days, measured or with people's word. */
export interface TaxonomyFigures {
  implementation: Implementation;
  persistence: Persistence;
}

/**
 * The first dose: measured, the first removal; with people's word, the first that was a dose, or an earlier one that they
 * attest.
 *
 * @param removals in order of time; the first ones are enough
 */
export function initiationOf(
  removals: readonly RemovedPills[],
  noDoses: readonly RemovedPills[],
  attested: readonly Pick<DoseStatement, 'scheduled_at' | 'taken_at' | 'outcome'>[],
): Record<DayBasis, Initiation> {
  const times = new Set(noDoses.map(({ time }) => time.getTime()));
  const first = removals.find(({ time }) => !times.has(time.getTime()));
  const stated = attested
    .filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'not_taken')
    .map(({ taken_at, scheduled_at }) => (taken_at ?? scheduled_at).getTime());
  const reported = Math.min(...stated, first?.time.getTime() ?? Infinity);
  return {
    measured: { first_dose_at: removals[0]?.time ?? null },
    reported: { first_dose_at: Number.isFinite(reported) ? new Date(reported) : null },
  };
}

export type DayBasis = 'measured' | 'reported';

/** Implementation and persistence of the days of one bottle, in order (docs/adherence.md). */
export function taxonomyFigures(days: readonly DosingDay[], basis: DayBasis): TaxonomyFigures {
  const figures = days.map((day) => ({ local_date: day.local_date, ...day[basis] }));
  return { implementation: implementationOf(figures), persistence: persistenceOf(figures) };
}

/**
 * The days of several bottles as one: a day has the prescribed amount if each of the bottles that has the day has it, and
 * is left out if one of them is. As in the published figures of patients with several monitors.
 */
export function commonDays(ofBottles: readonly (readonly DosingDay[])[]): DosingDay[] {
  const byDate = groupBy(ofBottles.flat(), ({ local_date }) => local_date);
  return [...byDate]
    .map(([local_date, days]) => ({
      local_date,
      measured: common(days, 'measured'),
      reported: common(days, 'reported'),
    }))
    .toSorted((one, other) => (one.local_date < other.local_date ? -1 : 1));
}

function common(days: readonly DosingDay[], basis: DayBasis): DayFigure {
  const figures = days
    .map((day) => day[basis])
    .filter((figure, _, all) => figure.left_out !== 'excused' || all.length === 1);
  const left_out = figures.find((figure) => figure.left_out)?.left_out;
  return {
    removed: sum(figures.map(({ removed }) => removed)),
    expected: sum(figures.map(({ expected }) => expected)),
    implemented: left_out ? null : figures.every(({ implemented }) => implemented === 1) ? 1 : 0,
    ...(left_out && { left_out }),
  };
}

function implementationOf(days: readonly DayFigure[]): Implementation {
  const counted = days.filter(({ implemented }) => implemented !== null);
  const countLeftOut = (reason: DayFigure['left_out']): number =>
    days.filter(({ left_out }) => left_out === reason).length;
  return {
    ...ratio(counted.filter(({ implemented }) => implemented === 1).length, counted.length),
    break_days: counted.filter(({ expected }) => expected === 0).length,
    not_monitored_days: countLeftOut('not_monitored'),
    unknown_days: countLeftOut('unknown'),
  };
}

function persistenceOf(days: readonly (DayFigure & { local_date: string })[]): Persistence {
  const last = days.findLastIndex(({ removed }) => removed > 0);
  const since = days.slice(last + 1);
  const without = since.filter(({ implemented, expected }) => implemented === 0 && expected > 0).length;
  const isHidden = since.some(({ left_out }) => left_out === 'unknown' || left_out === 'not_monitored');
  const isOver = without >= DISCONTINUED_AFTER_DAYS;
  return {
    last_dose_on: days[last]?.local_date ?? null,
    discontinued: last === -1 || (isOver && isHidden) ? null : isOver,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
