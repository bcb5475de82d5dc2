import { type DosePause, type ExpectedAlert, type ServiceFacts, type KnownAction, MINUTE } from './facts.js';
import { GRACE, type Knowledge, SILENCE } from './knowledge.js';
import type { HoldDown } from './hold-down.js';
import { holdsLid } from './periods.js';
import { acceptedUntil, coveredTime, coverageGaps } from './coverage.js';

/** A lid may be open for so long (`OPEN_BOTTLE_AFTER`). */
const OPEN_AFTER = 5 * MINUTE;
/** After a silence the alert may wait until the end of the silence is recorded. */
const AFTER_SILENCE = 8 * MINUTE;

/** Records when a bottle is left open for too long, as far as its reports show. */
export class LidWatch {
  readonly unclear: string[] = [];
  private alerted: { alert: ExpectedAlert; opening: KnownAction } | undefined;
  /** What was open when a period ended its alert: it raises no other. */
  private endedBy: KnownAction | undefined;

  constructor(
    private readonly bottle: string,
    private readonly service: ServiceFacts,
    private readonly knowledge: Knowledge,
    private readonly held: HoldDown,
    private readonly periods: readonly DosePause[],
  ) {}

  get isOpen(): boolean {
    return this.knowledge.newest?.action === 'opened';
  }

  tick(now: number): void {
    const newest = this.knowledge.newest;
    if (this.alerted && newest !== this.alerted.opening) {
      const { alert, opening } = this.alerted;
      if (now <= alert.raisedBy)
        this.unclear.push(`closed at ${new Date(now).toISOString()}, just as the alert was raised`);
      const wasNeverLate = newest!.action === 'closed' && newest!.time <= opening.time + OPEN_AFTER;
      this.held.end(alert, { at: now, event: wasNeverLate ? 'retracted' : 'resolved' }, newest!.known);
      this.alerted = undefined;
    }
    const isHeld = holdsLid(this.periods, now);
    if (this.alerted && isHeld) {
      this.held.end(this.alerted.alert, { at: now, event: 'resolved' }, now);
      this.endedBy = this.alerted.opening;
      this.alerted = undefined;
    }
    if (isHeld || this.endedBy === newest) return;
    if (newest?.action !== 'opened' || this.alerted || !this.isOverdue(newest, now)) return;
    const raisedBy = now + (this.spokeAgainAround(newest) ? AFTER_SILENCE : 0);
    const alert: ExpectedAlert = {
      bottle: this.bottle,
      kind: 'bottle_open',
      raisedAt: now,
      raisedBy,
      ends: [],
      flapping: false,
      clear: [],
      facts: { times: { opened_at: newest.time }, numbers: { open_after_ms: OPEN_AFTER } },
    };
    this.alerted = { alert: this.held.raise(alert, now), opening: newest };
  }

  private isOverdue({ time, known }: KnownAction, now: number): boolean {
    const last = this.knowledge.lastContact!;
    const due = known < time + OPEN_AFTER ? time + OPEN_AFTER : known + GRACE;
    const isConnected = coveredTime(this.service.accepting, last, now) < SILENCE;
    return (
      now >= due &&
      this.couldHearOfClosing(time, due, now) &&
      isConnected &&
      this.knowledge.isBackFromSilenceSince(last - 1)
    );
  }

  /**
   * A closing in one of our gaps arrives within `GRACE` of listening. Listening is added up from the last gap that began
   * before the lid was due; a gap of `GRACE` or longer after that begins it again, a shorter one interrupts it.
   */
  private couldHearOfClosing(opened: number, due: number, now: number): boolean {
    const { accepting } = this.service;
    if (acceptedUntil(accepting, now) < due) return false;
    const counted = coverageGaps(accepting, opened).findLast(
      ({ from, to }) => to <= now && (from < due || to - from >= GRACE),
    );
    return !counted || coveredTime(accepting, counted.to, now) >= GRACE;
  }

  /** Whether a silence has ended since, or so shortly before that its end may not be recorded yet. */
  private spokeAgainAround({ known }: KnownAction): boolean {
    return this.knowledge.endsOfSilences.some((end) => end > known - AFTER_SILENCE);
  }
}
