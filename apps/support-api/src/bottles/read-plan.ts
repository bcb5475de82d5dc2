import { beginningAfter, checkCourse, parseSchedule, ScheduleError } from '#domain';
import type { StoredScheduleVersion } from '#persistence';
import { Problem } from '#platform';
import { MOST_STEPS } from './plan.dto.js';

/** What a request has of a plan, as it was sent: one schedule, several steps, or neither. */
interface SentPlan {
  schedule?: unknown;
  steps?: unknown;
}

/**
 * Reads the schedule or the steps of a request; none if it has neither.
 *
 * @returns in order of their beginnings
 * @throws Problem 400 naming the field, such as `steps[1].times[0]`
 */
export function readPlan(
  { schedule, steps }: SentPlan,
  bottleZone: string,
  now: Date,
): StoredScheduleVersion[] {
  if (steps === undefined) return schedule === undefined ? [] : [readVersion(schedule, bottleZone, now)];
  if (schedule !== undefined)
    throw Problem.field('schedule', 'forbidden_field', 'schedule does not go with steps');
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > MOST_STEPS)
    throw Problem.field('steps', 'invalid_schedule', `steps: must be a list of 1 to ${MOST_STEPS}`);
  const made: StoredScheduleVersion[] = [];
  for (const [index, input] of steps.entries()) {
    const field = `steps[${index}]`;
    const before = made.at(-1);
    const step = readVersion(withBeginning(input, before), bottleZone, now, field);
    if (before && step.effective_from <= before.effective_from)
      throw Problem.field(
        `${field}.effective_from`,
        'invalid_schedule',
        `${field}.effective_from: must be after that of the step before, or the step before must end`,
      );
    made.push(step);
  }
  return made;
}

/** A step that does not say when it begins follows the one before. */
function withBeginning(input: unknown, before: StoredScheduleVersion | undefined): unknown {
  const begins = before && beginningAfter(before);
  if (!begins || typeof input !== 'object' || input === null || 'effective_from' in input) return input;
  return { ...input, effective_from: begins.toISOString() };
}

/**
 * Reads a schedule version. It takes effect at its `effective_from`, but not before now: past doses keep their outcome.
 *
 * @throws Problem 400 `invalid_schedule` naming the field
 */
export function readVersion(
  input: unknown,
  bottleZone: string,
  now: Date,
  field = 'schedule',
): StoredScheduleVersion {
  if (input === undefined) throw Problem.field(field, 'missing_field', `${field} is missing`);
  const schedule = parsed(() => parseSchedule(input), field);
  const begins = schedule.effective_from === undefined ? now : new Date(schedule.effective_from);
  const effective_from = begins > now ? begins : now;
  const version = { effective_from, time_zone: schedule.time_zone ?? bottleZone, schedule };
  parsed(() => checkCourse(version), field);
  return version;
}

/** Parses by the rules of the domain. @throws Problem 400 `invalid_schedule` naming the field, for a ScheduleError */
function parsed<T>(parse: () => T, field: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ScheduleError) {
      const named = (text: string): string => text.replace(/^schedule/, field);
      throw Problem.field(named(error.field), error.code, named(error.message));
    }
    throw error;
  }
}
