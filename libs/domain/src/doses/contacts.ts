/** The default time left for a bottle's backlog after a silence (issue 5): 2 minutes. */
export const BACKLOG_GRACE_MS = 120_000;

/** The time left for a backlog where silences are short, as in a demo: never longer than half a silence. */
export function backlogGrace(silentAfterMs: number): number {
  return Math.min(BACKLOG_GRACE_MS, silentAfterMs / 2);
}

/** What the contacts say about one moment. All times are epoch milliseconds. */
export interface Confirmation {
  /** The first contact after the moment. */
  first?: number;
  /** The last contact at or before the moment. */
  before?: number;
  /**
   * `before` to `first` is longer than the allowed silence, or it has passed without a contact, or nothing is known
   * before: the moment was in a silence.
   */
  afterSilence: boolean;
  /** When `first` may be relied on: now or earlier, unless a backlog may still be on its way. */
  reliableFrom?: number;
}

/** The moments at which we heard from a bottle, by the time of receipt, up to `now`; a set, whatever its order. */
export class ContactLog {
  private readonly times: number[];

  constructor(
    contacts: readonly Date[],
    private readonly now: number,
    private readonly silentAfterMs: number,
    private readonly graceMs: number,
  ) {
    const known = contacts.map((contact) => contact.getTime()).filter((time) => time <= now);
    this.times = [...new Set(known)].sort((a, b) => a - b);
  }

  /** How a moment is confirmed by what was heard around it. */
  around(moment: number): Confirmation {
    const index = this.indexAfter(moment);
    const first = this.times[index];
    const before = this.times[index - 1];
    if (first === undefined) {
      return { before, afterSilence: before === undefined || this.now - before >= this.silentAfterMs };
    }
    return { first, before, afterSilence: this.endsSilence(index), reliableFrom: this.reliableFrom(index) };
  }

  /**
   * A contact that ends a silence may come ahead of the reports that the silence held back, and so may the next
   * contact a few seconds later: both count when the grace after the end of the silence is over.
   */
  private reliableFrom(index: number): number {
    const first = this.times[index]!;
    for (let at = index; at >= 0 && this.times[at]! + this.graceMs > this.now; at -= 1) {
      if (this.endsSilence(at)) return this.times[at]! + this.graceMs;
    }
    return first;
  }

  /** A contact at the very end of the allowed silence is in time. */
  private endsSilence(index: number): boolean {
    const before = this.times[index - 1];
    return before === undefined || this.times[index]! - before > this.silentAfterMs;
  }

  private indexAfter(moment: number): number {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
