import type { BottlesOfPlan } from './bottles-of-plan.js';
import type { DueDose } from './due-doses.js';
import { type ExpectedAlert, type BottleFacts, DAY, type DosePlan } from './facts.js';

/** Fewer pills than so many days need is low (`LOW_SUPPLY_DAYS`). */
const DAYS = 3;

/** No dose has more. */
const mostPills = ({ amounts = [], pills }: DosePlan): number =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? pills), pills);

/** Notes when the pills run low, and when they are refilled. */
export class SupplyWatch {
  readonly alerts: ExpectedAlert[] = [];
  private open: { alert: ExpectedAlert; fewest: number } | undefined;
  private dueBy = Infinity;
  /** No more than a dose an hour is due: saves a check at every minute of a full bottle. */
  private readonly plenty: number;

  constructor(
    private readonly facts: BottleFacts,
    private readonly bottles: BottlesOfPlan,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    /** What is taken of a dose, as far as is known. */
    private readonly pillsTaken: (dose: number) => number,
  ) {
    this.plenty = (DAYS + 1) * 24 * Math.max(...facts.prescriptions.map(({ plan }) => mostPills(plan)));
  }

  tick(now: number): void {
    const pills = this.bottles.pillsLeft(now);
    if (!this.open) {
      if (pills >= this.plenty || pills >= this.need(now)) return;
      const alert: ExpectedAlert = {
        bottle: this.facts.key,
        kind: 'low_supply',
        raisedAt: now,
        raisedBy: Infinity,
        ends: [],
        flapping: false,
        clear: [],
      };
      this.open = { alert, fewest: pills };
      this.alerts.push(alert);
    }
    const { alert } = this.open;
    if (alert.raisedBy === Infinity && pills < this.need(now)) {
      // checked when a closing is reported, and when a dose is late
      if (this.bottles.hasClosed) alert.raisedBy = now;
      else this.dueBy = Math.min(this.dueBy, now + 2 * DAY);
      if (now >= this.dueBy) alert.raisedBy = this.dueBy;
    }
    const isRefilled = pills > this.open.fewest && pills >= this.need(now);
    if (isRefilled) {
      alert.ends.push({ at: now, event: 'resolved' });
      this.open = undefined;
      this.dueBy = Infinity;
    } else this.open.fewest = Math.min(this.open.fewest, pills);
  }

  /** What the doses of the next days still need, and those that are due and may still be taken. */
  private need(now: number): number {
    const plan = this.facts.prescriptions.findLast(({ from }) => from <= now)?.plan;
    if (plan?.kind === 'as_needed') return DAYS * plan.maxPerDay * plan.pills;
    return this.dosesKnownAt(now)
      .filter(({ at, missedAt }) => missedAt > now && at <= now + DAYS * DAY)
      .reduce((sum, { at, pills }) => sum + pills - this.pillsTaken(at), 0);
  }
}
