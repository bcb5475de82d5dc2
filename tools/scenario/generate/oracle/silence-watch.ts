import type { DosePause, ExpectedAlert, ServiceFacts } from './facts.js';
import type { HoldDown } from './hold-down.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { coveredTime } from './coverage.js';
import { isWithin, periodsKnownAt } from './periods.js';

/** Records when a bottle has been silent for too long, not counting our coverage gaps, and when it reports again. */
export class SilenceWatch {
  readonly unclear: string[] = [];
  private open: { alert: ExpectedAlert; since: number } | undefined;
  /** When the bottle reported again after a silence: its end is found later. */
  private readonly backAt = new Map<ExpectedAlert, number>();

  /** Until when a period held the silence that it ended, or that was found in it, at the latest an hour later (PERIOD-4). */
  private heldUntil: number | undefined;

  constructor(
    private readonly bottle: string,
    private readonly service: ServiceFacts,
    private readonly knowledge: Knowledge,
    private readonly held: HoldDown,
    private readonly periods: readonly DosePause[],
  ) {}

  get isSilent(): boolean {
    return this.open !== undefined && this.knowledge.lastContact === this.open.since;
  }

  /** The alert of the silence that lasts. */
  get openAlert(): ExpectedAlert | undefined {
    return this.open?.alert;
  }

  /** The same, or one that is held down: its bottle reported again, and may not have since a dose ended. */
  standingAlert(now: number): ExpectedAlert | undefined {
    return this.openAlert ?? this.held.heldAt(now);
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
        (this.backAt.get(alert) ?? alert.ends[0]?.at ?? Infinity) > moment &&
        !this.held.wasClearAt(alert, moment),
    );
  }

  /** A dose of a bottle that has never reported ended, and nobody could confirm it. */
  raiseNeverReported(now: number): void {
    if (this.isHeld(now)) this.holdUntilEnd(now);
    else this.open ??= { alert: this.held.raise(this.alertAt(now), now), since: Number.NEGATIVE_INFINITY };
  }

  /** In a period without monitoring no silence counts, and one that is open ends. */
  hold(now: number): void {
    if (!this.open || !this.isHeld(now)) return;
    this.holdUntilEnd(now);
    this.held.end(this.open.alert, { at: now, event: 'resolved' }, now);
    this.open = undefined;
  }

  private holdUntilEnd(now: number): void {
    const { to } = this.periodsAt(now).find((period) => isWithin([period], now))!;
    this.heldUntil = Math.min(to, now + SILENCE);
  }

  /** Since when a silence counts that a period has ended or held before; undefined if none has. */
  countsSince(now: number): number | undefined {
    if (this.heldUntil === undefined) return undefined;
    const ended = this.periodsAt(now).filter(({ to }) => to <= now);
    return Math.max(this.heldUntil, ...ended.map(({ to }) => to));
  }

  private isHeld(now: number): boolean {
    return isWithin(this.periodsAt(now), now);
  }

  private periodsAt(now: number): DosePause[] {
    return periodsKnownAt(this.periods, now);
  }

  tick(now: number): void {
    this.noteChanges(now);
    const last = this.knowledge.lastContact;
    // before the first contact only its doses show a silence
    if (last === undefined) return;
    if (this.open && last > this.open.since) {
      this.backAt.set(this.open.alert, last);
      this.held.end(this.open.alert, { at: now, event: 'resolved' }, last);
      this.open = undefined;
    }
    if (this.open || this.isHeld(now)) return;
    const ended = this.periodsAt(now).filter(({ to }) => to <= now);
    const since = Math.max(last, ...ended.map(({ to }) => to));
    if (now - since >= SILENCE && coveredTime(this.service.accepting, since, now) >= SILENCE) {
      const alert = this.held.raise(this.alertAt(now, last), now);
      this.backAt.delete(alert);
      this.open = { alert, since: last };
    }
  }

  /** When a period is changed in a silence that it holds, the silence begins at some time before (PERIOD-4). */
  private noteChanges(now: number): void {
    const last = this.knowledge.lastContact ?? now;
    for (const { orderedAt, changedAt = Infinity, from, to } of this.periods) {
      const end = Math.min(changedAt, to);
      const held = Math.max(orderedAt, from);
      if (changedAt < to && held < end && end <= now && now < end + 3 * SILENCE && last < end)
        this.unclear.push(`a period is changed in a silence, ${new Date(changedAt).toISOString()}`);
    }
  }

  /** @param last undefined if there was never a contact */
  private alertAt(now: number, last?: number): ExpectedAlert {
    return {
      bottle: this.bottle,
      kind: 'bottle_silent',
      raisedAt: now,
      raisedBy: now,
      ends: [],
      flapping: false,
      clear: [],
      ...(last !== undefined && {
        facts: { times: { last_heard_at: last }, numbers: { silent_after_ms: SILENCE } },
      }),
    };
  }
}
