import type { Clock } from '#platform';

/**
 * Minimum time between the starts of two sweeps: in a large fleet some bottle is always about to be due. And how often
 * it is asked whether a deadline was armed that passes before the next tick. Milliseconds.
 */
const SPACING_MS = 1_000;

/** A sweep that has ended. */
interface Swept {
  turn: number;
  began: Date;
  nextTick: () => Date;
}

/** Wakes a check for its next sweep when a deadline passes before its next cron tick, also one that is armed meanwhile. */
export class SweepWakeUp {
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;
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
  schedule(began: Date, nextTick: () => Date): Promise<void> {
    this.turn += 1;
    return this.ask({ turn: this.turn, began, nextTick });
  }

  /** Cancels the wake-up; later ones are not scheduled. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async ask(sweep: Swept): Promise<void> {
    const { began, nextTick } = sweep;
    const deadline = await this.findNext(began);
    if (this.isOver(sweep)) return;
    const tick = nextTick().getTime();
    const askAgainAt = this.clock.now().getTime() + SPACING_MS;
    const at = Math.max(deadline?.getTime() ?? Infinity, began.getTime() + SPACING_MS);
    if (at <= askAgainAt && at < tick) this.wakeAt(at);
    else if (askAgainAt < tick) this.askAgain(sweep);
  }

  private askAgain(sweep: Swept): void {
    if (this.isOver(sweep)) return;
    clearTimeout(this.timer);
    const again = (): Promise<void> => this.ask(sweep).catch(() => this.askAgain(sweep));
    this.timer = setTimeout(() => void again(), SPACING_MS);
  }

  private isOver({ turn }: Swept): boolean {
    return this.stopped || turn !== this.turn;
  }

  private wakeAt(at: number): void {
    const wait = Math.max(0, at - this.clock.now().getTime());
    clearTimeout(this.timer);
    // a timer may fire a little early
    this.timer = setTimeout(() => (this.clock.now().getTime() < at ? this.wakeAt(at) : this.wake()), wait);
  }
}
