import { type ExpectedAlert, type ExpectedEnd, HOUR, MINUTE, type ServiceFacts, type Span } from './facts.js';
import { whenNotified } from './coverage.js';

/** How long the condition of a flapping alert must stay clear (`CLEAR_DELAY`). */
const CLEAR_DELAY = 2 * HOUR;
/** Alerts that ended longer ago do not count. */
const REMEMBERED = 3 * CLEAR_DELAY;
/** An alert may be recorded so much later than it is expected. */
const LEEWAY = 10 * MINUTE;

/**
 * The alerts of one bottle and kind. One that begins when two have ended lately, or one that was flapping, is flapping:
 * it ends only when its condition has been clear for a time, and a condition that returns before continues it.
 */
export class HoldDown {
  readonly alerts: ExpectedAlert[] = [];
  readonly unclear: string[] = [];
  private readonly ended: { at: number; flapping: boolean }[] = [];
  private clear: { alert: ExpectedAlert; found: number; since: number; endsAt: number } | undefined;

  constructor(private readonly service: Pick<ServiceFacts, 'notifying' | 'to'>) {}

  /** When the condition of an alert was clear, by the reports. */
  private readonly wasClear: (Span & { alert: ExpectedAlert })[] = [];

  /** The condition begins, or returns. */
  raise(alert: ExpectedAlert, now: number): ExpectedAlert {
    this.settle(now);
    if (this.clear) {
      const { alert: same, found, since, endsAt } = this.clear;
      if (endsAt - now < LEEWAY)
        this.unclear.push(`returned as its hold-down ended, ${new Date(now).toISOString()}`);
      same.clear.push({ from: found, to: now });
      this.wasClear.push({ alert: same, from: since, to: now });
      this.clear = undefined;
      return same;
    }
    const remembered = now - REMEMBERED;
    if (this.ended.some(({ at }) => Math.abs(at - remembered) < LEEWAY))
      this.unclear.push(`flapping or not, ${new Date(now).toISOString()}`);
    const lately = this.ended.filter(({ at }) => at >= remembered);
    alert.flapping = lately.length >= 2 || lately.some(({ flapping }) => flapping);
    this.alerts.push(alert);
    return alert;
  }

  /**
   * The condition is over.
   *
   * @param since when the report was received that shows it
   */
  end(alert: ExpectedAlert, end: ExpectedEnd, since: number): void {
    const { flapping, clear } = alert;
    if (end.event === 'retracted' && clear.length > 0)
      this.unclear.push('a part of a flapping alert was wrong');
    this.ended.push({ at: end.at, flapping });
    if (!flapping || end.event === 'retracted') return void alert.ends.push(end);
    this.ended.pop();
    const endsAt = Math.max(end.at, whenNotified(since + CLEAR_DELAY, this.service.notifying));
    this.clear = { alert, found: end.at, since, endsAt };
  }

  /** Whether the condition of an alert was clear at a moment, by the reports, while the alert was held open. */
  wasClearAt(alert: ExpectedAlert, moment: number): boolean {
    const isHeld = this.clear?.alert === alert && this.clear.since <= moment;
    return (
      isHeld || this.wasClear.some((span) => span.alert === alert && span.from <= moment && moment < span.to)
    );
  }

  /** The alert that is open although its condition is clear. */
  heldAt(now: number): ExpectedAlert | undefined {
    this.settle(now);
    return this.clear?.alert;
  }

  /** Whether an alert is open, in a hold-down or not. */
  isRaisedAt(now: number): boolean {
    this.settle(now);
    return this.alerts.some(({ raisedAt, ends }) => raisedAt <= now && (ends[0]?.at ?? Infinity) > now);
  }

  /** Ends what has been clear for long enough before `now`. */
  settle(now: number): void {
    if (!this.clear || this.clear.endsAt >= now) return;
    const { alert, found, since, endsAt } = this.clear;
    alert.clear.push({ from: found, to: endsAt });
    this.wasClear.push({ alert, from: since, to: endsAt });
    alert.ends.push({ at: endsAt, event: 'resolved' });
    this.ended.push({ at: since, flapping: true });
    this.clear = undefined;
  }

  /** At the end of everything a hold-down lasts. */
  finish(): void {
    this.settle(this.service.to);
    if (this.clear) this.clear.alert.clear.push({ from: this.clear.found, to: Infinity });
  }
}
