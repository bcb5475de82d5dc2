import {
  onScheduleChange,
  parsePause,
  parseSchedule,
  type Pause,
  ScheduleError,
  type Slot,
  slotsBetween,
} from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_PAUSES,
  MOST_SCHEDULE_VERSIONS,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { changedMeanwhile } from '../http/versions.js';

/** Enough doses to show the pattern of a schedule; with one dose a month, they cover a year. */
const PREVIEW_DOSES = 20;
const PREVIEW_MS = 366 * 24 * 60 * 60_000;

/** What was made, and the bottle with it. */
interface Changed<T> {
  bottle: Bottle;
  made: T;
}

/** The schedule versions and pauses of a bottle. Nothing in the past ever changes. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** Stores a schedule version that takes effect at its `effective_from`, or now. @throws Problem 400, 404, 412 */
  async set(id: Types.ObjectId, input: unknown, expected: Expected): Promise<Changed<StoredScheduleVersion>> {
    const now = this.clock.now();
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const version = readVersion(input, bottle.time_zone, now);
    const changed = await this.bottles.addScheduleVersion(id, version, expected);
    if (!changed) {
      const isFull = (now: Bottle): boolean => earlierVersions(now, version).length >= MOST_SCHEDULE_VERSIONS;
      throw await this.refusal(id, isFull, tooManySchedules);
    }
    await this.states.change(id, onScheduleChange(now));
    return { bottle: changed, made: version };
  }

  /** Returns the next doses of a schedule, outside pauses. Nothing is stored. @throws Problem 400, 404 */
  async preview(id: Types.ObjectId, input: unknown): Promise<Slot[]> {
    const now = this.clock.now();
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const version = readVersion(input, bottle.time_zone, now);
    return comingDoses([...earlierVersions(bottle, version), version], bottle.pauses, now);
  }

  /** The same for a bottle that is not registered yet. @throws Problem 400 */
  previewNew(input: unknown, timeZone: string): Slot[] {
    const now = this.clock.now();
    return comingDoses([readVersion(input, timeZone, now)], [], now);
  }

  /** Adds a pause that starts now or later. Past doses keep their outcome. @throws Problem 400, 404, 412 */
  async addPause(id: Types.ObjectId, input: unknown, expected: Expected): Promise<Changed<Pause>> {
    const now = this.clock.now();
    const pause = readPause(input, now);
    const changed = await this.bottles.addPause(id, pause, expected);
    if (!changed) throw await this.refusal(id, ({ pauses }) => pauses.length >= MOST_PAUSES, tooManyPauses);
    await this.states.change(id, onScheduleChange(now));
    return { bottle: changed, made: pause };
  }

  /** Ends a current pause, or removes a future one. @throws Problem 400, 404, 412 */
  async endPause(id: Types.ObjectId, from: string, expected: Expected): Promise<void> {
    const now = this.clock.now();
    const begins = new Date(from);
    const ended =
      begins > now
        ? await this.bottles.removePause(id, begins, expected)
        : await this.bottles.endPause(id, begins, now, expected);
    if (!ended) throw await this.refusalOfPause(id, begins, expected);
    await this.states.change(id, onScheduleChange(now));
  }

  private async refusal(
    id: Types.ObjectId,
    isFull: (bottle: Bottle) => boolean,
    tooMany: () => Problem,
  ): Promise<Problem> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) return Problem.notFound('bottle');
    return isFull(bottle) ? tooMany() : changedMeanwhile();
  }

  private async refusalOfPause(id: Types.ObjectId, begins: Date, expected: Expected): Promise<Problem> {
    const bottle = await this.bottles.findById(id);
    const isThere = bottle?.pauses.some(({ from, to }) => +from === +begins && to > this.clock.now());
    return isThere && expected !== undefined ? changedMeanwhile() : Problem.notFound('pause');
  }
}

export const tooManySchedules = (): Problem =>
  new Problem(
    409,
    'too_many_schedules',
    `A bottle has ${MOST_SCHEDULE_VERSIONS} schedules at most, with the past ones.`,
  );

const tooManyPauses = (): Problem =>
  new Problem(409, 'too_many_pauses', `A bottle has ${MOST_PAUSES} pauses at most, with the past ones.`);

/** The versions that stay when this one is set. */
function earlierVersions(
  { schedule_versions }: Bottle,
  version: StoredScheduleVersion,
): StoredScheduleVersion[] {
  return schedule_versions.filter(({ effective_from }) => effective_from < version.effective_from);
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
  return {
    effective_from: begins > now ? begins : now,
    time_zone: schedule.time_zone ?? bottleZone,
    schedule,
  };
}

/** The version in effect at a time: the latest one that has started. */
export function versionInForce(
  versions: StoredScheduleVersion[],
  at: Date,
): StoredScheduleVersion | undefined {
  return versions.findLast(({ effective_from }) => effective_from <= at);
}

/**
 * The versions of a bottle that moves to another time zone now. Schedules that follow the bottle's zone change from now
 * on; schedules with their own zone and the past stay the same.
 */
export function movedTo(
  zone: string,
  { schedule_versions: versions }: Bottle,
  now: Date,
): StoredScheduleVersion[] {
  const follows = ({ schedule, time_zone }: StoredScheduleVersion): boolean =>
    schedule.time_zone === undefined && time_zone !== zone;
  const past = versions.filter(({ effective_from }) => effective_from <= now);
  const coming = versions.filter(({ effective_from }) => effective_from > now);
  const current = versionInForce(versions, now);
  return [
    ...past,
    ...(current && follows(current) ? [{ ...current, effective_from: now, time_zone: zone }] : []),
    ...coming.map((version) => (follows(version) ? { ...version, time_zone: zone } : version)),
  ];
}

function comingDoses(
  versions: readonly StoredScheduleVersion[],
  pauses: readonly Pause[],
  now: Date,
): Slot[] {
  const end = new Date(now.getTime() + PREVIEW_MS);
  return slotsBetween(versions, pauses, now, end).slice(0, PREVIEW_DOSES);
}

/** Reads a pause. It does not start before now: past doses keep their outcome. */
function readPause(input: unknown, now: Date): Pause {
  const pause = parsed(() => parsePause(input, now));
  return pause.from < now ? { ...pause, from: now } : pause;
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
