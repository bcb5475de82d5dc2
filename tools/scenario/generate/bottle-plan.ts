import type { Random } from '../../random.js';
import { ZONES } from './calendar.js';
import { dailyPlan, drawPlan, pillsADay } from './dose-plans.js';
import { DAY, type DosePause, HOUR, MINUTE, type Prescription, type Span } from './oracle/facts.js';
import { drawPeriods } from './draw-periods.js';
import type { Walls } from './oracle/due-doses.js';
import { prescribedAfterMove } from './oracle/moving.js';
import type { StatementFact } from './oracle/statements.js';

/** What a person is like with their pills: probabilities. */
export interface Habits {
  early: number;
  late: number;
  forgets: number;
  /** Takes more, or again. */
  exceeds: number;
  /** Takes a dose of several pills in parts, or a part only. */
  splits: number;
  leavesOpen: number;
  opensOnly: number;
  /** Puts back what was taken beyond the dose. */
  returns: number;
  /** Takes far more than is prescribed, for some days. */
  overdoses?: { pattern: 'daily' | 'evening' | 'hour'; from: number };
  /** Has, once, a lid that does not close. */
  bounces: boolean;
}

/** What a bottle is like. */
export interface Hardware {
  /** By how much its clock is off; milliseconds. */
  clockOff: number;
  /** When a new battery sets its clock, which was right, to 1970; Infinity if never. */
  clockResetsAt: number;
  /** Whether it reports `sent_at`. */
  saysItsClock: boolean;
  namesEvents: boolean;
  /** When it begins to count its events again. */
  forgetsEventsAt: number;
  /** Whether its sensors report what they cannot mean. */
  hasSentinels: boolean;
  /** How often it sends a heartbeat: some save their battery. Milliseconds. */
  beatsEvery: number;
  /** Mean days between going offline. */
  offlineEvery: number;
  /** Whether its connection comes and goes for hours. */
  badWifi: boolean;
  /** When its battery dies for good. */
  diesAt: number;
  neverReports: boolean;
  /** Whether it reports for the first time hours or days after it is handed out. */
  startsLate: boolean;
}

/** What a bottle's clock shows at a moment. */
export function clockOf({ clockOff, clockResetsAt }: Hardware, at: number): number {
  return at < clockResetsAt ? at + clockOff : at - clockResetsAt;
}

/** One bottle as it is handed out. */
export interface BottlePlan {
  key: string;
  user: string;
  zone: string;
  /** What people say about its doses. */
  statements?: StatementFact[];
  /** Its user moves. */
  moves?: { at: number; zone: string };
  /** Whether a gateway reports for it. */
  hasGateway: boolean;
  pills: number;
  /** Whether it is handed out nearly empty, and refilled. */
  runsLow: boolean;
  /** The bottle for whose plan it is, and when; it has none of its own then. */
  sharing?: Span & { of: string };
  prescriptions: Prescription[];
  /** Planned, and replaced before they began. */
  droppedSteps: Prescription[];
  pauses: DosePause[];
  habits: Habits;
  hardware: Hardware;
  /** When pills are missing that it has not counted. */
  miscounts?: Span;
}

/** How many pills are missing then: beyond the tolerance, by far. */
const MISSING = 400;

/** By how many pills its scale shows less than it has counted. */
export function weighsLess({ miscounts }: BottlePlan, at: number): number {
  return miscounts && miscounts.from <= at && at < miscounts.to ? MISSING : 0;
}

/** Never few. */
export const PLENTY = 2_000;

/** Draws a bottle and its owner. */
export function planBottle(
  random: Random,
  key: string,
  user: string,
  during: Span,
  walls: Walls,
): BottlePlan {
  const zone = random.pick(ZONES);
  const runsLow = random.chance(0.08);
  const first = runsLow ? dailyPlan(random, zone) : drawPlan(random, zone, during);
  const prescriptions: Prescription[] = [{ from: during.from, plan: first }];
  const pauses: DosePause[] = [];
  const midway = Math.floor(random.between(during.from + 0.2 * (during.to - during.from), during.to - DAY));
  // a move on some days of the month is decided by more days than are looked at
  const change = runsLow || first.kind === 'as_needed' || first.monthDays ? 1 : random.next();
  const droppedSteps: Prescription[] = [];
  if (change < 0.08) prescriptions.push({ from: midway, plan: dailyPlan(random, zone) });
  else if (change < 0.12) planSteps(random, zone, midway, { prescriptions, droppedSteps });
  else if (change < 0.3) pauses.push(...drawPeriods(random, midway, during));
  const moves = change >= 0.3 && change < 0.42 ? { at: midway, zone: random.pick(ZONES) } : undefined;
  if (moves && !first.statesZone)
    prescriptions.push(
      prescribedAfterMove(prescriptions, moves.zone, midway, walls, {
        from: during.from - 9 * DAY,
        to: during.to + 9 * DAY,
      }),
    );
  const daily = pillsADay(first);
  const miscounts =
    !runsLow && change >= 0.42 && random.chance(0.2) ? drawMiscount(random, during) : undefined;
  return {
    key,
    user,
    zone,
    ...(moves && { moves }),
    hasGateway: random.chance(0.15),
    pills: runsLow ? daily * random.integer(4, 8) : PLENTY,
    runsLow,
    prescriptions,
    droppedSteps,
    pauses,
    habits: {
      ...drawHabits(random),
      ...(random.chance(0.15) && {
        overdoses: { pattern: random.pick(['daily', 'evening', 'hour'] as const), from: midway },
      }),
    },
    hardware: miscounts ? reliable(drawHardware(random, during)) : drawHardware(random, during),
    ...(miscounts && { miscounts }),
  };
}

