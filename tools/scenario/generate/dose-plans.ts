import type { Random } from '../../random.js';
import { ZONES } from './calendar.js';
import { amountAt, DAY, type DosePlan, HOUR, MINUTE, type Span } from './oracle/facts.js';

const TIMES = [
  ['08:00'],
  ['21:30'],
  ['08:00', '20:00'],
  ['07:15', '13:00', '19:45'],
  // in the hours that clock changes skip or repeat
  ['02:30', '14:30'],
  // in spring both at one moment
  ['02:30', '03:30'],
  ['01:30'],
  ['02:15', '10:15', '18:15'],
  ['00:10', '12:10'],
  ['23:50'],
];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export function dailyPlan(random: Random, zone: string): DosePlan {
  const [early, late, missed] = random.pick([
    [2 * HOUR, HOUR, 4 * HOUR],
    [2 * HOUR, HOUR, 4 * HOUR],
    [30 * MINUTE, 20 * MINUTE, 2 * HOUR],
    // the windows of neighbours overlap
    [4 * HOUR, 2 * HOUR, 8 * HOUR],
  ] as const);
  // some follow another zone than their bottle's: that of home
  const isElsewhere = random.chance(0.1);
  const times = random.pick(TIMES);
  return {
    kind: 'times_of_day',
    ...(random.chance(0.3) ? drawAmounts(random, times) : { times }),
    days: [],
    every: 0,
    anchor: 0,
    maxPerDay: 0,
    minInterval: 0,
    pills: random.pick([1, 1, 1, 2, 3, 0.5, 1.75]),
    early,
    late,
    missed,
    zone: isElsewhere ? random.pick(ZONES) : zone,
    statesZone: isElsewhere || random.chance(0.3),
  };
}

export function drawPlan(random: Random, zone: string, { from, to }: Span): DosePlan {
  const plan = { ...dailyPlan(random, zone), ...drawCourse(random, { from, to }) };
  const { until: _until, doses: _doses, ...endless } = plan;
  const kind = random.next();
  if (kind < 0.1) {
    const minInterval = random.pick([0, 2, 4]) * HOUR;
    return { ...endless, kind: 'as_needed', maxPerDay: random.integer(2, 4), minInterval };
  }
  if (kind < 0.25) {
    const every = random.pick([6, 8, 12, 24, 36, 48]) * HOUR;
    return {
      ...plan,
      kind: 'interval',
      every,
      anchor: Math.floor(from / HOUR - random.integer(0, 48)) * HOUR,
    };
  }
  if (kind < 0.29) return { ...plan, days: [random.pick(WEEKDAYS)] };
  if (kind < 0.35) return { ...plan, days: WEEKDAYS.filter(() => random.chance(0.6)) };
  if (kind < 0.45) {
    const anchor = new Date(from - random.integer(0, 9) * DAY).toISOString().slice(0, 10);
    return { ...plan, cycle: { on: random.integer(2, 5), off: random.integer(1, 3), anchor } };
  }
  return kind < 0.5 ? { ...plan, monthDays: drawMonthDays(random) } : plan;
}

/** An amount for some of the times, one of which may be there twice. */
function drawAmounts(random: Random, times: readonly string[]): Pick<DosePlan, 'times' | 'amounts'> {
  const all = random.chance(0.3) ? [...times, random.pick(times)] : [...times];
  return { times: all, amounts: all.map(() => random.pick([undefined, 0.25, 0.5, 1, 1.5, 2])) };
}

/** Some plans end: with a day, or after so many doses. */
function drawCourse(random: Random, { from, to }: Span): Pick<DosePlan, 'until' | 'doses'> {
  const kind = random.next();
  const days = (to - from) / DAY;
  if (kind < 0.12)
    return { until: new Date(from + random.between(1, days) * DAY).toISOString().slice(0, 10) };
  return kind < 0.25 ? { doses: random.integer(1, Math.ceil(2 * days)) } : {};
}

/** Of every two or four days of the month one; the 31st is the last of any. */
function drawMonthDays(random: Random): number[] {
  const every = random.pick([2, 4]);
  return Array.from({ length: 31 }, (_, index) => index + 1).filter((day) => day % every === 1 || day === 31);
}

/** What is to be taken on a day with doses. */
export function pillsADay(plan: DosePlan): number {
  return plan.times.reduce((sum, _, place) => sum + amountAt(plan, place), 0);
}
