import type { DeadlineName, Release } from '#domain';
import type { BottleState, ClaimedPage, DeadlinesRepository } from '#persistence';
import type { Clock } from '#platform';
import type { Types } from 'mongoose';

/** With less than this left of the lease, nothing is recorded any more. Milliseconds. */
const LEASE_MARGIN_MS = 2_000;

/** This notifier held the page for too long; another may have claimed it and does the work. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease ran out');
    this.name = 'LeaseLostError';
  }
}

/** The bottles that one claim of a check won, and what may be done under it. */
export class Page {
  constructor(
    private readonly name: DeadlineName,
    private readonly claimed: Pick<ClaimedPage, 'claim' | 'states'>,
    private readonly deadlines: DeadlinesRepository,
    private readonly clock: Clock,
  ) {}

  get states(): BottleState[] {
    return this.claimed.states;
  }

  /**
   * Asks the database which of these bottles are still ours; a machine that slept does not know for how long.
   *
   * @returns their ids in hex
   * @throws LeaseLostError
   */
  async held(ids: Types.ObjectId[]): Promise<ReadonlySet<string>> {
    const held =
      ids.length === 0
        ? new Set<string>()
        : await this.deadlines.findHeld(this.name, this.claimed.claim, ids);
    this.throwIfLost();
    return held;
  }

  /**
   * This process may have hung, and another notifier claimed the page: nothing is written any more.
   *
   * @throws LeaseLostError
   */
  throwIfLost(): void {
    const { until } = this.claimed.claim;
    if (this.clock.now().getTime() > until.getTime() - LEASE_MARGIN_MS) throw new LeaseLostError();
  }

  /** Ends the claims. @returns whether all of them were still ours */
  release(releases: Release[]): Promise<boolean> {
    return this.deadlines.release(this.name, this.claimed.claim, releases);
  }

  /** Quarantines a bottle whose record made the check throw. @returns whether it was still ours */
  quarantine(id: Types.ObjectId, failure: { check: string; error: string; at: Date }): Promise<boolean> {
    return this.deadlines.quarantine(this.name, this.claimed.claim, id, failure);
  }
}