/** From when the medication is known until the pills are put back. */
function drawMiscount(random: Random, { from, to }: Span): Span {
  const begins = random.between(from + 0.55 * (to - from), from + 0.7 * (to - from));
  return {
    from: begins,
    to: Math.min(begins + random.between(0.15, 0.3) * (to - from), to - 0.1 * (to - from)),
  };
}

/** Its reports come at once, so that they are weighed one by one. */
function reliable(hardware: Hardware): Hardware {
  return {
    ...hardware,
    clockOff: 0,
    clockResetsAt: Infinity,
    offlineEvery: Infinity,
    badWifi: false,
    diesAt: Infinity,
    neverReports: false,
    startsLate: false,
  };
}

/**
 * Plans steps ahead, as a taper has them, and changes today's afterwards: the later ones stay, or are replaced with it.
 *
 * @param to gets what holds in the end, and what never does
 */
function planSteps(
  random: Random,
  zone: string,
  at: number,
  to: Pick<BottlePlan, 'prescriptions' | 'droppedSteps'>,
): void {
  const { until: _until, doses: _doses, ...before } = to.prescriptions[0]!.plan;
  const plan = { ...before, ...dailyPlan(random, zone) };
  const step = (orderedAt: number, from: number, pills: number): Prescription => ({
    orderedAt,
    from,
    plan: { ...plan, pills },
  });
  const [first, second] = [
    at + Math.floor(random.between(3, 20) * HOUR),
    at + Math.floor(random.between(21, 40) * HOUR),
  ];
  const steps = [step(at, first, 2), step(at + MINUTE, second, 1)];
  const change = random.next();
  const changedAt = at + Math.floor(random.between(0.1, 2.9) * HOUR);
  if (change < 0.4) to.prescriptions.push({ from: changedAt, plan: { ...plan, pills: 3 } });
  if (change < 0.8) to.prescriptions.push(...steps);
  else {
    to.droppedSteps.push(...steps.map((each) => ({ ...each, droppedAt: changedAt })));
    to.prescriptions.push({ from: changedAt, plan: { ...plan, pills: 3 } });
  }
}

function drawHabits(random: Random): Habits {
  const sloppy = random.pick([0.3, 1, 1, 2]);
  return {
    early: 0.1 * sloppy,
    late: 0.06 * sloppy,
    forgets: 0.05 * sloppy,
    exceeds: 0.02 * sloppy,
    splits: 0.15 * sloppy,
    leavesOpen: 0.02 * sloppy,
    opensOnly: 0.1 * sloppy,
    returns: random.pick([0, 0.5]),
    bounces: random.chance(0.12),
  };
}

export function drawHardware(random: Random, { from, to }: Span): Hardware {
  const kind = random.next();
  const clock =
    kind < 0.15
      ? // three hours, a year, since 1970
        { clockOff: random.pick([3 * HOUR, -5 * HOUR, 300 * DAY, -HOUR / 4, -from]), saysItsClock: true }
      : kind < 0.3
        ? { clockOff: Math.round(random.between(-45_000, 45_000)), saysItsClock: random.chance(0.5) }
        : { clockOff: 0, saysItsClock: random.chance(0.3) };
  const isReset = clock.clockOff === 0 && clock.saysItsClock && random.chance(0.5);
  const drawn = {
    ...clock,
    clockResetsAt: isReset ? Math.round(random.between(from, to)) : Infinity,
    namesEvents: random.chance(0.5),
    forgetsEventsAt: random.chance(0.4) ? Math.round(random.between(from + DAY, to)) : Infinity,
    hasSentinels: random.chance(0.15),
    beatsEvery: random.chance(0.9) ? 30 * MINUTE : random.pick([50, 58, 95]) * MINUTE,
    offlineEvery: random.pick([1.5, 3, 6, 12]),
    badWifi: random.chance(0.2),
    diesAt: random.chance(0.04) ? random.between(from, to) : Infinity,
  };
  const start = random.next();
  return { ...drawn, neverReports: start < 0.05, startsLate: start >= 0.05 && start < 0.11 };
}
