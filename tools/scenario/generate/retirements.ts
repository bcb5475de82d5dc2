import type { Random } from '../../random.js';
import type { AlertNotifications } from './alert-notifications.js';
import { receive } from './arrivals.js';
import type { BottlePlan } from './bottle-plan.js';
import type { Traffic } from './link.js';
import { dueDoses } from './oracle/due-doses.js';
import { type BottleTruth, MINUTE, type Outcome, SECOND, type ServiceFacts } from './oracle/facts.js';
import type { WallClocks } from './oracle/wall-clock.js';
import { watchBottle } from './oracle/watch-bottle.js';

/** A bottle that leaves use, and what is true of it then. */
export interface Retirement {
  at: number;
  /** Absent if it is stored: its reports are taken. */
  reason?: string | undefined;
  truth: BottleTruth;
}

const REASONS = ['returned', 'lost', 'broken', 'owner_died', undefined, undefined];

/** No bottle is retired while something about it changes. */
const ROOM = 20 * MINUTE;
/** A report that comes with the retirement may be taken or not (LIFE-4). */
const TOKEN_STOPS_WITHIN = 2 * MINUTE;

/** Draws whether and when a bottle without periods is retired or stored: the truth up to then, without what was not over. */
export function drawRetirement(
  random: Random,
  plan: BottlePlan,
  traffic: Traffic,
  facts: ServiceFacts,
  walls: WallClocks,
): Retirement | undefined {
  const { from, to } = facts;
  const at = Math.floor(random.between(from + 0.2 * (to - from), to - 2 * ROOM) / SECOND) * SECOND + 391;
  const reason = random.pick(REASONS);
  const { pauses, runsLow, miscounts, prescriptions } = plan;
  if (!random.chance(0.15) || pauses.length > 0 || runsLow || miscounts) return undefined;
  const isNear = (time: number): boolean => Math.abs(time - at) < ROOM;
  const due = dueDoses(prescriptions, [], facts, walls).filter((dose) => dose.at < at);
  if (due.some((dose) => [dose.at, dose.lateAt, dose.missedAt].some(isNear))) return undefined;
  if (traffic.sendings.some((sending) => Math.abs(sending.at - at) < TOKEN_STOPS_WITHIN)) return undefined;
  if (prescriptions.some((step) => isNear(step.from) || isNear(step.orderedAt ?? 0))) return undefined;
  const known = { ...facts, to: at };
  const { outcomes, ...truth } = watchBottle(receive(plan, traffic, known), known, walls);
  const isCalm = truth.alerts.every(
    ({ raisedAt, raisedBy, ends, flapping }) =>
      !flapping && ![raisedAt, raisedBy, ...ends.map((end) => end.at)].some(isNear),
  );
  if (!isCalm || truth.unclear.length > 0) return undefined;
  const isOver = due.every((dose) => at < dose.missedAt || outcomes.has(dose.at));
  if (reason === undefined && !(isOver && isAllReported(traffic, at))) return undefined;
  // what was not over, and nobody can know any more (LIFE-2)
  const ended = due.map((dose): [number, Outcome] => [dose.at, outcomes.get(dose.at) ?? 'unknown']);
  return { at, reason, truth: { ...truth, outcomes: new Map(ended) } };
}

/** Whether what is reported later happened later, too, and the bottle is closed. */
export function isAllReported({ sendings }: Traffic, at: number): boolean {
  const items = sendings.flatMap((sending) => sending.items.map((item) => ({ ...item, sentAt: sending.at })));
  const before = items.filter((item) => item.at < at);
  const last = before.toSorted((one, other) => one.at - other.at).at(-1);
  // by a clock that is a little off
  const isNear = items.some((item) => Math.abs(item.at - at) < TOKEN_STOPS_WITHIN);
  return !isNear && before.every(({ sentAt }) => sentAt < at) && last?.action !== 'opened';
}

/**
 * Closes the open alerts of a bottle in the name of whoever retires it.
 *
 * @returns whether it is certain what is sent
 */
export function retire(own: readonly AlertNotifications[], at: number): boolean {
  for (const one of own) {
    if (one.alert.ends.length === 0) one.actions.push({ action: 'close', at, notify: true });
    one.retiredAt = at;
  }
  return own.every(({ messages }) =>
    messages.every(({ event, at: sentAt }) => event === 'closed_by_staff' || Math.abs(sentAt - at) > ROOM),
  );
}
