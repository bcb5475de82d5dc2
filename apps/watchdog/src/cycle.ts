import { CANARY_CYCLE_MS, CANARY_SCHEDULE, type Message, parseDuration } from '#domain';

/** The notifications of a cycle. Each is a leg, and its mail is another. */
type NotificationLeg = 'dose_late' | 'dose_missed' | 'open_raised' | 'open_resolved';

/** What has to happen in a cycle, in this order or at the same time. */
export const LEGS = [
  'heartbeat_stored',
  'staff_served',
  'opening_stored',
  'dose_late',
  'dose_late_mailed',
  'dose_missed',
  'dose_missed_mailed',
  'open_raised',
  'open_raised_mailed',
  'closing_stored',
  'open_resolved',
  'open_resolved_mailed',
] as const;
export type Leg = (typeof LEGS)[number];

/** What has to come first. */
const PREDECESSORS: Partial<Record<Leg, Leg>> = {
  dose_missed: 'dose_late',
  dose_missed_mailed: 'dose_late_mailed',
  open_resolved: 'open_raised',
  open_resolved_mailed: 'open_raised_mailed',
};

/** A notification, as the headers of its mail name it. */
export interface MailedNotification {
  alert_id: string;
  event: string;
}

/** A leg that takes longer fails its cycle. Milliseconds. */
export const LEG_LIMIT_MS = 3 * 60_000;
/** By how much the watchdog's clock may differ from that of the services. Milliseconds. */
const SKEW_MS = 60_000;
const AFTER_DEADLINE_MS = 1_000;

const LATE_AFTER_MS = parseDuration(CANARY_SCHEDULE.late_after)!;
const MISSED_AFTER_MS = parseDuration(CANARY_SCHEDULE.missed_after)!;

/** The start of the first cycle at or after an instant. */
export function nextCycleAt(now: Date): Date {
  return new Date(Math.ceil(now.getTime() / CANARY_CYCLE_MS) * CANARY_CYCLE_MS);
}

interface Due {
  dueAt: Date;
  doneAt?: Date;
}

/**
 * One cycle of a canary: what is due when, what has come, and what is wrong. It begins at a dose that nobody takes, and
 * with an opening that is left open.
 */
export class Cycle {
  private readonly legs = new Map<Leg, Due>();
  private fault: string | undefined;
  /** The alert that this cycle's opening raised. */
  private openAlert: { alert_id: string; deadline: string } | undefined;
  /** The notifications of this cycle that have come by webhook. */
  private readonly received = new Map<string, NotificationLeg>();
  /** When the mail of a notification came, of this or another cycle. */
  private readonly mailedAt = new Map<string, Date>();

  /**
   * @param openAfterMs `OPEN_BOTTLE_AFTER`
   * @param hasMail whether notifications also come by mail
   */
  constructor(
    readonly began: Date,
    private readonly openAfterMs: number,
    private readonly hasMail: boolean,
  ) {
    for (const leg of ['heartbeat_stored', 'staff_served', 'opening_stored'] as const)
      this.expect(leg, began);
    this.expectNotification('dose_late', new Date(began.getTime() + LATE_AFTER_MS));
    this.expectNotification('dose_missed', new Date(began.getTime() + MISSED_AFTER_MS));
  }

  isDone(leg: Leg): boolean {
    return this.legs.get(leg)?.doneAt !== undefined;
  }

  /** Whether it is time for a request that has not succeeded yet. */
  isDue(leg: Leg, now: Date): boolean {
    const { dueAt, doneAt } = this.legs.get(leg) ?? {};
    return dueAt !== undefined && doneAt === undefined && dueAt <= now;
  }

  get isComplete(): boolean {
    return LEGS.every((leg) => this.isDone(leg) || (!this.hasMail && leg.endsWith('_mailed')));
  }

  /** How long each leg that has come took after it was due. Milliseconds. */
  get durations(): Partial<Record<Leg, number>> {
    const done = [...this.legs].flatMap(([leg, { dueAt, doneAt }]) =>
      doneAt ? [[leg, Math.max(0, doneAt.getTime() - dueAt.getTime())]] : [],
    );
    return Object.fromEntries(done) as Partial<Record<Leg, number>>;
  }

