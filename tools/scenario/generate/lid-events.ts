import { Random } from '../../random.js';
import type { BottlePlan, Habits } from './bottle-plan.js';
import { pillsADay } from './dose-plans.js';
import type { DueDose } from './oracle/due-doses.js';
import { DAY, HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';

/** What really happened to a lid, reported or not. */
export interface LidEvent {
  action: 'opened' | 'closed';
  at: number;
  pillsTaken: number;
  pillsLeft: number;
  /** Of a bottle that numbers its events. */
  number?: number;
}

/** One opening and closing. */
export interface Visit {
  opens: number;
  closes: number;
  takes: number;
  fills: number;
}

/** Draws when a person opens and closes a bottle during a scenario, and why. */
export function drawVisits(
  random: Random,
  plan: BottlePlan,
  doses: readonly DueDose[],
  during: Span,
): Visit[] {
  const planned = [
    ...doses.flatMap((dose) => atDose(random, plan.habits, dose)),
    ...asNeeded(random, plan, during),
    ...openingsOnly(random, plan.habits, during),
    ...overdoses(random, plan.habits, plan.prescriptions[0]!.plan.pills),
  ];
  const visits = [
    ...planned.map(({ at, takes }) => visit(random, plan.habits, at, takes)),
    ...returns(random, plan, planned),
    ...secondThoughts(plan, planned),
    ...(plan.habits.bounces ? bounces(random, during) : []),
  ];
  return oneAfterTheOther(visits, during);
}

/** What a bottle has of it. */
export function toLidEvents(random: Random, plan: BottlePlan, visits: readonly Visit[]): LidEvent[] {
  return numbered(plan, lidEvents(random, plan, visits));
}

/** Draws what a person does with a bottle during a scenario. */
export function handleBottle(
  random: Random,
  plan: BottlePlan,
  doses: readonly DueDose[],
  during: Span,
): LidEvent[] {
  return toLidEvents(random, plan, drawVisits(random, plan, doses, during));
}

/** Two events of one number are two if they are a day apart (REPORT-2). */
const APART = 25 * HOUR;

/** The numbers of the events of a bottle that counts them again after a factory reset. A wrong clock has its own ids. */
function numbered({ hardware }: BottlePlan, lidEvents: LidEvent[]): LidEvent[] {
  const { forgetsEventsAt, clockOff, clockResetsAt } = hardware;
  if (forgetsEventsAt === Infinity || clockOff !== 0 || clockResetsAt !== Infinity) return lidEvents;
  const first = lidEvents.findIndex(({ at }) => at >= forgetsEventsAt);
  if (first <= 0) return lidEvents;
  const isApart = lidEvents
    .slice(first)
    .every(({ at }, index) => index >= first || at - lidEvents[index]!.at > APART);
  return lidEvents.map((each, index) => ({
    ...each,
    number: isApart && index >= first ? index - first : index,
  }));
}

interface PlannedOpening {
  at: number;
  takes: number;
}

/** When a dose is taken, and in how many parts. */
function atDose(
  random: Random,
  habits: Habits,
  { at, opens, lateAt, missedAt, pills }: DueDose,
): PlannedOpening[] {
  const draw = random.next();
  const when =
    draw < habits.forgets
      ? undefined
      : draw < habits.forgets + habits.early
        ? random.between(opens - (at - opens) * 0.2, at)
        : draw < habits.forgets + habits.early + habits.late
          ? random.between(lateAt, missedAt + (missedAt - lateAt) * 0.2)
          : random.between(at - 5 * MINUTE, at + (lateAt - at) * 0.8);
  if (when === undefined) return [];
  // soon, or when nothing is due
  const later = random.between(0.1, random.chance(0.5) ? 3 : 14) * HOUR;
  const again = random.chance(habits.exceeds)
    ? [{ at: when + later, takes: random.pick([1, 1, pills + 1]) }]
    : [];
  const more = random.chance(habits.exceeds) ? random.integer(1, 2) : 0;
  if (pills > 1 && random.chance(habits.splits)) {
    const second = random.chance(0.7)
      ? [{ at: when + random.between(0.05, 3) * HOUR, takes: pills - 1 }]
      : [];
    return [{ at: when, takes: 1 }, ...second, ...again];
  }
  return [{ at: when, takes: pills + more }, ...again];
}

function asNeeded(
  random: Random,
  { prescriptions, habits }: BottlePlan,
  { from, to }: Span,
): PlannedOpening[] {
  const plan = prescriptions[0]!.plan;
  if (plan.kind !== 'as_needed') return [];
  const openings: PlannedOpening[] = [];
  for (let day = from; day < to; day += DAY) {
    const doses = random.chance(habits.exceeds * 2) ? plan.maxPerDay + 2 : random.integer(0, plan.maxPerDay);
    for (let dose = 0; dose < doses; dose += 1)
      openings.push({ at: day + random.next() * DAY, takes: plan.pills });
  }
  return openings;
}

/** A dose each day of whatever plan, a second one each evening, or one after the other in an hour. */
function overdoses(random: Random, { overdoses: habit }: Habits, pills: number): PlannedOpening[] {
  if (!habit) return [];
  const { pattern, from } = habit;
  const days = random.integer(2, 4);
  if (pattern === 'hour')
    return Array.from({ length: 5 }, (_, index) => ({ at: from + index * 11 * MINUTE, takes: 1 }));
  const time = pattern === 'daily' ? 0 : 11 * HOUR;
  return Array.from({ length: days }, (_, day) => ({
    at: from + time + day * DAY + random.next() * HOUR,
    takes: pattern === 'daily' ? pills : 1,
  }));
}

/** Pills that go back into the bottle, soon or not so soon: those beyond a dose, or one of them. */
function returns(
  random: Random,
  { habits, prescriptions, pauses, runsLow, miscounts }: BottlePlan,
  planned: readonly PlannedOpening[],
): Visit[] {
  const [{ plan }, ...others] = prescriptions as [BottlePlan['prescriptions'][number]];
  if (others.length > 0 || pauses.length > 0 || plan.kind === 'as_needed' || runsLow || miscounts) return [];
  return planned.flatMap(({ at, takes }) => {
    const fills = random.pick([Math.max(1, takes - plan.pills), 1]);
    const closes = at + random.between(3, 34) * MINUTE;
    if (takes === 0 || takes === plan.pills || !random.chance(habits.returns)) return [];
    return [{ opens: closes - 20 * SECOND, closes, takes: 0, fills }];
  });
}

/** Due pills that go back into the bottle, all or one of them, and are taken again soon or never. */
function secondThoughts(
  { key, habits, runsLow, miscounts }: BottlePlan,
  planned: readonly PlannedOpening[],
): Visit[] {
  if (runsLow || miscounts) return [];
  return planned.flatMap(({ at, takes }) => {
    // choices of their own, so that all others stay as they were
    const random = new Random('second thoughts', key, at);
    if (takes === 0 || !random.chance(habits.returns / 8)) return [];
    const fills = random.pick([takes, takes, 1]);
    const closes = at + random.between(3, 34) * MINUTE;
    const back = { opens: closes - 20 * SECOND, closes, takes: 0, fills };
    const again = closes + random.between(4, 90) * MINUTE;
    return random.chance(0.5)
      ? [back, { opens: again - 20 * SECOND, closes: again, takes: fills, fills: 0 }]
      : [back];
  });
}

/** Openings without a removal. */
function openingsOnly(random: Random, habits: Habits, { from, to }: Span): PlannedOpening[] {
  const openings: PlannedOpening[] = [];
  for (let at = from; at < to; at += random.between(0.5, 1.5) * DAY) {
    if (random.chance(habits.opensOnly)) openings.push({ at: at + random.next() * 8 * HOUR, takes: 0 });
  }
  return openings;
}

/** The pills are out when the lid closes. */
function visit(random: Random, { leavesOpen }: Habits, at: number, takes: number): Visit {
  if (!random.chance(leavesOpen))
    return { opens: at - random.between(8, 50) * SECOND, closes: at, takes, fills: 0 };
  const closes = at + (random.chance(0.5) ? random.between(2, 15) * MINUTE : random.between(0.5, 8) * HOUR);
  return { opens: at, closes, takes, fills: 0 };
}

/** A lid that does not close, or is not closed, again and again. */
function bounces(random: Random, { from, to }: Span): Visit[] {
  const visits: Visit[] = [];
  let opens = random.between(from, to - DAY);
  for (let left = random.integer(3, 7); left > 0; left -= 1) {
    const closes = opens + random.between(7, 16) * MINUTE;
    visits.push({ opens, closes, takes: 0, fills: 0 });
    opens = closes + random.between(4, random.chance(0.2) ? 150 : 40) * MINUTE;
  }
  return visits;
}

function oneAfterTheOther(visits: Visit[], { from, to }: Span): Visit[] {
  const kept: Visit[] = [];
  for (const each of visits.sort((one, other) => one.opens - other.opens)) {
    const last = kept.at(-1)?.closes ?? from;
    if (each.opens > last + 2 * MINUTE && each.closes < to) kept.push(each);
  }
  return kept;
}

/** Counts the pills, and has a bottle that runs low refilled two days later. */
function lidEvents(
  random: Random,
  { pills, runsLow, prescriptions }: BottlePlan,
  visits: readonly Visit[],
): LidEvent[] {
  const low = runsLow ? pillsADay(prescriptions[0]!.plan) * 3 : 0;
  let left = pills;
  let refillAt = Infinity;
  return visits.flatMap(({ opens, closes, takes, fills }) => {
    const found: LidEvent[] = [];
    if (opens > refillAt) {
      const before = left;
      left += low * 12;
      refillAt = Infinity;
      if (takes > 0 && random.chance(0.5)) {
        // no count shows what was taken out when it was filled
        left += fills - takes;
        return [
          { action: 'opened', at: Math.round(opens), pillsTaken: 0, pillsLeft: before },
          { action: 'closed', at: Math.round(closes), pillsTaken: 0, pillsLeft: left },
        ];
      }
      found.push(
        { action: 'opened', at: opens - 90 * SECOND, pillsTaken: 0, pillsLeft: left - low * 12 },
        { action: 'closed', at: opens - 60 * SECOND, pillsTaken: 0, pillsLeft: left },
      );
    }
    const before = left;
    const taken = Math.min(takes, left);
    left += fills - taken;
    if (runsLow && left < low && refillAt === Infinity) refillAt = closes + random.between(52, 66) * HOUR;
    return [
      ...found,
      { action: 'opened', at: opens, pillsTaken: 0, pillsLeft: before },
      { action: 'closed', at: closes, pillsTaken: taken, pillsLeft: left },
    ].map((each) => ({ ...each, at: Math.round(each.at) }) as LidEvent);
  });
}
