import type { Clock } from '#platform';

/** From the beginning of one run to the next waking, at least: a large fleet always has somebody about to be due. Milliseconds. */
const SPACING_MS = 1_000;
/** Node takes a longer wait for none. Milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Wakes a check at the next deadline that passes before its next tick, so that who is due in between does not wait
 * for the tick. What is armed later than we look is for the tick: the cron is the safety net.
 */
export class LookAhead {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param findNext the check's earliest deadline after a moment.
   * @param wake starts the check, unless it runs already.
   */
  constructor(
    private readonly findNext: (after: Date) => Promise<Date | undefined>,
    private readonly wake: () => void,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks ahead at the end of a run. Instead of a waking that is still to come.
   *
   * @param began when the run did: what became due since then it may not have seen.
   * @param nextTick asked when the deadline is known, so that no tick passes unseen meanwhile.
   */
  async look(began: Date, nextTick: () => Date): Promise<void> {
    const deadline = await this.findNext(began);
    clearTimeout(this.timer);
    if (!deadline || this.stopped) return;
    const at = Math.max(deadline.getTime(), began.getTime() + SPACING_MS);
    if (at < nextTick().getTime()) this.wakeAt(at);
  }

  /** No further waking. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wakeAt(at: number): void {
    const wait = Math.max(0, at - this.clock.now().getTime());
    this.timer = setTimeout(
      // a timer may be early, if by a hair
      () => (this.clock.now().getTime() < at ? this.wakeAt(at) : this.wake()),
      Math.min(wait, LONGEST_WAIT_MS),
    );
  }
}
