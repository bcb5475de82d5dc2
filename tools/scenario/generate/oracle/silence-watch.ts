import type { ExpectedAlert, ServiceFacts } from './facts.js';
import type { HoldDown } from './hold-down.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { coveredTime } from './coverage.js';

/** Records when a bottle has been silent for too long, not counting our coverage gaps, and when it reports again. */
export class SilenceWatch {
  private open: { alert: ExpectedAlert; since: number } | undefined;

  constructor(
    private readonly bottle: string,
    private readonly service: ServiceFacts,
    private readonly knowledge: Knowledge,
    private readonly held: HoldDown,
  ) {}

  get isSilent(): boolean {
    return this.open !== undefined && this.knowledge.lastContact === this.open.since;
  }

  /** The alert of the silence that lasts. */
  get openAlert(): ExpectedAlert | undefined {
    return this.open?.alert;
  }

  /** Whether an alert is open at this moment, which may be held down. */
  isRaisedAt(now: number): boolean {
    return this.held.isRaisedAt(now);
  }

  /** Whether an alert had been raised, and its silence had not ended, at a moment. */
  wasSilentAt(moment: number): boolean {
    return this.held.alerts.some(
      (alert) =>
        alert.raisedAt < moment &&
        (alert.ends[0]?.at ?? Infinity) > moment &&
        !this.held.wasClearAt(alert, moment),
    );
  }

  /** A dose of a bottle that has never reported ended, and nobody could confirm it. */
  raiseNeverReported(now: number): void {
    this.open ??= { alert: this.held.raise(this.alertAt(now), now), since: Number.NEGATIVE_INFINITY };
  }

  tick(now: number): void {
    const last = this.knowledge.lastContact;
    // before the first contact only its doses show a silence
    if (last === undefined) return;
    if (this.open && last > this.open.since) {
      this.held.end(this.open.alert, { at: now, event: 'resolved' });
      this.open = undefined;
    }
    if (!this.open && now - last >= SILENCE && coveredTime(this.service.accepting, last, now) >= SILENCE) {
      this.open = { alert: this.held.raise(this.alertAt(now), now), since: last };
    }
  }

  private alertAt(now: number): ExpectedAlert {
    return {
      bottle: this.bottle,
      kind: 'bottle_silent',
      raisedAt: now,
      raisedBy: now,
      ends: [],
      flapping: false,
      clear: [],
    };
  }
}
