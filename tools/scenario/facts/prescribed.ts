import ms, { type StringValue } from 'ms';
import type { BottleSpec, Scenario, StaffAction } from '../file/format.js';
import { DAY, type DosePause, type DosePlan, type Prescription } from '../generate/oracle/facts.js';
import { inOrder } from './service.js';
import type { Walls } from '../generate/oracle/due-doses.js';
import { prescribedAfterMove } from '../generate/oracle/moving.js';

/** What was prescribed for a bottle, and what staff knew of it when. */
export interface Prescribed {
  prescriptions: SavedPrescription[];
  pauses: DosePause[];
}

/** A step of the plan. */
interface SavedPrescription extends Prescription {
  savedAt: number;
  /** From when on another has taken its place, or it is removed. */
  removedAt?: number;
}

/** The steps of the plan as staff know them at a moment. */
export function knownAt<P extends Pick<SavedPrescription, 'savedAt' | 'removedAt'>>(
  steps: readonly P[],
  at: number,
): P[] {
  return steps.filter(({ savedAt, removedAt = Infinity }) => savedAt <= at && at < removedAt);
}

/** A schedule as staff save it. */
interface ScheduleJson {
  kind: DosePlan['kind'];
  times?: (string | { at: string; pills: number })[];
  days_of_week?: string[];
  days_of_month?: number[];
  cycle?: { days_on: number; days_off: number; anchor: string };
  every?: string;
  anchor?: string;
  max_per_day?: number;
  pills_per_dose?: number;
  early_window?: string;
  late_after?: string;
  missed_after?: string;
  time_zone?: string;
  effective_from?: string;
  until?: string;
  doses?: number;
}

/** How far before and after a scenario the doses of a plan are looked at when it moves. */
export const AHEAD = 40 * DAY;

/** Everything that the scenario has staff prescribe. */
export function prescribedFor(
  spec: BottleSpec,
  { start, end, events, bottles }: Scenario,
  walls: Walls,
): Prescribed {
  const prescriptions: Prescribed['prescriptions'] = [];
  const pauses: DosePause[] = [];
  let zone = spec.time_zone;
  const prescribe = (schedule: unknown, at: number): void => {
    const { effective_from: from } = schedule as ScheduleJson;
    prescriptions.push({
      from: Math.max(at, from === undefined ? at : Date.parse(from)),
      plan: planOf(schedule as ScheduleJson, zone),
      savedAt: at,
    });
  };
  const remove = (at: number, isRemoved: (from: number) => boolean): void => {
    for (const step of knownAt(prescriptions, at)) if (isRemoved(step.from)) step.removedAt = at;
  };
  if (spec.schedule !== undefined) prescribe(spec.schedule, start.getTime());
  const users = new Map(bottles.map(({ key, user_id }) => [key, user_id]));
  for (const event of inOrder(events)) {
    if (event.type !== 'staff') continue;
    const [at, { action }] = [event.at.getTime(), event];
    const isOfPerson = 'ofPerson' in action && action.ofPerson && users.get(action.bottle) === spec.user_id;
    if (action.bottle !== spec.key && !isOfPerson) continue;
    if (action.action === 'schedule') {
      const { steps, replaces, replaces_later: replacesLater } = action.body;
      // of several, each after the first says when it begins
      const [schedule, ...others] = (steps ?? [action.body['schedule']]) as ScheduleJson[];
      const begins = schedule!.effective_from;
      const from = begins === undefined ? at : Date.parse(begins);
      if (replaces !== undefined) remove(at, (each) => each === Date.parse(replaces as string));
      if (replacesLater === true) remove(at, (each) => each > from);
      for (const each of [schedule, ...others]) prescribe(each, at);
    }
    if (action.action === 'remove_step') {
      const begins = Date.parse(action.effective_from);
      remove(at, (each) => each === begins);
    }
    if (action.action === 'pause')
      pauses.push({
        orderedAt: at,
        from: action.from === undefined ? at : Date.parse(action.from),
        to: Date.parse(action.to),
      });
    const isOver = action.action === 'retire' || action.action === 'store';
    if (isOver || (action.action === 'change' && typeof action.plan_of === 'string')) {
      remove(at, (each) => each > at);
      const last = knownAt(prescriptions, at).at(-1);
      if (last)
        prescriptions.push({
          from: at,
          savedAt: at,
          plan: { ...last.plan, kind: 'times_of_day', times: [] },
        });
      for (const pause of isOver ? pauses : []) pause.to = Math.min(pause.to, Math.max(pause.from, at));
    }
    if (action.action === 'assign' && action.body.schedule !== undefined) prescribe(action.body.schedule, at);
    if ('ofPerson' in action) changePeriods(pauses, action, at);
    if (action.action === 'change' && action.time_zone !== undefined) {
      zone = action.time_zone;
      const steps = knownAt(prescriptions, at).toSorted((one, other) => one.from - other.from);
      const last = steps.findLast(({ from }) => from <= at);
      if (!last || last.plan.statesZone) continue;
      if (action.dose_times === 'keep_home_time') {
        last.plan.statesZone = true;
        continue;
      }
      const around = { from: start.getTime() - AHEAD, to: end.getTime() + AHEAD };
      prescriptions.push({ ...prescribedAfterMove(steps, zone, at, walls, around), savedAt: at });
    }
  }
  return { prescriptions: prescriptions.toSorted((one, other) => one.from - other.from), pauses };
}

/** Enters a period without monitoring; changing and removing is of the one that was entered last. */
function changePeriods(
  periods: DosePause[],
  { action, body }: Extract<StaffAction, { ofPerson: boolean }>,
  at: number,
): void {
  const last = periods.findLast(({ changedAt }) => changedAt === undefined);
  if (action !== 'period' && last) last.changedAt = at;
  if (action === 'remove_period') return;
  const before = action === 'change_period' ? last : undefined;
  const reason = body.reason ?? before?.reason;
  periods.push({
    orderedAt: at,
    from: body.from === undefined ? (before?.from ?? at) : Date.parse(body.from),
    to: body.to === undefined ? (before?.to ?? Infinity) : body.to === null ? Infinity : Date.parse(body.to),
    ...(reason !== undefined && { reason }),
  });
}

function planOf(schedule: ScheduleJson, zone: string): DosePlan {
  const {
    kind,
    times = [],
    days_of_week: days = [],
    days_of_month: monthDays,
    cycle,
    until,
    doses,
  } = schedule;
  const { pills_per_dose: pills = 1 } = schedule;
  const span = (text: string): number => ms(text as StringValue);
  return {
    kind,
    times: times.map((time) => (typeof time === 'string' ? time : time.at)),
    amounts: times.map((time) => (typeof time === 'string' ? undefined : time.pills)),
    days,
    ...(monthDays && { monthDays }),
    ...(until !== undefined && { until }),
    ...(doses !== undefined && { doses }),
    ...(cycle && { cycle: { on: cycle.days_on, off: cycle.days_off, anchor: cycle.anchor } }),
    every: span(schedule.every ?? '1d'),
    anchor: Date.parse(schedule.anchor ?? '1970-01-01T00:00:00Z'),
    maxPerDay: schedule.max_per_day ?? 0,
    minInterval: 0,
    pills,
    early: span(schedule.early_window ?? '2h'),
    late: span(schedule.late_after ?? '1h'),
    missed: span(schedule.missed_after ?? '4h'),
    zone: schedule.time_zone ?? zone,
    statesZone: schedule.time_zone !== undefined,
  };
}
