import {
  ALERT_KINDS,
  type AlertKind,
  type CloseReason,
  type Closing,
  type EndEvent,
  type EscalationStep,
  type IncidentDecision,
} from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

export const ALERT_STATES = ['open', 'acknowledged', 'closed', 'resolved', 'retracted'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The states in which people are still notified, and staff can act. */
export const ACTIVE_STATES: readonly AlertState[] = ['open', 'acknowledged'];

/** Whether recipients can acknowledge an alert: that its dose was missed is a new fact, which only staff take over. */
export const canBeAcknowledged = ({ state }: Pick<Alert, 'state'>): boolean => ACTIVE_STATES.includes(state);

/** Stands for the fleet where an alert names its bottle: `fleet_incident` and `coverage_gap` are about no single one. */
export const FLEET_ID = new Types.ObjectId('000000000000000000000000');

/**
 * `cleared`: the condition cleared and may return; `returned`: it did. `confirmed`, `dismissed`: the staff's decision
 * about a fleet incident; `withdrawn`: they withdrew it.
 */
export const ALERT_EVENTS = [
  'raised',
  'escalated',
  'acknowledged',
  'confirmed',
  'dismissed',
  'withdrawn',
  'snoozed',
  'closed_by_staff',
  'cleared',
  'returned',
  'resolved',
  'retracted',
  'missed',
  'assigned',
  'unassigned',
  'noted',
] as const;

/** One step in an alert's life: who did what and when. */
export interface AlertEvent {
  event: (typeof ALERT_EVENTS)[number];
  at: Date;
  /** `notifier`, or the staff member's or API key's name. */
  by: string;
  note?: string;
  /** Of `assigned`: the name of whom. */
  to?: string;
  /** Of `closed_by_staff`. */
  reason?: CloseReason;
}

/** What the rule saw and with which numbers it decided. Instants and milliseconds, as JSON values. */
export interface Evidence {
  rule: string;
  [input: string]: unknown;
}

/**
 * One thing that is or was wrong with one bottle. `_id` is made of bottle, kind and cause, so the same
 * condition is never recorded twice, whichever notifier finds it again after a crash.
 */
@Schema({ collection: 'alerts', versionKey: false, autoIndex: false, autoCreate: false, minimize: false })
export class Alert {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  @Prop({ type: String, required: true })
  user_id: string;

  @Prop({ type: String, required: true })
  medication: string;

  @Prop({ type: String, required: true, enum: ALERT_KINDS })
  kind: AlertKind;

  /** What of the bottle is concerned: the dose's slot for `missed_dose`; the part of the service for `coverage_gap`; empty for the others. */
  @Prop({ type: String, default: '' })
  subject: string;

  @Prop({ type: String, required: true, enum: ALERT_STATES })
  state: AlertState;

  /** True until the condition has ended; then absent. A closed alert keeps it while its condition lasts. */
  @Prop({ type: Boolean })
  open?: true;

  /** The deadline that passed. */
  @Prop({ type: Date, required: true })
  deadline: Date;

  @Prop({ type: Date, required: true })
  raised_at: Date;

  @Prop({ type: Date })
  ended_at?: Date;

  @Prop({ type: Object, required: true })
  evidence: Evidence;

  @Prop({ type: [Object], default: [] })
  history: AlertEvent[];

  /** What was not raised because of this alert, and why. */
  @Prop({ type: [Object], default: undefined })
  suppressed?: { kind: AlertKind; reason: string; at: Date }[];

  /** Its place in a trace (W3C Trace Context), if it was traced: its notifications continue it. */
  @Prop({ type: String })
  traceparent?: string;

  /** The escalation as it was when the alert was raised. */
  @Prop({ type: [Object], default: [] })
  escalation: EscalationStep[];

  /** When the next escalation step is due; also after a dose was missed. Absent when nobody is notified any more. */
  @Prop({ type: Date })
  next_step_at?: Date;

  /** All steps due up to this moment are queued. */
  @Prop({ type: Date })
  stepped_until?: Date;

  /** Of `bottle_silent`: the doses that were added to `evidence.unconfirmed_doses` after it was raised, and when. */
  @Prop({ type: [Object], default: undefined })
  doses_added?: { dose: Date; at: Date }[];

  /** How staff closed the alert; stays when its condition ends later. */
  @Prop({ type: Object })
  closing?: Closing;

  /** Present with `closing`. */
  @Prop({ type: Date })
  closed_at?: Date;

  /** The alert has ended and its recipients are owed this notification; absent once it is queued. */
  @Prop({ type: String })
  end_owed?: EndEvent;

  /** The condition flaps: its end waits for a hold-down. */
  @Prop({ type: Boolean })
  flapping?: true;

  /** When the condition cleared; absent while it lasts, and in alerts that end at once. */
  @Prop({ type: Date })
  cleared_at?: Date;

  /** Set with `cleared_at`: when the alert ends, unless the condition returns. */
  @Prop({ type: Date })
  clears_at?: Date;

  /** The cause of the last return. */
  @Prop({ type: Date })
  returned_for?: Date;

  /** Nothing is sent before this. Absent when it is not snoozed. */
  @Prop({ type: Date })
  snoozed_until?: Date;

  /** Who takes care of it. Absent while nobody does. */
  @Prop({ type: Object })
  assigned_to?: { id: string; name: string };

  /** What staff decided about this fleet incident. Absent while its notifications wait for a decision. */
  @Prop({ type: Object })
  decision?: IncidentDecision;

  /** Earlier versions recorded the decision `dismissed` so. */
  @Prop({ type: Boolean })
  dismissed?: true;
}

export const AlertSchema = SchemaFactory.createForClass(Alert);

// At most one open alert for a bottle, kind and subject; and a bottle's open alerts.
AlertSchema.index(
  { bottle_id: 1, kind: 1, subject: 1 },
  { name: 'one_open', unique: true, partialFilterExpression: { open: true } },
);
// Which ends are owed.
AlertSchema.index(
  { end_owed: 1 },
  { name: 'owed_ends', partialFilterExpression: { end_owed: { $exists: true } } },
);
// Whose escalation step is due.
AlertSchema.index(
  { next_step_at: 1 },
  { name: 'due_steps', partialFilterExpression: { next_step_at: { $exists: true } } },
);
// Whose hold-down has passed.
AlertSchema.index(
  { clears_at: 1 },
  { name: 'clearing', partialFilterExpression: { clears_at: { $exists: true } } },
);
// A bottle's alerts, newest first.
AlertSchema.index({ bottle_id: 1, raised_at: -1, _id: -1 }, { name: 'by_bottle_and_time' });
// A bottle's alerts by when they ended, newest first: for its timeline.
AlertSchema.index(
  { bottle_id: 1, ended_at: -1, _id: -1 },
  { name: 'by_bottle_and_end', partialFilterExpression: { ended_at: { $exists: true } } },
);
// A bottle's alerts by when staff closed them, newest first: for its timeline.
AlertSchema.index(
  { bottle_id: 1, closed_at: -1, _id: -1 },
  { name: 'by_bottle_and_closing', partialFilterExpression: { closed_at: { $exists: true } } },
);
// The staff's lists: by state, and by state and kind, newest first.
AlertSchema.index({ state: 1, raised_at: -1, _id: -1 }, { name: 'by_state' });
AlertSchema.index({ state: 1, kind: 1, raised_at: -1, _id: -1 }, { name: 'by_state_and_kind' });
AlertSchema.index({ kind: 1, raised_at: -1, _id: -1 }, { name: 'by_kind' });
AlertSchema.index({ raised_at: -1, _id: -1 }, { name: 'by_time' });
// What needs attention: open, not snoozed, longest waiting first.
AlertSchema.index(
  { kind: 1, snoozed_until: 1, raised_at: 1, _id: 1 },
  { name: 'needs_person', partialFilterExpression: { state: 'open' } },
);
// Snoozed alerts, earliest end first.
AlertSchema.index(
  { kind: 1, snoozed_until: 1, _id: 1 },
  { name: 'snoozed', partialFilterExpression: { snoozed_until: { $exists: true } } },
);
// What one member of staff takes care of, longest waiting first.
AlertSchema.index(
  { 'assigned_to.id': 1, kind: 1, raised_at: 1, _id: 1 },
  { name: 'by_assignee', partialFilterExpression: { open: true } },
);
