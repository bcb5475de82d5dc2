import type { Clock } from '#platform';

/** Minimum time between the starts of two sweeps: in a large fleet some bottle is always about to be due. Milliseconds. */
const SPACING_MS = 1_000;
/** The longest delay that `setTimeout` supports. Milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Wakes a check for its next sweep when a deadline passes before its next cron tick. A deadline that is armed after
 * {@link schedule} is left to the tick.
 */
export class SweepWakeUp {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param findNext the check's earliest deadline after a moment.
   * @param wake starts the check, unless it is running.
   */
  constructor(
    private readonly findNext: (after: Date) => Promise<Date | undefined>,
    private readonly wake: () => void,
    private readonly clock: Clock,
  ) {}

  /**
   * Schedules the next wake-up at the end of a sweep, in place of one scheduled before.
   *
   * @param began when the sweep began: it may have missed what became due since.
   * @param nextTick called when the deadline is known, so that no tick passes in between.
   */
  async schedule(began: Date, nextTick: () => Date): Promise<void> {
    const deadline = await this.findNext(began);
    clearTimeout(this.timer);
    if (!deadline || this.stopped) return;
    const at = Math.max(deadline.getTime(), began.getTime() + SPACING_MS);
    if (at < nextTick().getTime()) this.wakeAt(at);
  }

  /** Cancels the wake-up; later ones are not scheduled. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wakeAt(at: number): void {
    const wait = Math.max(0, at - this.clock.now().getTime());
    this.timer = setTimeout(
      // a timer may fire a little early
      () => (this.clock.now().getTime() < at ? this.wakeAt(at) : this.wake()),
      Math.min(wait, MAX_DELAY_MS),
    );
  }
}
