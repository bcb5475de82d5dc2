import {
  type BottleState as DomainBottleState,
  CAUSE_FIELDS,
  CLAIM_FIELDS,
  type ClaimField,
  DEADLINE_FIELDS,
  DEADLINES,
  type PhaseField,
} from '#domain';
import { Schema, type Types } from 'mongoose';
import type { Claim } from '../database/claim.js';

/** A bottle's state: the domain's (see there for each field), and the claims of the notifiers. */
export interface BottleState extends DomainBottleState, Claims {
  _id: Types.ObjectId;
}

/** The same as it is stored: markers hold the phases. */
export type StoredBottleState = Omit<BottleState, PhaseField> & PhaseMarkers;

/** The fields of a stored state that hold phases, and nothing else. */
export interface PhaseMarkers {
  silent?: true;
  open_alerted?: true;
  open_unchanged?: true;
  dose_waiting?: true;
  unheard?: true;
}

type Claims = { [field in ClaimField]?: Claim };

/** The name under which the model is registered. */
export const BOTTLE_STATE = 'BottleState';

export const BottleStateSchema = new Schema<StoredBottleState>(
  {
    user_id: { type: String, required: true },
    medication: { type: String, required: true },
    life: String,
    quiet: String,
    last_heard_at: Date,
    first_heard_at: Date,
    silent: Boolean,
    silent_since: Date,
    last_action: Object,
    open: Boolean,
    open_alerted: Boolean,
    open_alerted_for: Date,
    open_unchanged: Boolean,
    open_inhibited: Boolean,
    next_dose_at: Date,
    battery_percent: Number,
    unjudged_removals: { type: [Object], default: undefined },
    attested_slots: { type: [Date], default: undefined },
    schedule_changed_at: Date,
    silence_counts_from: Date,
    judged_until: Date,
    judge_again_from: Date,
    plan_report: Schema.Types.ObjectId,
    dose_waiting: Boolean,
    unheard: Boolean,
    late: Boolean,
    low_supply: Object,
    vitals: Object,
    bad_clock: Object,
    set_aside: Object,
    report_problems: { type: [Object], default: undefined },
  },
  { collection: 'bottle_states', versionKey: false, autoIndex: false, autoCreate: false },
);

for (const field of [...DEADLINE_FIELDS, ...CAUSE_FIELDS]) BottleStateSchema.add({ [field]: Date });
for (const field of CLAIM_FIELDS) BottleStateSchema.add({ [field]: Object });

// The checks: who is overdue. Partial, so that they hold armed bottles only.
for (const [name, { deadline }] of Object.entries(DEADLINES))
  BottleStateSchema.index(
    { [deadline]: 1 },
    { name: `overdue_${name}`, partialFilterExpression: { [deadline]: { $exists: true } } },
  );
// Bottles whose silence has ended: silent_at is armed again.
BottleStateSchema.index(
  { silent: 1, silent_at: 1, _id: 1 },
  { name: 'silent', partialFilterExpression: { silent: true } },
);
// Claims, orphaned ones included.
BottleStateSchema.index(
  { 'silent_claim.until': 1 },
  { name: 'silent_claimed', partialFilterExpression: { 'silent_claim.until': { $exists: true } } },
);
BottleStateSchema.index(
  { 'open_claim.until': 1 },
  { name: 'open_claimed', partialFilterExpression: { 'open_claim.until': { $exists: true } } },
);
// Bottles with an open alert `bottle_open` and a newer action.
BottleStateSchema.index(
  { open_alerted: 1, open_unchanged: 1 },
  { name: 'open_alerted', partialFilterExpression: { open_alerted: true } },
);
// Bottles whose judgement waited for a contact that has come.
BottleStateSchema.index(
  { dose_waiting: 1, unheard: 1 },
  { name: 'dose_waiting', partialFilterExpression: { dose_waiting: true } },
);
// The staff's lists by status, and how many bottles have it. Each status is a few points of this index, each in the
// order of ids, so that a page reads what it shows. A bottle that reports regularly changes none of them: most
// bottles are opened at the same hour, so which are open is in an index of its own, of those alone.
BottleStateSchema.index({ quiet: 1, late: 1, _id: 1 }, { name: 'by_condition' });
BottleStateSchema.index(
  { open: 1, quiet: 1, late: 1, _id: 1, medication: 1 },
  { name: 'open_bottles', partialFilterExpression: { open: true } },
);
// Silent bottles by how long they have been. Partial: the heartbeat of a bottle that is not silent leaves it alone.
BottleStateSchema.index(
  { last_heard_at: 1, _id: 1 },
  { name: 'silent_by_last_seen', partialFilterExpression: { quiet: 'silent' } },
);
// Bottles by their next dose; and those whose next dose has passed.
BottleStateSchema.index(
  { next_dose_at: 1, _id: 1 },
  { name: 'by_next_dose', partialFilterExpression: { next_dose_at: { $exists: true } } },
);
// Bottles by their battery. Heartbeats do not write it: the reconcile does, once an hour.
BottleStateSchema.index(
  { battery_percent: 1, _id: 1 },
  { name: 'by_battery', partialFilterExpression: { battery_percent: { $exists: true } } },
);
// The same as by_condition for one medication.
BottleStateSchema.index(
  { medication: 1, quiet: 1, late: 1, _id: 1 },
  { name: 'by_medication_and_condition' },
);
// The bottles in use in the order of ids, those in a cupboard, and those that will not come back.
BottleStateSchema.index({ life: 1, _id: 1 }, { name: 'by_life' });
// Those that are not in use and open, of which no count of bottles knows.
BottleStateSchema.index(
  { life: 1, open: 1 },
  { name: 'not_in_use', partialFilterExpression: { life: { $exists: true } } },
);
// The staff's list by owner, and the fleet in the order of owners.
BottleStateSchema.index({ user_id: 1, _id: 1 }, { name: 'by_user' });
