import type { ScheduleVersion } from '../../../api/schema.js';

/** What saving makes of a step. `ends`: it is in effect and does not apply from then on. */
export type StepChange = 'stays' | 'ends' | 'changed' | 'new' | 'removed';

export interface ChangedStep {
  step: ScheduleVersion;
  change: StepChange;
  /** It begins when it is saved. */
  beginsNow: boolean;
}

/** A plan: the step in effect, and those that begin later. */
export interface Plan {
  current: ScheduleVersion | null;
  coming: readonly ScheduleVersion[];
}

/**
 * The steps of a plan before and after a change, in order.
 *
 * @param savedNow whether the change begins when it is saved: then it is the first step afterwards
 */
export function planChanges(
  { current, coming }: Plan,
  after: readonly ScheduleVersion[],
  savedNow: boolean,
): ChangedStep[] {
  const old = byBeginning(current ? [current, ...coming] : coming);
  const made = byBeginning(after);
  const begins = [...new Set([...old.keys(), ...made.keys()])].sort((one, other) => one - other);
  return begins.map((at) => {
    const [was, is] = [old.get(at), made.get(at)];
    return {
      step: (is ?? was)!,
      change: changeOf(was, is, was === current),
      beginsNow: savedNow && is !== undefined && is === after[0],
    };
  });
}

function changeOf(
  was: ScheduleVersion | undefined,
  is: ScheduleVersion | undefined,
  isCurrent: boolean,
): StepChange {
  if (!is) return isCurrent ? 'ends' : 'removed';
  if (!was) return 'new';
  return isSame(was, is) ? 'stays' : 'changed';
}

const byBeginning = (steps: readonly ScheduleVersion[]) =>
  new Map(steps.map((step) => [Date.parse(step.effective_from), step]));

/** Their schedules may say the same beginning in different ways. */
function isSame(one: ScheduleVersion, other: ScheduleVersion): boolean {
  const text = ({ schedule, time_zone }: ScheduleVersion): string =>
    JSON.stringify([time_zone, { ...schedule, effective_from: undefined }]);
  return text(one) === text(other);
}
