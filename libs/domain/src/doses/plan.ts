import { versionAt } from './as-needed.js';
import { goingOn, overBefore } from './course.js';
import { endsAt, type UnmonitoredPeriod } from './periods.js';
import type { ScheduleVersion } from './schedule.js';

/**
 * How a plan changes: its steps are schedule versions, oldest first. No change touches a step that is over, nor the
 * past of the one in effect: what was due before `now` stays as it was (DOSE-7).
 */
type Plan = readonly ScheduleVersion[];

/** The step in effect at an instant, if there is one, and those that take effect later. */
export function planAt(versions: Plan, at: Date): ScheduleVersion[] {
  const current = versionAt(versions, at);
  return [...(current ? [current] : []), ...versions.filter(({ effective_from }) => effective_from > at)];
}

/**
 * The present, for a change of the plan: never before a step that was saved to begin at once. The clocks of two processes
 * differ by milliseconds, and of two such steps the one that is saved last is to hold.
 */
export function presentOf(versions: Plan, now: Date): Date {
  const begun = versions.filter(
    ({ schedule, effective_from }) => Date.parse(schedule.effective_from ?? '') !== +effective_from,
  );
  return new Date(Math.max(+now, ...begun.map(({ effective_from }) => +effective_from)));
}

/** What a new step takes the place of, beside a step that begins at the same time. */
export interface Replaced {
  /** The beginning of a step that it moves to its own. */
  replaces?: Date | undefined;
  /** All steps that begin after it. */
  replaces_later?: boolean | undefined;
}

/** The versions with a step that begins now or later. Steps that begin later than it stay (DOSE-38). */
export function withStep(versions: Plan, step: ScheduleVersion, replaced: Replaced = {}): ScheduleVersion[] {
  const begins = step.effective_from;
  const others = versions.filter(({ effective_from }) => +effective_from !== Number(replaced.replaces));
  return [
    ...others.filter(({ effective_from }) => effective_from < begins),
    step,
    ...(replaced.replaces_later ? [] : others.filter(({ effective_from }) => effective_from > begins)),
  ];
}

/**
 * The versions without the step that begins at `begins`: its time, from `now` on, is that of the step before it
 * (DOSE-39). `not_found` if no step of the plan begins then; `first` if it is in effect and none was before it.
 *
 * @param zone the bottle's, for a schedule without a zone of its own
 */
export function withoutStep(
  versions: Plan,
  begins: Date,
  now: Date,
  zone: string,
): ScheduleVersion[] | 'not_found' | 'first' {
  const isStep = ({ effective_from }: ScheduleVersion): boolean => +effective_from === +begins;
  if (!planAt(versions, now).some(isStep)) return 'not_found';
  if (begins > now) return versions.filter((version) => !isStep(version));
  const before = versions.findLast(({ effective_from }) => effective_from < begins);
  // one that ended when the bottle left use was of another time
  if (!before || before.ends_at) return 'first';
  const time_zone = before.schedule.time_zone ?? zone;
  const { effective_from: _, ...schedule } =
    goingOn(before, begins) ?? overBefore(now, before.schedule, time_zone);
  return withStep(versions, { effective_from: now, time_zone, schedule });
}

/** The versions of a bottle that leaves use now: the one in effect ends, and steps that were planned are dropped. */
export function endPlan(versions: Plan, now: Date): ScheduleVersion[] {
  const current = versionAt(versions, now);
  return versions
    .filter(({ effective_from }) => effective_from <= now)
    .map((version) => (version === current ? { ...version, ends_at: now } : version));
}

/** The periods of a bottle that leaves use now: what would not be monitored later is not its concern any more. */
export function endPeriods(periods: readonly UnmonitoredPeriod[], now: Date): UnmonitoredPeriod[] {
  return periods
    .filter(({ from }) => from < now)
    .map((period) => (endsAt(period) > now.getTime() ? { ...period, to: now } : period));
}
