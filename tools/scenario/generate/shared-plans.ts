import type { Random } from '../../random.js';
import { type BottlePlan, drawHardware, PLENTY } from './bottle-plan.js';
import { pillsADay } from './dose-plans.js';
import { drawPeriods } from './draw-periods.js';
import { type LidEvent, toLidEvents, type Visit } from './lid-events.js';
import type { DueDose } from './oracle/due-doses.js';
import { type DosePause, MINUTE, SECOND, type ServiceFacts, type Span } from './oracle/facts.js';

/** Marks the bottle that is for the plan of the one with this key. */
const AT_WORK = 'w';

/** No bottle joins or leaves a plan while it is open, or while a dose becomes late or missed. */
const [ROOM_OF_LID, ROOM_OF_DOSE] = [3 * MINUTE, 20 * MINUTE];

/** A bottle beside another one, and what is done with each. */
export interface SharedPlan {
  plan: BottlePlan;
  lidEvents: LidEvent[];
  /** What is left for the bottle that has the plan. */
  ofFirst: LidEvent[];
}

/** Draws whether somebody has a second bottle of a plan, all the time or from or until some moment. */
export function drawSharedPlan(
  random: Random,
  first: BottlePlan,
  visits: readonly Visit[],
  doses: readonly DueDose[],
  during: ServiceFacts,
): SharedPlan | undefined {
  const { user, zone, habits } = first;
  if (!random.chance(first.runsLow ? 0.6 : 0.3) || first.miscounts) return undefined;
  // what it holds is of the plan's supply all the time
  const within = first.runsLow
    ? { from: during.from, to: Infinity }
    : drawSpan(random, visits, doses, during);
  if (!within) return undefined;
  const plan: BottlePlan = {
    key: first.key + AT_WORK,
    user,
    zone,
    sharing: { of: first.key, ...within },
    hasGateway: random.chance(0.15),
    pills: first.runsLow ? pillsADay(first.prescriptions[0]!.plan) * random.integer(1, 2) : PLENTY,
    // the other one is refilled
    runsLow: false,
    prescriptions: [],
    droppedSteps: [],
    pauses: first.runsLow || random.chance(0.3) ? [] : drawOwnPeriod(random, doses, during),
    habits,
    hardware: drawHardware(random, during),
  };
  const isFromIt = visits.map(({ opens }) => within.from <= opens && opens < within.to && random.chance(0.4));
  return {
    plan,
    lidEvents: toLidEvents(
      random,
      plan,
      visits.filter((_, index) => isFromIt[index]),
    ),
    ofFirst: toLidEvents(
      random,
      first,
      visits.filter((_, index) => !isFromIt[index]),
    ),
  };
}

/**
 * A period without monitoring of it alone, which may be past, and may be changed or removed again (PLAN-8): entered and
 * changed in quiet moments, and within quiet moments.
 */
function drawOwnPeriod(random: Random, doses: readonly DueDose[], during: Span): DosePause[] {
  const { from, to } = during;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const enteredAt = Math.floor(random.between(from + 0.1 * (to - from), to - 0.3 * (to - from)));
    const periods = drawPeriods(random, enteredAt, during);
    const edges = periods.flatMap((period) => [
      period.orderedAt,
      period.from,
      period.to,
      period.changedAt ?? Infinity,
    ]);
    if (edges.every((edge) => !isNearDose(doses, edge))) return periods;
  }
  return [];
}

/** Whether a dose opens, is due, late or missed about then. */
function isNearDose(doses: readonly DueDose[], at: number): boolean {
  return doses
    .flatMap((dose) => [dose.opens, dose.at, dose.lateAt, dose.missedAt])
    .some((edge) => Math.abs(edge - at) < ROOM_OF_DOSE);
}

/** When it is for the plan; undefined if there is no quiet moment to join or to leave. */
function drawSpan(
  random: Random,
  visits: readonly Visit[],
  doses: readonly DueDose[],
  { from, to }: Span,
): Span | undefined {
  const kind = random.next();
  const length = to - from;
  const at = Math.floor(random.between(from + 0.2 * length, to - 0.2 * length) / SECOND) * SECOND + 391;
  if (kind < 0.5) return { from, to: Infinity };
  const isOpen = visits.some(({ opens, closes }) => opens - ROOM_OF_LID < at && at < closes + ROOM_OF_LID);
  if (isOpen || isNearDose(doses, at)) return undefined;
  return kind < 0.75 ? { from: at, to: Infinity } : { from, to: at };
}
