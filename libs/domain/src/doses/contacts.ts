/** The default grace for a bottle's backlog after a silence: 2 minutes. */
export const BACKLOG_GRACE_MS = 120_000;

/** The grace for a backlog: at most half the allowed silence, for a demo with short silences. */
export function backlogGrace(silentAfterMs: number): number {
  return Math.min(BACKLOG_GRACE_MS, silentAfterMs / 2);
}

/** The contacts around an instant. All times are epoch milliseconds. */
export interface Confirmation {
  /** The first contact after the instant. */
  first?: number;
  /** The last contact at or before the instant. */
  before?: number;
  /**
   * Whether the instant was in a silence: `before` to `first` is longer than allowed, the allowed silence has passed
   * without a contact, or there is no earlier contact.
   */
  afterSilence: boolean;
  /** The time from which `first` is reliable; in the future while a backlog may still arrive. */
  reliableFrom?: number;
}

/** The receipt times of a bottle's reports up to `now`; their order does not matter. */
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

  /** The contacts around an instant. */
  around(instant: number): Confirmation {
    const index = this.indexAfter(instant);
    const first = this.times[index];
    const before = this.times[index - 1];
    if (first === undefined) {
      return { before, afterSilence: before === undefined || this.now - before >= this.silentAfterMs };
    }
    return { first, before, afterSilence: this.endsSilence(index), reliableFrom: this.reliableFrom(index) };
  }

  /**
   * A contact that ends a silence may arrive before the backlog of that silence, and so may a contact a few seconds
   * later: both are reliable once the grace after the end of the silence is over.
   */
  private reliableFrom(index: number): number {
    const first = this.times[index]!;
    for (let at = index; at >= 0 && this.times[at]! + this.graceMs > this.now; at -= 1) {
      if (this.endsSilence(at)) return this.times[at]! + this.graceMs;
    }
    return first;
  }

  /** A contact exactly at the end of the allowed silence is in time. */
  private endsSilence(index: number): boolean {
    const before = this.times[index - 1];
    return before === undefined || this.times[index]! - before > this.silentAfterMs;
  }

  private indexAfter(instant: number): number {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! > instant) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
