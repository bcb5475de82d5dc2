import type { BottlesOfPlan } from './bottles-of-plan.js';
import { type DueDose, dueDoses } from './due-doses.js';
import {
  type BottleFacts,
  DAY,
  type DosePlan,
  type ExpectedAlert,
  type ExpectedFacts,
  HOUR,
  MINUTE,
  type Prescription,
} from './facts.js';
import type { Surplus } from './intakes.js';
import { periodsEnteredBy, removalIn } from './periods.js';
import type { WallClocks } from './wall-clock.js';

/** Of pills that were removed earlier nobody is notified. */
const RECENT = 7 * DAY;
/** Pills that are in the bottle again so soon were put back. */
const PUT_BACK_WITHIN = 30 * MINUTE;

/** Pills taken since a dose that are none of it. */
interface PillsSince {
  /** What the dose lacked, taken after its end. */
  madeUp: number;
  beyond: number;
}

/** Finds the pills beyond the plan in what no dose takes. */
export class ExtraDoses {
  /** Of which removals an alert was raised. */
  private readonly reported = new Set<number>();
  /** The alerts of pills beyond the plan, by the time of their removal, that nothing has ended yet. */
  private readonly open = new Map<number, { alert: ExpectedAlert; byLimit: boolean }>();

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
    const beyond = new Set<number>();
    for (const each of surplus) {
      const found = this.beyondPlan(each, since, doses, now);
      if (found) beyond.add(each.time);
      const returnedAt = found && this.returnedAt(each.time, found.pills);
      if (returnedAt !== undefined) this.endExtraDose(each.time, now, 'resolved', returnedAt);
      else if (found) this.raiseExtraDose(each.time, now, found.urgency);
    }
    // a report that came late says for which dose they were
    for (const [time, { byLimit }] of this.open)
      if (!byLimit && !beyond.has(time)) this.endExtraDose(time, now, 'retracted');
    for (const time of this.overLimit(surplus)) this.raiseExtraDose(time, now, 'wakes', true);
  }

  /** The removals of pills as needed after which more than the limit was taken within 24 hours. */
  private overLimit(surplus: readonly Surplus[]): number[] {
    const asNeeded = (time: number): DosePlan | undefined => {
      const plan = this.facts.prescriptions.findLast(({ from }) => from <= time)?.plan;
      return plan?.kind === 'as_needed' ? plan : undefined;
    };
    const counted = surplus.filter(({ time, dueThen }) => !dueThen || asNeeded(time));
    return counted.flatMap(({ time }) => {
      const plan = asNeeded(time);
      if (!plan) return [];
      const ofDay = counted.filter((other) => time - DAY <= other.time && other.time <= time);
      const together = ofDay.filter((other) => time - plan.minInterval < other.time);
      const isOver = pillsOf(ofDay) > plan.maxPerDay * plan.pills;
      const isSoon = plan.minInterval > 0 && pillsOf(together) > plan.pills;
      return isOver || isSoon ? [time] : [];
    });
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
  ): { urgency: 'wakes' | 'waits'; pills: number } | undefined {
    const prescribed = this.facts.prescriptions.filter(({ from }) => from <= time);
    const pauses = periodsEnteredBy(this.facts.pauses, time, now).filter(({ from }) => from <= time);
    const inPeriod = removalIn(this.facts.pauses, time, now);
    if (inPeriod === 'explained') return undefined;
    const plan = prescribed.at(-1)?.plan;
    const last = doses.findLast(({ at }) => at <= time);
    // before the first slot, since the schedule began
    const slot = last?.at ?? -Infinity;
    const before = since.get(slot) ?? { madeUp: 0, beyond: 0 };
    const wakes = (extra = pills): { urgency: 'wakes'; pills: number } => {
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

  private isReportable(time: number, now: number): boolean {
    return !this.reported.has(time) && now - time <= RECENT;
  }

  private raiseExtraDose(time: number, now: number, urgency: 'wakes' | 'waits', byLimit = false): void {
    if (!this.isReportable(time, now)) return;
    this.reported.add(time);
    const alert = this.raise(now, { times: { removed_at: time } });
    if (urgency === 'wakes') alert.passesQuietHours = true;
    this.open.set(time, { alert, byLimit });
  }

  private endExtraDose(
    time: number,
    now: number,
    event: 'resolved' | 'retracted',
    put_back_at?: number,
  ): void {
    const { alert } = this.open.get(time) ?? {};
    this.open.delete(time);
    alert?.ends.push({
      at: now,
      event,
      ...(put_back_at !== undefined && { facts: { times: { put_back_at } } }),
    });
  }

  /** When its bottle held exactly so many pills more again, within half an hour and before the next removal. */
  private returnedAt(time: number, pills: number): number | undefined {
    const removal = this.bottles.actions.find((one) => one.action === 'closed' && one.time === time);
    if (!removal) return undefined;
    const closings = this.bottles.actions
      .filter(({ action, bottle }) => action === 'closed' && bottle === removal.bottle)
      .sort((one, other) => one.time - other.time);
    for (const one of closings.filter((other) => time < other.time && other.time <= time + PUT_BACK_WITHIN)) {
      if (one.pillsTaken > 0) return undefined;
      if (one.pillsLeft === removal.pillsLeft + pills) return one.time;
    }
    return undefined;
  }
}

const pillsOf = (all: readonly Surplus[]): number => all.reduce((sum, { pills }) => sum + pills, 0);
