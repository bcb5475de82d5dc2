import { type BottleFacts, HOUR, type KnownAction, MINUTE } from './facts.js';

/** So long without a contact is a silence (`SILENT_BOTTLE_AFTER`); a contact at its very end is in time. */
export const SILENCE = HOUR;
/** How long a backlog may take when a silence ends. */
export const GRACE = 2 * MINUTE;

/** What can be known of one bottle at a moment that moves on. */
export class Knowledge {
  now = Number.NEGATIVE_INFINITY;
  readonly actions: KnownAction[] = [];
  /** Actions that were learned of since the moment before. */
  fresh: KnownAction[] = [];
  /** The action that happened last, of those that are known. */
  newest: KnownAction | undefined;
  private seen = 0;

  constructor(private readonly facts: Pick<BottleFacts, 'contacts' | 'actions'>) {}

  moveTo(now: number): void {
    this.now = now;
    while (this.facts.contacts[this.seen]! <= now) this.seen += 1;
    this.fresh = [];
    while (this.facts.actions[this.actions.length] !== undefined) {
      const action = this.facts.actions[this.actions.length]!;
      if (action.known > now) break;
      this.fresh.push(action);
      this.actions.push(action);
      if (!this.newest || isLater(action, this.newest)) this.newest = action;
    }
  }

  /** Every moment at which a report was received, up to now. */
  get contacts(): number[] {
    return this.facts.contacts.slice(0, this.seen);
  }

  get lastContact(): number | undefined {
    return this.facts.contacts[this.seen - 1];
  }

  /** The contacts on either side of a moment. */
  around(moment: number): { before?: number | undefined; after?: number | undefined } {
    return {
      before: this.contacts.findLast((contact) => contact <= moment),
      after: this.contacts.find((contact) => contact > moment),
    };
  }

  /** The contacts that ended a silence, the first of all among them. */
  get endsOfSilences(): number[] {
    return this.contacts.filter((contact, index, all) => index === 0 || contact - all[index - 1]! > SILENCE);
  }

  /**
   * Whether every report up to `moment` has arrived: a contact that ends a silence, or follows such a contact closely,
   * may precede the backlog.
   */
  hasReportedSince(moment: number): boolean {
    const { after } = this.around(moment);
    if (after === undefined) return false;
    return (
      after <= this.now - GRACE || !this.endsOfSilences.some((end) => end <= after && end > this.now - GRACE)
    );
  }
}

/** A closing at the very moment of an opening comes after it. */
function isLater(one: KnownAction, other: KnownAction): boolean {
  return one.time === other.time ? one.action === 'closed' : one.time > other.time;
}
