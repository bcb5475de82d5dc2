import { type AlertStory, type BottleFacts, DAY } from './facts.js';
import type { DueDose } from './due-doses.js';
import type { Knowledge } from './knowledge.js';

/** Fewer pills than so many days need is low (`LOW_SUPPLY_DAYS`). */
const DAYS = 3;

/** Notes when the pills run low, and when they are refilled. */
export class SupplyWatch {
  readonly stories: AlertStory[] = [];
  private open: { story: AlertStory; fewest: number } | undefined;
  private dueBy = Infinity;

  constructor(
    private readonly facts: BottleFacts,
    private readonly knowledge: Knowledge,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    /** The doses that are taken, as far as is known. */
    private readonly isTaken: (dose: number) => boolean,
  ) {}

  tick(now: number): void {
    const pills = this.knowledge.newest?.pillsLeft ?? this.facts.pills;
    if (!this.open) {
      if (pills >= this.plenty) return;
      // the soonest that it can be said: by everything that is due; by what is not taken yet it is sure
      if (pills >= this.need(now, () => true)) return;
      const story: AlertStory = {
        bottle: this.facts.key,
        kind: 'low_supply',
        raisedAt: now,
        raisedBy: Infinity,
        ends: [],
      };
      this.open = { story, fewest: pills };
      this.stories.push(story);
    }
    const { story } = this.open;
    if (story.raisedBy === Infinity && pills < this.need(now, (dose) => !this.isTaken(dose))) {
      // it is looked at when a closing is known, and when a dose is due
      if (this.knowledge.fresh.some(({ action }) => action === 'closed')) story.raisedBy = now;
      else this.dueBy = Math.min(this.dueBy, now + 2 * DAY);
      if (now >= this.dueBy) story.raisedBy = this.dueBy;
    }
    const isRefilled = pills > this.open.fewest && pills >= this.need(now, () => true);
    if (isRefilled) {
      story.ends.push({ at: now, says: 'resolved' });
      this.open = undefined;
      this.dueBy = Infinity;
    } else this.open.fewest = Math.min(this.open.fewest, pills);
  }

  /** More than a dose an hour is never due: spares looking at every minute of a full bottle. */
  private get plenty(): number {
    return DAYS * 24 * Math.max(...this.facts.prescriptions.map(({ plan }) => plan.pills));
  }

  private need(now: number, counts: (dose: number) => boolean): number {
    const plan = this.facts.prescriptions.findLast(({ from }) => from <= now)?.plan;
    if (plan?.kind === 'as_needed') return DAYS * plan.maxPerDay * plan.pills;
    return this.dosesKnownAt(now)
      .filter(({ at }) => at >= now && at < now + DAYS * DAY && counts(at))
      .reduce((sum, { pills }) => sum + pills, 0);
  }
}
