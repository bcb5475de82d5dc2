import { type BottleFacts, type ExpectedAlert, type KnownAction } from './facts.js';
import type { Knowledge } from './knowledge.js';

/** So many closings in a row on which scale and count agree make the count trustworthy. */
const TRUSTED_AFTER = 5;
/** So many in a row begin the alert, or end it. */
const IN_A_ROW = 2;

/** What a pill weighs shows in so many different counts among the last closings, of so many pills at least. */
const [COUNTS, LAST_CLOSINGS, FEWEST_PILLS] = [5, 30, 5];

/**
 * Notes when the scale of a bottle shows other than its count, and when it agrees again, as if it were known what a pill
 * weighs; and from when on the bottle has shown that itself. A difference is always far beyond the tolerance.
 */
export class CountWatch {
  readonly alerts: ExpectedAlert[] = [];
  /** When its closings had shown what a pill weighs; Infinity if never. */
  weightShownAt = Infinity;
  private open: ExpectedAlert | undefined;

  constructor(
    private readonly facts: Pick<BottleFacts, 'key'>,
    private readonly knowledge: Knowledge,
  ) {}

  tick(now: number): void {
    if (!this.knowledge.fresh.some(({ action }) => action === 'closed')) return;
    const closings = this.knowledge.actions
      .filter(({ action }) => action === 'closed')
      .sort((one, other) => one.time - other.time);
    if (now < this.weightShownAt && showWeight(closings)) this.weightShownAt = now;
    const differs = closings.map(({ weighsLess }) => weighsLess !== 0);
    const lately = differs.slice(-IN_A_ROW);
    if (lately.length < IN_A_ROW) return;
    if (!this.open && lately.every(Boolean) && isTrusted(differs)) {
      this.open = {
        bottle: this.facts.key,
        kind: 'count_mismatch',
        raisedAt: now,
        raisedBy: now,
        ends: [],
        flapping: false,
        clear: [],
        facts: { numbers: { number_of_pills: closings.at(-1)!.pillsLeft } },
      };
      this.alerts.push(this.open);
    } else if (this.open && !lately.some(Boolean)) {
      this.open.ends.push({ at: now, event: 'resolved' });
      this.open = undefined;
    }
  }
}

function showWeight(closings: readonly KnownAction[]): boolean {
  const last = closings.slice(-LAST_CLOSINGS);
  const wrong = last.findIndex(({ weighsLess }) => weighsLess !== 0);
  const right = (wrong < 0 ? last : last.slice(0, wrong)).filter(
    ({ pillsLeft }) => pillsLeft >= FEWEST_PILLS,
  );
  return new Set(right.map(({ pillsLeft }) => pillsLeft)).size >= COUNTS;
}

function isTrusted(differs: readonly boolean[]): boolean {
  return differs.some((_, index) => {
    const some = differs.slice(index, index + TRUSTED_AFTER);
    return some.length === TRUSTED_AFTER && !some.some(Boolean);
  });
}
