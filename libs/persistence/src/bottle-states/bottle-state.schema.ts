import type { LowSupplyState } from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { ActionName } from '../bottle-actions/bottle-action.schema.js';
import type { Claim } from '../database/claim.js';

/** The newest action by event time: decides open or closed, and the pills left. */
export interface LastActionState {
  id: Types.ObjectId;
  action: ActionName;
  time: Date;
  received_at: Date;
  mass_of_contents: number;
  number_of_pills: number;
}

/** What the bottle last said of itself in a heartbeat. */
export interface Vitals {
  id: Types.ObjectId;
  at: Date;
  battery_percent?: number;
  rssi_dbm?: number;
  mass_of_contents?: number;
  number_of_pills?: number;
}

/**
 * What is true of a bottle now, and its armed deadlines (design: a deadline is the next moment at which
 * something would be wrong). device-api arms; the notifier disarms what it has acted on.
 *
 * Three markers work the other way round: the notifier sets them and the bottle's next word takes them
 * away (`quiet`, `unheard`, `open_unchanged`). That keeps the hot update one `updateMany` for a whole
 * group, and lets the notifier find by index who has spoken.
 */
@Schema({ collection: 'bottle_states', versionKey: false, autoIndex: false, autoCreate: false })
export class BottleState {
  /** The bottle's id. */
  _id: Types.ObjectId;

  /** Copied from the registry, for lists. */
  @Prop({ type: String, required: true })
  user_id: string;

  /** Copied from the registry, for lists. */
  @Prop({ type: String, required: true })
  medication: string;

  /** There is no word of it now: not since it was registered, or not since `bottle_silent` was raised. */
  @Prop({ type: String })
  quiet?: 'never_heard' | 'silent';

  /** Receive time of the last report of any kind. */
  @Prop({ type: Date })
  last_heard_at?: Date;

  /** Armed: when the bottle will have been silent for too long. Absent once acted on. */
  @Prop({ type: Date })
  silent_at?: Date;

  /** The alert `bottle_silent` stands; with `silent_at` present, the bottle has spoken since. */
  @Prop({ type: Boolean })
  silent?: true;

  /** `last_heard_at` as it was when `bottle_silent` was raised: the alert's cause. */
  @Prop({ type: Date })
  silent_since?: Date;

  @Prop({ type: Object })
  last_action?: LastActionState;

  /** True while the last action is `opened`. */
  @Prop({ type: Boolean })
  open?: true;

  /** Armed: when the bottle will have stood open for too long. Absent while closed. */
  @Prop({ type: Date })
  open_overdue_at?: Date;

  /** The alert `bottle_open` stands. */
  @Prop({ type: Boolean })
  open_alerted?: true;

  /** Time of the opening that `bottle_open` was raised for. */
  @Prop({ type: Date })
  open_alerted_for?: Date;

  /** Set with `open_alerted`; the next newer action removes it. */
  @Prop({ type: Boolean })
  open_unchanged?: true;

  /** `bottle_open` was owed while the bottle was silent: looked at again when it speaks. */
  @Prop({ type: Boolean })
  open_inhibited?: true;

  /** Armed: when a dose has to be looked at next. */
  @Prop({ type: Date })
  dose_due_at?: Date;

  /** Removals that no judgement has seen yet. A set, so that a repeated report adds nothing. */
  @Prop({ type: [Object], default: undefined })
  unjudged_removals?: { id: Types.ObjectId; time: Date }[];

  /** The schedule or its pauses changed and no judgement has seen it yet. */
  @Prop({ type: Date })
  schedule_changed_at?: Date;

  /** Slots before this instant have their outcome. */
  @Prop({ type: Date })
  judged_until?: Date;

  /** A dose cannot be judged before the bottle speaks. */
  @Prop({ type: Boolean })
  dose_waiting?: true;

  /** Set with `dose_waiting`; the next contact removes it. */
  @Prop({ type: Boolean })
  unheard?: true;

  /** At least one alert `missed_dose` stands. */
  @Prop({ type: Boolean })
  late?: true;

  /** Whether the pills run low, and the fewest seen since. */
  @Prop({ type: Object })
  low_supply?: LowSupplyState;

  @Prop({ type: Object })
  vitals?: Vitals;

  /** The device's clock was off by this much (device minus server) when last corrected. */
  @Prop({ type: Object })
  bad_clock?: { offset_ms: number; at: Date };

  @Prop({ type: Object })
  silent_claim?: Claim;

  @Prop({ type: Object })
  open_claim?: Claim;

  @Prop({ type: Object })
  dose_claim?: Claim;

  /** A check could not deal with this bottle: its deadline is disarmed and staff can see why. */
  @Prop({ type: Object })
  set_aside?: { check: string; error: string; at: Date };
}

export const BottleStateSchema = SchemaFactory.createForClass(BottleState);

// The three checks: who is overdue. Partial, so that they hold armed bottles only.
BottleStateSchema.index(
  { silent_at: 1 },
  { name: 'overdue_silent', partialFilterExpression: { silent_at: { $exists: true } } },
);
BottleStateSchema.index(
  { open_overdue_at: 1 },
  { name: 'overdue_open', partialFilterExpression: { open_overdue_at: { $exists: true } } },
);
BottleStateSchema.index(
  { dose_due_at: 1 },
  { name: 'overdue_dose', partialFilterExpression: { dose_due_at: { $exists: true } } },
);
// Whose silence has ended: silent_at is there again.
BottleStateSchema.index(
  { silent: 1, silent_at: 1, _id: 1 },
  { name: 'silent', partialFilterExpression: { silent: true } },
);
// What notifiers have in hand, or had when they were killed.
BottleStateSchema.index(
  { 'silent_claim.until': 1 },
  { name: 'silent_claimed', partialFilterExpression: { 'silent_claim.until': { $exists: true } } },
);
BottleStateSchema.index(
  { 'open_claim.until': 1 },
  { name: 'open_claimed', partialFilterExpression: { 'open_claim.until': { $exists: true } } },
);
// Whose open alert was overtaken by a newer action.
BottleStateSchema.index(
  { open_alerted: 1, open_unchanged: 1 },
  { name: 'open_alerted', partialFilterExpression: { open_alerted: true } },
);
// Whose judgement waited for a contact that has come.
BottleStateSchema.index(
  { dose_waiting: 1, unheard: 1 },
  { name: 'dose_waiting', partialFilterExpression: { dose_waiting: true } },
);
// The staff's lists by status, and how many bottles have it. Each status is a few points of this index, each in the
// order of ids, so that a page reads what it shows. A heartbeat changes none of these fields.
BottleStateSchema.index({ quiet: 1, late: 1, open: 1, _id: 1 }, { name: 'by_status' });
// The same for one medication.
BottleStateSchema.index(
  { medication: 1, quiet: 1, late: 1, open: 1, _id: 1 },
  { name: 'by_medication_and_status' },
);
// The staff's list by owner.
BottleStateSchema.index({ user_id: 1, _id: 1 }, { name: 'by_user' });