  /** Notes that a request of the canary was answered. @param at when; for reports also when it happened */
  succeed(leg: Leg, at: Date): void {
    this.done(leg, at);
    if (leg === 'opening_stored')
      this.expectNotification('open_raised', new Date(at.getTime() + this.openAfterMs));
    if (leg === 'closing_stored') this.expectNotification('open_resolved', at);
  }

  /** Takes a notification of the canary; those of earlier cycles, and repeats, change nothing. */
  receive({ data }: Message, now: Date): void {
    const { kind, event, subject, deadline, alert_id } = data;
    if (kind === 'missed_dose' && subject === this.began.toISOString()) {
      if (event === 'raised') this.takeNotification('dose_late', data, now);
      if (event === 'missed') this.takeNotification('dose_missed', data, now);
    }
    if (kind !== 'bottle_open') return;
    const raised = this.legs.get('open_raised');
    if (event === 'raised' && raised && isNear(new Date(deadline), raised.dueAt)) {
      this.openAlert = data;
      this.takeNotification('open_raised', data, now);
    }
    if (event === 'resolved' && alert_id === this.openAlert?.alert_id)
      this.takeNotification('open_resolved', data, now);
  }

  /** Takes the notifications of a mail. Their webhooks, which may come later, say which are of this cycle. */
  receiveMail(notifications: readonly MailedNotification[], now: Date): void {
    for (const key of notifications.map(keyOf)) if (!this.mailedAt.has(key)) this.mailedAt.set(key, now);
    this.matchMails(now);
  }

  /** Why the cycle has failed; undefined while it may still succeed. */
  failure(now: Date): string | undefined {
    if (this.fault !== undefined) return this.fault;
    const overdue = LEGS.find((leg) => {
      const { dueAt, doneAt } = this.legs.get(leg) ?? {};
      return dueAt && !doneAt && now.getTime() - dueAt.getTime() > LEG_LIMIT_MS;
    });
    return overdue && `${overdue} has not come within ${LEG_LIMIT_MS / 60_000} minutes`;
  }

  private expect(leg: Leg, dueAt: Date): void {
    if (!this.legs.has(leg)) this.legs.set(leg, { dueAt });
  }

  private expectNotification(leg: NotificationLeg, dueAt: Date): void {
    this.expect(leg, dueAt);
    if (this.hasMail) this.expect(`${leg}_mailed`, dueAt);
  }

  private takeNotification(leg: NotificationLeg, notification: MailedNotification, now: Date): void {
    this.arrive(leg, now);
    this.received.set(keyOf(notification), leg);
    this.matchMails(now);
  }

  private matchMails(now: Date): void {
    for (const [key, leg] of this.received) {
      const at = this.mailedAt.get(key);
      if (at) this.arrive(`${leg}_mailed`, at);
    }
    if (!this.isDone('open_raised') || (this.hasMail && !this.isDone('open_raised_mailed'))) return;
    // a closing at or before the deadline would retract the alert; the mail of a later one cannot overtake this one
    const closable = Date.parse(this.openAlert!.deadline) + AFTER_DEADLINE_MS;
    this.expect('closing_stored', new Date(Math.max(now.getTime(), closable)));
  }

  private done(leg: Leg, at: Date): void {
    const due = this.legs.get(leg);
    if (due) due.doneAt ??= at;
  }

  private arrive(leg: Leg, now: Date): void {
    const predecessor = PREDECESSORS[leg];
    const dueAt = this.legs.get(leg)?.dueAt;
    if (!dueAt || now.getTime() < dueAt.getTime() - SKEW_MS) this.fault ??= `${leg} came too early`;
    if (predecessor && !this.isDone(predecessor)) this.fault ??= `${leg} came before ${predecessor}`;
    this.done(leg, now);
  }
}

const isNear = (one: Date, other: Date): boolean => Math.abs(one.getTime() - other.getTime()) <= SKEW_MS;

const keyOf = ({ alert_id, event }: MailedNotification): string => `${alert_id} ${event}`;
