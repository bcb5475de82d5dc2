import { ALERT_KINDS, ALERT_STATES, type Alert as DomainAlert, type AlertKind } from '#domain';
import { Schema, Types } from 'mongoose';

/** An alert: the domain's (see there for each field), with the ids of the database. */
export type Alert<K extends AlertKind = AlertKind> = DomainAlert<K> & {
  _id: Types.ObjectId;
  bottle_id: Types.ObjectId;
};

/** An alert as it is stored: nobody has looked yet whether its evidence is what its kind has. */
export interface AlertRecord extends Omit<Alert, 'evidence'> {
  evidence: unknown;
}

/** The name under which the model is registered. */
export const ALERT = 'Alert';

/** Stands for the fleet where an alert names its bottle: `fleet_incident` and `coverage_gap` are about no single one. */
export const FLEET_ID = new Types.ObjectId('000000000000000000000000');
export const FLEET = { _id: FLEET_ID, user_id: 'fleet', medication: '' } as const;

export const AlertSchema = new Schema<AlertRecord>(
  {
    bottle_id: { type: Schema.Types.ObjectId, required: true },
    user_id: { type: String, required: true },
    medication: { type: String, required: true },
    kind: { type: String, required: true, enum: ALERT_KINDS },
    subject: { type: String, default: '' },
    state: { type: String, required: true, enum: ALERT_STATES },
    open: Boolean,
    deadline: { type: Date, required: true },
    raised_at: { type: Date, required: true },
    ended_at: Date,
    evidence: { type: Object, required: true },
    history: { type: [Object], default: [] },
    suppressed: { type: [Object], default: undefined },
    traceparent: String,
    escalation: { type: [Object], default: [] },
    next_step_at: Date,
    stepped_until: Date,
    doses_added: { type: [Object], default: undefined },
    closing: Object,
    closed_at: Date,
    end_owed: String,
    flapping: Boolean,
    cleared_at: Date,
    clears_at: Date,
    returned_for: Date,
    snoozed_until: Date,
    assigned_to: Object,
    decision: Object,
    dismissed: Boolean,
  },
  { collection: 'alerts', versionKey: false, autoIndex: false, autoCreate: false, minimize: false },
);

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
// How many somebody takes care of, counted on the index alone.
AlertSchema.index(
  { state: 1, 'assigned_to.id': 1, kind: 1, snoozed_until: 1, raised_at: 1 },
  { name: 'by_state_and_assignee', partialFilterExpression: { 'assigned_to.id': { $exists: true } } },
);
// What one member of staff takes care of, longest waiting first.
AlertSchema.index(
  { 'assigned_to.id': 1, kind: 1, raised_at: 1, _id: 1 },
  { name: 'by_assignee', partialFilterExpression: { open: true } },
);
