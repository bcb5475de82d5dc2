import type { BottlesOfPlan } from './bottles-of-plan.js';
import { type DueDose, dueDoses } from './due-doses.js';
import {
  type BottleFacts,
  DAY,
  type DosePlan,
  type ExpectedAlert,
  type ExpectedFacts,
  HOUR,
  type Prescription,
} from './facts.js';
import type { Surplus } from './intakes.js';
import { periodsEnteredBy, removalIn } from './periods.js';
import type { WallClocks } from './wall-clock.js';

/** Of pills that were removed earlier nobody is notified. */
const RECENT = 7 * DAY;

/** Pills taken since a dose that are none of it. */
interface PillsSince {
  /** What the dose lacked, taken after its end. */
  madeUp: number;
  beyond: number;
}

/** Pills beyond the plan, and whether their message waits for the end of quiet hours. */
interface ExtraPills {
  urgency: 'wakes' | 'waits';
  pills: number;
}

/** An alert of pills of one removal. */
interface RaisedExtra {
  alert: ExpectedAlert;
  /** How many of them it is about. */
  pills: number;
  byLimit: boolean;
  isOver: boolean;
}

/** Finds the pills beyond the plan in what no dose takes. */
export class ExtraDoses {
  /** The alerts of pills beyond the plan, by the time of their removal. */
  private readonly raised = new Map<number, RaisedExtra[]>();

  /** @param pillsTaken what is known to be taken of a dose */
  constructor(
    private readonly facts: Pick<BottleFacts, 'prescriptions' | 'pauses'>,
    private readonly bottles: BottlesOfPlan,
    private readonly walls: WallClocks,
    private readonly pillsTaken: (dose: number) => number,
    private readonly raise: (now: number, facts: ExpectedFacts) => ExpectedAlert,
  ) {}

  /** Raises and ends alerts by what is known now. */
  judge(surplus: readonly Surplus[], doses: readonly DueDose[], now: number): void {
    const since = new Map<number, PillsSince>();
    const beyond = new Map<number, ExtraPills>();
    for (const each of surplus) {
      const found = this.beyondPlan(each, since, doses, now);
      const { urgency, pills } = beyond.get(each.time) ?? { urgency: found?.urgency, pills: 0 };
      if (found) beyond.set(each.time, { urgency: urgency!, pills: pills + found.pills });
    }
    for (const [time, found] of beyond) this.raiseExtraDose(time, now, found);
    const tooMany = this.overLimit(surplus);
    this.correct(beyond, now);
    for (const [time, all] of this.raised) {
      const returned = this.bottles.returnedOf(time);
      if (!returned || beyond.has(time) || tooMany.has(time)) continue;
      for (const one of all) if (one.byLimit && !one.isOver) end(one, now, 'resolved', returned.at);
    }
    for (const [time, pills] of tooMany) this.raiseExtraDose(time, now, { urgency: 'wakes', pills }, true);
  }

  /**
   * Fewer pills are beyond the plan, or none, or they cannot wait: some were put back, or a report that came late says so.
   */
  private correct(beyond: ReadonlyMap<number, ExtraPills>, now: number): void {
    for (const [time, all] of this.raised) {
      const { pills, urgency } = beyond.get(time) ?? { pills: 0, urgency: 'waits' };
      const returned = this.bottles.returnedOf(time);
      let left = pills;
      for (const one of all.filter(({ byLimit, isOver }) => !byLimit && !isOver)) {
        if (left === 0) end(one, now, returned ? 'resolved' : 'retracted', returned?.at);
        else {
          one.pills = Math.min(one.pills, left);
          if (urgency === 'wakes') one.alert.wakesFrom ??= now;
        }
        left -= Math.min(one.pills, left);
      }
    }
  }

  /** The removals of pills as needed after which more than the limit was taken within 24 hours, and by how many pills. */
  private overLimit(surplus: readonly Surplus[]): Map<number, number> {
    const asNeeded = (time: number): DosePlan | undefined => {
      const plan = this.facts.prescriptions.findLast(({ from }) => from <= time)?.plan;
      return plan?.kind === 'as_needed' ? plan : undefined;
    };
    const counted = surplus.filter(({ time, dueThen }) => !dueThen || asNeeded(time));
    const over = new Map<number, number>();
    for (const { time } of counted) {
      const plan = asNeeded(time);
      if (!plan) continue;
      const ofDay = counted.filter((other) => time - DAY <= other.time && other.time <= time);
      const together = ofDay.filter((other) => time - plan.minInterval < other.time);
      const tooMany = pillsOf(ofDay) - plan.maxPerDay * plan.pills;
      const tooSoon = plan.minInterval > 0 ? pillsOf(together) - plan.pills : 0;
      const excess = tooMany > 0 ? tooMany : tooSoon;
      const ofMoment = pillsOf(counted.filter((other) => other.time === time));
      if (excess > 0) over.set(time, Math.min(excess, ofMoment));
    }
    return over;
  }

