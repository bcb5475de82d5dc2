import type { Random } from '../../random.js';
import type { AlertNotifications } from './alert-notifications.js';
import type { BottlePlan } from './bottle-plan.js';
import type { Traffic } from './link.js';
import { dueDoses, type Walls } from './oracle/due-doses.js';
import { DAY, type ExpectedAlert, MINUTE, SECOND, type ServiceFacts } from './oracle/facts.js';
import { isAllReported } from './retirements.js';

/** A bottle in use gets another user, with its plan (LIFE-5). */
export interface Handover {
  at: number;
  user: string;
}

/** No bottle is handed over while something about it changes. */
const ROOM = 20 * MINUTE;

/** At so many moments it is tried. */
const MOMENTS = 40;

/** The other user of a bottle, if it is handed over. */
export function nextUser(key: string): string {
  return `u-${key}-after`;
}

/**
 * Draws whether a bottle that stays in use gets another user, when all about the first one's doses is over: alerts of
 * before are the first person's, and those since the other's.
 *
 * @param own all alerts of the bottle, as if they were the first person's
 */
export function drawHandover(
  random: Random,
  { plan, traffic }: { plan: BottlePlan; traffic: Traffic },
  own: readonly AlertNotifications[],
  facts: ServiceFacts,
  walls: Walls,
): Handover | undefined {
  const { from, to } = facts;
  const { prescriptions, pauses, runsLow, miscounts, moves, statements = [] } = plan;
  if (!random.chance(0.4) || runsLow || miscounts || moves || pauses.length > 0) return undefined;
  const doses = dueDoses(prescriptions, [], facts, walls);
  const notified = own.map(({ alert, messages }) => ({ alert, messages }));
  const isCalm = (at: number): boolean => {
    const isNear = (time: number): boolean => Math.abs(time - at) < ROOM;
    return (
      !doses.some(({ opens, missedAt }) => opens - ROOM < at && at < missedAt + ROOM) &&
      !prescriptions.some((step) => isNear(step.from) || isNear(step.orderedAt ?? 0)) &&
      !statements.some((one) => one.dose < at && at - ROOM < one.at) &&
      !traffic.sendings.some((sending) => isNear(sending.at)) &&
      isAllReported(traffic, at) &&
      notified.every((one) => isOver(one, at - ROOM) || isOfLater(one.alert, at + ROOM))
    );
  };
  const moments = Array.from(
    { length: MOMENTS },
    () => Math.floor(random.between(from + 0.2 * (to - from), to - DAY) / SECOND) * SECOND + 391,
  );
  const at = moments.find(isCalm);
  return at === undefined ? undefined : { at, user: nextUser(plan.key) };
}

type Notified = Pick<AlertNotifications, 'alert' | 'messages'>;

/** Whether nothing is sent of an alert from a moment on. Pills beyond the plan end with nothing. */
function isOver({ alert: { kind, raisedBy, ends, flapping }, messages }: Notified, at: number): boolean {
  const times = [raisedBy, ...ends.map((end) => end.at), ...messages.map(({ by }) => by)];
  return !flapping && (ends.length > 0 || kind === 'extra_dose') && times.every((time) => time < at);
}

/** Whether an alert is about nothing that was before a moment. */
function isOfLater({ kind, raisedAt, flapping, facts = {} }: ExpectedAlert, at: number): boolean {
  // the limits of a day count what another person has removed
  const since = kind === 'extra_dose' ? at + DAY : at;
  const about = [facts.dose ?? raisedAt, ...Object.values(facts.times ?? {})];
  return !flapping && raisedAt > at && about.every((time) => time > since);
}
