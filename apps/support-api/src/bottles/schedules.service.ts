import { onScheduleChange, parseSchedule, type Slot, slotsBetween } from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { readBy } from './schedule-problem.js';

/** A schedule shows what it is within so many doses; who takes one a month sees a year. */
const PREVIEW_DOSES = 20;
const PREVIEW_MS = 366 * 24 * 60 * 60_000;

/** What a bottle's schedule is made of: versions, of which the past ones never change. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** Stores a schedule that holds from its `effective_from`, or from now. @throws Problem 400, 404 */
  async set(id: Types.ObjectId, input: unknown): Promise<StoredScheduleVersion> {
    const now = this.clock.now();
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const version = readVersion(input, bottle.time_zone, now);
    if (!(await this.bottles.addScheduleVersion(id, version))) throw Problem.notFound('bottle');
    await this.states.change(id, onScheduleChange(now));
    return version;
  }

  /** The doses that would come of a schedule, the pauses left out. Nothing is stored. @throws Problem 400, 404 */
  async preview(id: Types.ObjectId, input: unknown): Promise<Slot[]> {
    const now = this.clock.now();
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const version = readVersion(input, bottle.time_zone, now);
    const earlier = bottle.schedule_versions.filter(
      ({ effective_from }) => effective_from < version.effective_from,
    );
    const end = new Date(now.getTime() + PREVIEW_MS);
    return slotsBetween([...earlier, version], bottle.pauses, now, end).slice(0, PREVIEW_DOSES);
  }
}

/**
 * The version that a schedule makes. It holds from its `effective_from`, and never before now: a schedule that has
 * been prescribed for long says so, and what is past stays as it was judged.
 *
 * @throws Problem 400 `invalid_schedule`, naming the field.
 */
export function readVersion(input: unknown, bottleZone: string, now: Date): StoredScheduleVersion {
  if (input === undefined) throw Problem.field('schedule', 'missing_field', 'schedule is missing');
  const schedule = readBy(() => parseSchedule(input));
  const begins = schedule.effective_from === undefined ? now : new Date(schedule.effective_from);
  return {
    effective_from: begins > now ? begins : now,
    time_zone: schedule.time_zone ?? bottleZone,
    schedule,
  };
}

/** The version that holds at a moment: of those that have begun, the one that began last. */
export function versionInForce(
  versions: StoredScheduleVersion[],
  at: Date,
): StoredScheduleVersion | undefined {
  return versions.findLast(({ effective_from }) => effective_from <= at);
}

/**
 * The versions of a bottle that moves to another zone now: what follows the bottle's zone changes from now on,
 * what names its own stays, and the past stays as it was.
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
