import { Temporal } from 'temporal-polyfill';
import { DAY_MS, MINUTE_MS } from '../time/durations.js';
import { versionAt } from './as-needed.js';
import { goingOn } from './course.js';
import type { ScheduleVersion } from './schedule.js';
import { type Slot, slotsBetween } from './slots.js';

/** What a move to another time zone makes of the schedules that follow the bottle's zone. */
export const DOSE_TIMES = ['from_next_dose', 'keep_home_time'] as const;
export type DoseTimes = (typeof DOSE_TIMES)[number];

type Plan = readonly ScheduleVersion[];

/** The bounds of the time between the last dose in the old zone and the first in the new one, as shares of its gap. */
const LEAST_SHARE = 0.5;
const MOST_SHARE = 1.5;

/** The gaps of a plan with a dose a month. */
const LONGEST_GAP_MS = 33 * DAY_MS;

/**
 * The versions of a bottle that moves to another time zone (DOSE-46). The past and schedules with their own zone stay the
 * same; those that follow the bottle's zone keep the old one for good (`keep_home_time`), or change to the new one as soon
 * as no dose then falls due within half its gap of the one before, and none is skipped.
 */
export function movedTo(
  zone: string,
  versions: Plan,
  now: Date,
  times: DoseTimes = 'from_next_dose',
): ScheduleVersion[] {
  if (times === 'keep_home_time') return versions.map((version) => withOwnZone(version, versions, now));
  return switchedAt(switchTime(zone, versions, now), zone, versions, now);
}

/** A version that is over keeps its form. */
function withOwnZone(version: ScheduleVersion, versions: Plan, now: Date): ScheduleVersion {
  const { schedule, time_zone, effective_from } = version;
  const isOver = effective_from <= now && version !== versionAt(versions, now);
  return isOver || schedule.time_zone !== undefined
    ? version
    : { ...version, schedule: { ...schedule, time_zone } };
}

/** The versions if the new zone applies from an instant on. */
function switchedAt(at: Date, zone: string, versions: Plan, now: Date): ScheduleVersion[] {
  const current = versionAt(versions, at);
  return [
    ...versions.filter(({ effective_from }) => effective_from <= at),
    ...(current && follows(current, zone) ? continued(current, at, zone, now) : []),
    ...versions
      .filter(({ effective_from }) => effective_from > at)
      .map((version) => (follows(version, zone) ? { ...version, time_zone: zone } : version)),
  ];
}

const follows = ({ schedule, time_zone }: ScheduleVersion, zone: string): boolean =>
  schedule.time_zone === undefined && time_zone !== zone;

/**
 * What begins later is a planned step, and has its beginning in its schedule as those have. A course that has no doses left
 * stays over in its zone.
 */
function continued(version: ScheduleVersion, at: Date, time_zone: string, now: Date): ScheduleVersion[] {
  const schedule = goingOn(version, at);
  if (!schedule) return [];
  return [
    {
      ...version,
      effective_from: at,
      time_zone,
      schedule: at > now ? { ...schedule, effective_from: at.toISOString() } : schedule,
    },
  ];
}

/**
 * When the new zone begins to apply: now, or right after a dose of either zone. The first such moment at which the time from
 * the last dose to the next is at least half the gap of the next, and at most one and a half of it; if there is none, the
 * first at which it is at least half.
 */
function switchTime(zone: string, versions: Plan, now: Date): Date {
  const current = versionAt(versions, now);
  if (!current || !follows(current, zone)) return now;
  const always = [{ ...endless(current), time_zone: zone }];
  const until = new Date(+now + LONGEST_GAP_MS);
  const doses = [versions, always].flatMap((plan) =>
    slotsBetween(plan, [], now, until).slice(0, MOST_LEFT_OUT),
  );
  const after = doses.map(({ scheduled_at }) => +scheduled_at + MINUTE_MS).sort((one, other) => one - other);
  const next = versions.find(({ effective_from }) => effective_from > now)?.effective_from ?? until;
  const moments = [now, ...after.map((at) => new Date(at))].filter((at) => at < next);
  let late: Date | undefined;
  for (const at of moments) {
    const fit = fitOf(switchedAt(at, zone, versions, now), { was: versions, always }, at);
    if (fit === 'well') return at;
    if (fit === 'late') late ??= at;
  }
  return late ?? now;
}

/** More doses in a row are never left out, or kept. */
const MOST_LEFT_OUT = 60;

/** The pattern of a version: as if it had always been in effect, and had no end. */
function endless({ time_zone, schedule }: ScheduleVersion): ScheduleVersion {
  const { until: _until, doses: _doses, ...pattern } = { doses: undefined, ...schedule };
  return { effective_from: new Date(0), time_zone, schedule: pattern };
}

