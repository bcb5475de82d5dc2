import { type Slot, slotsBetween, MINUTE_MS, DAY_MS } from '#domain';
import { Random } from '../random.js';

/** One closing with a removal, and what the person meant by it. */
export interface IntendedRemoval {
  id: string;
  time: Date;
  pills: number;
  /** Index of the slot whose dose it is; undefined for pills that are meant for none, such as a dose taken twice. */
  meant: number | undefined;
}

/** What one made-up person was prescribed and did. */
export interface Course {
  plan: string;
  slots: Slot[];
  removals: IntendedRemoval[];
}

/** How people behave, as shares of doses. */
export interface Habits {
  /** Not taken at all. */
  missed: number;
  /** Taken well before its time, up to the early window. */
  early: number;
  /** Taken late, by minutes to hours. */
  late: number;
  /** Mean of the lateness. Milliseconds. */
  lateMs: number;
  /** Of doses after a missed one: the missed one is taken then, too. */
  caughtUp: number;
  /** Taken twice, by mistake. */
  doubled: number;
  /** Of doses of several pills: removed in two parts. */
  halved: number;
  /** Of doses of several pills: only one pill is taken. */
  partial: number;
}

/** People as studies with monitors describe them: 85 to 95 % of doses taken, most within an hour of their usual time. */
export const USUAL: Habits = {
  missed: 0.07,
  early: 0.06,
  late: 0.12,
  lateMs: 75 * MINUTE_MS,
  caughtUp: 0.1,
  doubled: 0.007,
  halved: 0.1,
  partial: 0.04,
};

/** The same figures, changed where nobody knows them well: the best rule should not depend on them. */
export const HABITS: Record<string, Habits> = {
  usual: USUAL,
  late: { ...USUAL, late: 0.3, lateMs: 120 * MINUTE_MS },
  early: { ...USUAL, early: 0.25, late: 0.06 },
  forgetful: { ...USUAL, missed: 0.25, caughtUp: 0.25 },
};

const PLANS: Record<string, object> = {
  'once a day': { times: ['08:00'] },
  'twice a day': { times: ['08:00', '20:00'] },
  'three times a day': { times: ['08:00', '14:00', '20:00'] },
  'four times a day': { times: ['08:00', '12:00', '16:00', '20:00'] },
  'every four hours': { times: ['00:00', '04:00', '08:00', '12:00', '16:00', '20:00'] },
  'three in the day': { times: ['08:00', '13:00', '18:00'] },
  'two pills, four times a day': { times: ['08:00', '12:00', '16:00', '20:00'], pills_per_dose: 2 },
  'once a day, missed after 24 h': { times: ['08:00'], missed_after: '24h' },
  'twice a day, missed after 12 h': { times: ['08:00', '20:00'], missed_after: '12h' },
  'once a week': { times: ['08:00'], days_of_week: ['mon'], missed_after: '48h' },
};

/** The doses of one person in `days` days from a Monday on. */
export function makeCourse(seed: number, habits: Habits, days: number): Course {
  const random = new Random(seed);
  const names = Object.keys(PLANS);
  const plan = names[seed % names.length]!;
  const from = new Date('2026-03-02T00:00:00Z');
  const slots = slotsBetween(
    [
      {
        effective_from: from,
        time_zone: 'UTC',
        schedule: {
          kind: 'times_of_day',
          pills_per_dose: 1,
          early_window: '2h',
          late_after: '1h',
          missed_after: '4h',
          times: [],
          ...PLANS[plan],
        },
      },
    ],
    [],
    from,
    new Date(from.getTime() + days * DAY_MS),
  );
  return { plan, slots, removals: intakes(slots, habits, random) };
}

/** Each dose by itself, in its turn: nobody takes a dose before the one that is due before it. */
function intakes(slots: readonly Slot[], habits: Habits, random: Random): IntendedRemoval[] {
  const removals: IntendedRemoval[] = [];
  const jitter = random.pick([5, 10, 20, 40]) * MINUTE_MS;
  let last = 0;
  let forgotten: number | undefined;
  const remove = (at: number, pills: number, meant: number | undefined): void => {
    last = at;
    removals.push({
      id: String(removals.length),
      time: new Date(Math.round(at / 1000) * 1000),
      pills,
      meant,
    });
  };
  for (const [index, slot] of slots.entries()) {
    const due = slot.scheduled_at.getTime();
    const next = slots[index + 1]?.scheduled_at.getTime() ?? due + DAY_MS;
    if (random.chance(habits.missed)) {
      forgotten = index;
      continue;
    }
    const at = Math.max(last + 2 * MINUTE_MS, due + delayOf(slot, next - due, habits, jitter, random));
    // so late that the next one is due: it is not taken any more
    if (at > next - 20 * MINUTE_MS) {
      forgotten = index;
      continue;
    }
    if (slot.pills > 1 && random.chance(habits.partial)) remove(at, 1, index);
    else if (slot.pills > 1 && random.chance(habits.halved)) {
      remove(at, 1, index);
      remove(at + random.between(3, 40) * MINUTE_MS, slot.pills - 1, index);
    } else remove(at, slot.pills, index);
    if (forgotten === index - 1 && random.chance(habits.caughtUp))
      remove(last + random.between(0.5, 30) * MINUTE_MS, slot.pills, forgotten);
    else if (random.chance(habits.doubled))
      remove(last + random.between(2, 180) * MINUTE_MS, slot.pills, undefined);
    forgotten = undefined;
  }
  return removals;
}

/** How long after its time a dose is taken; negative before it. Milliseconds. */
function delayOf(
  { scheduled_at, early_from }: Slot,
  gap: number,
  { early, late, lateMs }: Habits,
  jitter: number,
  random: Random,
): number {
  const kind = random.next();
  if (kind < early) {
    const earliest = scheduled_at.getTime() - early_from.getTime();
    return -random.between(0, Math.min(earliest, gap / 2));
  }
  if (kind < early + late) return -Math.log(1 - random.next()) * lateMs;
  return random.normal() * jitter;
}
