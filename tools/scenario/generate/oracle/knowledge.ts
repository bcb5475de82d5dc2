import { coverageGaps } from './coverage.js';
import { type BottleFacts, HOUR, type KnownAction, MINUTE, type Span } from './facts.js';

/**
 * So much listening without a contact is a silence (`SILENT_BOTTLE_AFTER`); a contact at its very end is in time.
 */
export const SILENCE = HOUR;
/** How much listening a backlog may take when a silence ends, or an outage of ours. */
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
  /** The contacts that ended a silence, the first of all among them. */
  readonly endsOfSilences: number[] = [];
  /** The contacts that came after an outage of ours: the one before came before it. */
  private readonly endsOfOutages: number[] = [];

  private readonly outages: Span[];

  /** @param accepting when device-api accepted reports */
  constructor(
    private readonly facts: Pick<BottleFacts, 'contacts' | 'actions'>,
    accepting: readonly Span[],
  ) {
    this.outages = coverageGaps(accepting, Number.NEGATIVE_INFINITY);
  }

  moveTo(now: number): void {
    this.now = now;
    while (this.facts.contacts[this.seen]! <= now) this.learn(this.facts.contacts[this.seen]!);
    this.fresh = [];
    while (this.facts.actions[this.actions.length] !== undefined) {
      const action = this.facts.actions[this.actions.length]!;
      if (action.known > now) break;
      this.fresh.push(action);
      this.actions.push(action);
      if (!this.newest || isLater(action, this.newest)) this.newest = action;
    }
  }

  private learn(contact: number): void {
    const before = this.lastContact;
    if (before === undefined || this.listened(before, contact) > SILENCE) this.endsOfSilences.push(contact);
    if (before !== undefined && this.outages.some((outage) => overlap(outage, before, contact) > 0))
      this.endsOfOutages.push(contact);
    this.seen += 1;
  }

  get lastContact(): number | undefined {
    return this.facts.contacts[this.seen - 1];
  }

  /** The contacts on either side of a moment. */
  around(moment: number): { before?: number | undefined; after?: number | undefined } {
    const { contacts } = this.facts;
    // mostly the last ones are asked for
    let later = this.seen;
    while (later > 0 && contacts[later - 1]! > moment) later -= 1;
    return { before: contacts[later - 1], after: later < this.seen ? contacts[later] : undefined };
  }

  /** For how long of the time between two moments reports were accepted. */
  listened(from: number, to: number): number {
    return this.outages.reduce((sum, outage) => sum - Math.max(0, overlap(outage, from, to)), to - from);
  }

  /**
   * Whether every report up to `moment` has arrived: a contact that ends a silence, or follows such a contact closely,
   * may precede the backlog.
   */
  isBackFromSilenceSince(moment: number): boolean {
    return this.hasBacklogSince(moment, this.endsOfSilences);
  }

  /** The same, where the first contact after an outage of ours may precede the backlog, too. */
  hasReportedSince(moment: number): boolean {
    return this.hasBacklogSince(moment, [...this.endsOfSilences, ...this.endsOfOutages]);
  }

  private hasBacklogSince(moment: number, begins: readonly number[]): boolean {
    const { after } = this.around(moment);
    if (after === undefined) return false;
    const isIn = (begin: number): boolean => this.listened(begin, this.now) >= GRACE;
    return isIn(after) || begins.every((begin) => begin > after || isIn(begin));
  }
}

/** A closing at the very moment of an opening comes after it. */
function isLater(one: KnownAction, other: KnownAction): boolean {
  return one.time === other.time ? one.action === 'closed' : one.time > other.time;
}

function overlap({ from, to }: Span, begin: number, end: number): number {
  return Math.min(to, end) - Math.max(from, begin);
}