/**
 * How the first dose after a moment follows the last one before it; `well` if there are no two of one step, `late` if the
 * last day of a course is over in the new zone before its last dose.
 */
function fitOf(
  plan: Plan,
  { was, always }: { was: Plan; always: Plan },
  at: Date,
): 'early' | 'well' | 'late' {
  const until = new Date(+at + LONGEST_GAP_MS);
  const around = slotsBetween(plan, [], new Date(+at - LONGEST_GAP_MS), until);
  const last = around.findLast(({ scheduled_at }) => scheduled_at < at);
  const next = around.find(({ scheduled_at }) => scheduled_at >= at);
  if (!next && slotsBetween(was, [], at, until).length > 0) return 'late';
  if (!last || !next) return 'well';
  const [before, beforeThat] = slotsBetween(
    always,
    [],
    new Date(+next.scheduled_at - 2 * LONGEST_GAP_MS),
    next.scheduled_at,
  )
    .slice(-2)
    .reverse();
  if (!before || versionAt(plan, next.scheduled_at) !== versionAt(plan, at)) return 'well';
  const since = between(last, next);
  const gap = between(before, next);
  if (since < LEAST_SHARE * gap) return 'early';
  return since > MOST_SHARE * Math.max(gap, beforeThat ? between(beforeThat, before) : 0) ? 'late' : 'well';
}

const between = (one: Slot, other: Slot): number => +other.scheduled_at - +one.scheduled_at;

/** A dose before and after a move: absent if it is left out, or was not due. */
export interface MovedDose {
  was?: Date;
  is?: Date;
  pills: number;
}

/** How far ahead moved doses are shown, and how many. */
const SHOWN_MS = 7 * DAY_MS;
const MOST_SHOWN = 10;

/**
 * The next doses before and after a move, in order. Beside each other are those that stay, and those of one local time of
 * the same day; across the date line, where that is a day apart, of the day that is nearer in time.
 */
export function movedDoses(before: Plan, after: Plan, now: Date): MovedDose[] {
  const until = new Date(+now + SHOWN_MS);
  const [was, is] = [before, after].map((plan) => slotsBetween(plan, [], now, until));
  const days = Math.round((offsetOf(after, until) - offsetOf(before, until)) / DAY_MS);
  const due = new Set(was!.map(({ scheduled_at }) => +scheduled_at));
  const stays = is!.filter(
    ({ scheduled_at }) => due.has(+scheduled_at) && isFixed(before, after, scheduled_at),
  );
  const staying = new Set(stays.map(({ scheduled_at }) => +scheduled_at));
  const moves = (slots: readonly Slot[]): Slot[] =>
    slots.filter(({ scheduled_at }) => !staying.has(+scheduled_at));
  const [old, made] = [byLocalTime(before, moves(was!), days), byLocalTime(after, moves(is!), 0)];
  const moved = [...new Set([...old.keys(), ...made.keys()])].map((name) => ({
    was: old.get(name),
    is: made.get(name),
  }));
  return [...stays.map((slot) => ({ was: slot, is: slot })), ...moved]
    .map((pair): MovedDose => ({
      ...(pair.was && { was: pair.was.scheduled_at }),
      ...(pair.is && { is: pair.is.scheduled_at }),
      pills: (pair.is ?? pair.was)!.pills,
    }))
    .sort((one, other) => orderOf(one) - orderOf(other))
    .slice(0, MOST_SHOWN);
}

/** Whether the zone makes no difference to a dose of both plans: it is an interval's, or has the same zone in both. */
function isFixed(before: Plan, after: Plan, at: Date): boolean {
  const [old, made] = [versionAt(before, at)!, versionAt(after, at)!];
  return made.schedule.kind === 'interval' || made.time_zone === old.time_zone;
}

const orderOf = (dose: MovedDose): number => +(dose.is ?? dose.was)!;

/** The zone's offset from UTC that a plan has at an instant. Milliseconds. */
function offsetOf(plan: Plan, at: Date): number {
  const { time_zone = 'UTC' } = versionAt(plan, at) ?? {};
  return Temporal.Instant.fromEpochMilliseconds(+at).toZonedDateTimeISO(time_zone).offsetNanoseconds / 1e6;
}

/** @param days added to the local dates */
function byLocalTime(plan: Plan, slots: readonly Slot[], days: number): Map<string, Slot> {
  return new Map(
    slots.map((slot) => {
      const zone = versionAt(plan, slot.scheduled_at)!.time_zone;
      const local = Temporal.Instant.fromEpochMilliseconds(+slot.scheduled_at).toZonedDateTimeISO(zone);
      return [local.toPlainDateTime().add({ days }).toString(), slot];
    }),
  );
}