  /**
   * Whether pills that no dose takes are beyond the plan: beside a whole dose, or when no dose could be taken, unless they
   * are what the last dose lacks. What was prescribed, or paused, only later does not count. The first single dose since
   * the last one waits for the end of quiet hours, unless doses are a week apart.
   *
   * @param since what was taken since a dose that is none of it, by its time
   */
  private beyondPlan(
    { time, pills, dueThen }: Surplus,
    since: Map<number, PillsSince>,
    doses: readonly DueDose[],
    now: number,
  ): ExtraPills | undefined {
    const prescribed = this.facts.prescriptions.filter(({ from }) => from <= time);
    const pauses = periodsEnteredBy(this.facts.pauses, time, now).filter(({ from }) => from <= time);
    const inPeriod = removalIn(this.facts.pauses, time, now);
    if (inPeriod === 'explained') return undefined;
    const plan = prescribed.at(-1)?.plan;
    const last = doses.findLast(({ at }) => at <= time);
    // before the first slot, since the schedule began
    const slot = last?.at ?? -Infinity;
    const before = since.get(slot) ?? { madeUp: 0, beyond: 0 };
    const wakes = (extra = pills): ExtraPills => {
      since.set(slot, { ...before, beyond: before.beyond + pills });
      return { urgency: 'wakes', pills: extra };
    };
    if (dueThen) return plan?.kind === 'as_needed' ? undefined : wakes();
    if (!plan) return undefined;
    if (inPeriod === 'extra') return wakes();
    if (plan.kind === 'as_needed') return undefined;
    const around = dueDoses(prescribed, pauses, { from: time - 8 * DAY, to: time + 16 * DAY }, this.walls);
    const open = around.find(({ opens, missedAt }) => opens <= time && time <= missedAt);
    if (open) return pills > open.pills ? wakes(pills - open.pills) : undefined;
    const lacks = last ? last.pills - this.pillsTaken(last.at) - before.madeUp : 0;
    const made = Math.min(pills, lacks);
    since.set(slot, { madeUp: before.madeUp + made, beyond: before.beyond + pills - made });
    if (pills <= lacks) return undefined;
    const next = around.find(({ at }) => at > time) ?? this.plannedDose(time, now);
    const isSingle = next !== undefined && before.beyond === 0 && pills <= next.pills;
    return { urgency: isSingle && !this.isRare(next, now) ? 'waits' : 'wakes', pills: pills - made };
  }

  /** The first dose after a time by what is planned at another. */
  private plannedDose(time: number, now: number): DueDose | undefined {
    const span = { from: time, to: time + 400 * DAY };
    return dueDoses(this.plannedAt(now), this.facts.pauses, span, this.walls).find(({ at }) => at > time);
  }

  private plannedAt(now: number): Prescription[] {
    return this.facts.prescriptions.filter(
      ({ from, orderedAt = from, droppedAt = Infinity }) => orderedAt <= now && droppedAt > now,
    );
  }

  /** Whether doses are a week or more apart, whenever their course ends; those within a day are one. */
  private isRare({ at }: DueDose, now: number): boolean {
    const { plan, from } = this.plannedAt(now).findLast((each) => each.from <= at)!;
    const endless: Prescription = { from, plan: { ...plan } };
    delete endless.plan.until;
    delete endless.plan.doses;
    const all = dueDoses([endless], [], { from: at - DAY, to: at + 16 * DAY }, this.walls);
    const first = all.find((dose) => dose.at > at - DAY)!;
    return !all.some((dose) => dose.at > first.at + DAY && dose.at - first.at < 7 * DAY - HOUR);
  }

  /** Whoever was notified of some of the pills of a removal does not know of those that are found beyond the plan later. */
  private raiseExtraDose(time: number, now: number, { urgency, pills }: ExtraPills, byLimit = false): void {
    const before = this.raised.get(time) ?? [];
    const more = pills - before.reduce((sum, one) => sum + one.pills, 0);
    if (more <= 0 || now - time > RECENT) return;
    const alert = this.raise(now, { times: { removed_at: time } });
    if (urgency === 'wakes') alert.wakesFrom = now;
    this.raised.set(time, [...before, { alert, pills: more, byLimit, isOver: false }]);
  }
}

function end(raised: RaisedExtra, now: number, event: 'resolved' | 'retracted', put_back_at?: number): void {
  raised.isOver = true;
  raised.alert.ends.push({
    at: now,
    event,
    ...(put_back_at !== undefined && { facts: { times: { put_back_at } } }),
  });
}

const pillsOf = (all: readonly Surplus[]): number => all.reduce((sum, { pills }) => sum + pills, 0);
