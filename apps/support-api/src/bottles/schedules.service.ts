import {
  checkCourse,
  DAY_MS,
  onScheduleChange,
  parseSchedule,
  planAt,
  presentOf,
  ScheduleError,
  type ScheduleWarning,
  scheduleWarnings,
  type Slot,
  slotsBetween,
  type UnmonitoredPeriod,
  withoutStep,
  withStep,
} from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_SCHEDULE_VERSIONS,
  type StoredScheduleVersion,
  versionOf,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { changedMeanwhile } from '../http/versions.js';
import { assertInUse } from './in-use.js';
import type { SetScheduleDto } from './plan.dto.js';

/** Enough doses to show the pattern of a schedule; with one dose a month, they cover a year. */
const PREVIEW_DOSES = 20;
const PREVIEW_MS = 366 * DAY_MS;

/** Of the callers who save at once, one wins each time. */
const MOST_TRIES = 100;

/** The schedule versions as they are to be, and what is new in them. */
interface PlanChange<T> {
  versions: StoredScheduleVersion[];
  made: T;
}

interface Plan {
  plan: StoredScheduleVersion[];
  warnings: ScheduleWarning[];
}
type Saved = StoredScheduleVersion & Plan;
type Preview = Plan & { doses: Slot[] };

/** What was made, and the bottle with it. */
interface Changed<T> {
  bottle: Bottle;
  made: T;
}

/** The schedule versions of a bottle. Nothing in the past ever changes. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a step that takes effect at its `effective_from`, or now. Later steps stay, unless it replaces them.
   *
   * @throws Problem 400; 404, also for a step to replace that is not planned; 409; 412
   */
  async set(
    id: Types.ObjectId,
    step: SetScheduleDto,
    expected: Expected,
  ): Promise<{ bottle: Bottle; saved: Saved }> {
    const { bottle, made, now } = await this.changePlan(id, expected, (seen, now) =>
      withNewStep(seen, step, now),
    );
    const plan = planAt(bottle.schedule_versions, now);
    return { bottle, saved: { ...made, plan, warnings: scheduleWarnings(made.schedule) } };
  }

  /**
   * Removes a step of the plan: its time, from now on, is that of the step before it.
   *
   * @throws Problem 404; 409 `first_step` if it is in effect and none was before it; 412
   */
  async remove(
    id: Types.ObjectId,
    effectiveFrom: string,
    expected: Expected,
  ): Promise<{ bottle: Bottle; plan: StoredScheduleVersion[] }> {
    const begins = new Date(effectiveFrom);
    const { bottle, now } = await this.changePlan(id, expected, (seen, now) => {
      const versions = withoutStep(seen.schedule_versions, begins, now, seen.time_zone);
      if (versions === 'not_found') throw Problem.notFound('step');
      if (versions === 'first') throw firstStep();
      return { versions, made: undefined };
    });
    return { bottle, plan: planAt(bottle.schedule_versions, now) };
  }

  /** Returns the plan as it would be, and its next doses, outside pauses. Nothing is stored. @throws Problem 400, 404 */
  async preview(id: Types.ObjectId, step: SetScheduleDto): Promise<Preview> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const now = presentOf(bottle.schedule_versions, this.clock.now());
    return previewOf(withNewStep(bottle, step, now), bottle.pauses, now);
  }

  /** The same for a bottle that is not registered yet. @throws Problem 400 */
  previewNew(input: unknown, timeZone: string): Preview {
    const now = this.clock.now();
    const made = readVersion(input, timeZone, now);
    return previewOf({ versions: [made], made }, [], now);
  }

  /** Changes the schedule versions, and again if somebody else has changed them meanwhile. @throws Problem 404, 409, 412 */
  private async changePlan<T>(
    id: Types.ObjectId,
    expected: Expected,
    change: (bottle: Bottle, now: Date) => PlanChange<T>,
  ): Promise<Changed<T> & { now: Date }> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const bottle = await this.bottles.findById(id);
      if (!bottle) throw Problem.notFound('bottle');
      if (Array.isArray(expected) && !expected.includes(versionOf(bottle))) throw changedMeanwhile();
      assertInUse(bottle);
      const seen = bottle.schedule_versions;
      const now = presentOf(seen, this.clock.now());
      const { versions, made } = change(bottle, now);
      if (versions.length > MOST_SCHEDULE_VERSIONS) throw tooManySchedules();
      const changed = await this.bottles.replaceScheduleVersions(id, { seen, versions }, expected);
      if (!changed) continue;
      await this.states.change(id, onScheduleChange(now));
      return { bottle: changed, made, now };
    }
    throw new Problem(409, 'changed_meanwhile', 'Another request changed the schedule. Try again.');
  }
}

export const tooManySchedules = (): Problem =>
  new Problem(
    409,
    'too_many_schedules',
    `A bottle has ${MOST_SCHEDULE_VERSIONS} schedules at most, with the past ones.`,
  );

const firstStep = (): Problem =>
  new Problem(409, 'first_step', 'No step is before this one, which has begun. Change it, or add a pause.');

/** @throws Problem 400; 404 if the step to replace is not planned, or has begun */
function withNewStep(
  { schedule_versions, time_zone }: Bottle,
  { schedule, replaces, replaces_later }: SetScheduleDto,
  now: Date,
): PlanChange<StoredScheduleVersion> {
  const made = readVersion(schedule, time_zone, now);
  const replaced = replaces === undefined ? undefined : new Date(replaces);
  const isPlanned = schedule_versions.some(({ effective_from }) => +effective_from === Number(replaced));
  if (replaced && !(isPlanned && replaced > now)) throw Problem.notFound('step');
  return { versions: withStep(schedule_versions, made, { replaces: replaced, replaces_later }), made };
}

/**
 * Reads a schedule version. It takes effect at its `effective_from`, but not before now: past doses keep their outcome.
 *
 * @throws Problem 400 `invalid_schedule` naming the field
 */
export function readVersion(input: unknown, bottleZone: string, now: Date): StoredScheduleVersion {
  if (input === undefined) throw Problem.field('schedule', 'missing_field', 'schedule is missing');
  const schedule = parsed(() => parseSchedule(input));
  const begins = schedule.effective_from === undefined ? now : new Date(schedule.effective_from);
  const effective_from = begins > now ? begins : now;
  const version = { effective_from, time_zone: schedule.time_zone ?? bottleZone, schedule };
  parsed(() => checkCourse(version));
  return version;
}

function previewOf(
  { versions, made }: PlanChange<StoredScheduleVersion>,
  pauses: readonly UnmonitoredPeriod[],
  now: Date,
): Preview {
  return {
    doses: comingDoses(versions, pauses, now),
    plan: planAt(versions, now),
    warnings: scheduleWarnings(made.schedule),
  };
}

function comingDoses(
  versions: readonly StoredScheduleVersion[],
  pauses: readonly UnmonitoredPeriod[],
  now: Date,
): Slot[] {
  const end = new Date(now.getTime() + PREVIEW_MS);
  return slotsBetween(versions, pauses, now, end).slice(0, PREVIEW_DOSES);
}

/** Parses by the rules of the domain. @throws Problem 400 `invalid_schedule` naming the field, for a ScheduleError */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ScheduleError) throw Problem.field(error.field, error.code, error.message);
    throw error;
  }
}
