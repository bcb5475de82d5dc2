import type { UpdateQuery, Types } from 'mongoose';
import type { BottleAction } from '../bottle-actions/bottle-action.schema.js';
import type { BottleState, Vitals } from './bottle-state.schema.js';

/** How long after an event, or after its late arrival, a deadline falls. Milliseconds. */
export interface Thresholds {
  silentAfter: number;
  openAfter: number;
  /** What is left for the rest of a backlog when an opening arrives late. */
  backlogGrace: number;
}

/** An update of one bottle's state, for a bulk write. */
export interface StateUpdate {
  updateOne: {
    filter: { _id: Types.ObjectId; [field: string]: unknown };
    update: UpdateQuery<BottleState>;
  };
}

/** We heard from the bottle: arms `silent_at` anew and takes the markers away. The same for a whole group. */
export function contactUpdate(receivedAt: Date, silentAfter: number): UpdateQuery<BottleState> {
  return {
    $max: { last_heard_at: receivedAt, silent_at: new Date(receivedAt.getTime() + silentAfter) },
    $unset: { quiet: '', unheard: '' },
  };
}

/**
 * What one action changes of the state, as updates that may be applied in any order and any number of times:
 * the present follows the newest event only, and a removal is put on the list of those to be judged.
 */
export function actionUpdates(action: BottleAction, thresholds: Thresholds): StateUpdate[] {
  const updates: StateUpdate[] = [
    { updateOne: { filter: newerThanKnown(action), update: presentUpdate(action, thresholds) } },
  ];
  if (action.action === 'closed') {
    const removed = (action.pills_taken ?? 0) > 0;
    updates.push({
      updateOne: {
        filter: { _id: action.bottle_id },
        update: {
          // a closing without a removal may be a refill: that is looked at, but not judged as a dose
          $min: { dose_due_at: action.received_at },
          ...(removed ? { $addToSet: { unjudged_removals: { id: action._id, time: action.time } } } : {}),
        },
      },
    });
  }
  return updates;
}

/**
 * Matches the state only if `action` is newer than the last one known. Ties, for clocks that count whole
 * seconds: a closing comes after an opening; then the greater id.
 */
function newerThanKnown(action: BottleAction): StateUpdate['updateOne']['filter'] {
  const sameMoment = { 'last_action.time': action.time };
  return {
    _id: action.bottle_id,
    $or: [
      { last_action: { $exists: false } },
      { 'last_action.time': { $lt: action.time } },
      { ...sameMoment, 'last_action.action': action.action, 'last_action.id': { $lt: action._id } },
      ...(action.action === 'closed' ? [{ ...sameMoment, 'last_action.action': 'opened' }] : []),
    ],
  };
}

function presentUpdate(action: BottleAction, thresholds: Thresholds): UpdateQuery<BottleState> {
  const last_action = {
    id: action._id,
    action: action.action,
    time: action.time,
    received_at: action.received_at,
    mass_of_contents: action.mass_of_contents,
    number_of_pills: action.number_of_pills,
  };
  const changed = { open_unchanged: '', open_inhibited: '' };
  return action.action === 'opened'
    ? {
        $set: { last_action, open: true, open_overdue_at: openOverdueAt(action, thresholds) },
        $unset: changed,
      }
    : { $set: { last_action }, $unset: { ...changed, open: '', open_overdue_at: '' } };
}

/**
 * When an opening has lasted too long. One that arrives later than that belongs to a backlog whose closing
 * may be on its way: it is given a moment.
 */
function openOverdueAt(action: BottleAction, { openAfter, backlogGrace }: Thresholds): Date {
  const due = action.time.getTime() + openAfter;
  const received = action.received_at.getTime();
  return new Date(received < due ? due : received + backlogGrace);
}

/**
 * We heard from the bottle and it said something of itself. Of several the latest stands, and of several at one
 * moment the greatest id, whatever their order: `$max` compares documents field by field.
 */
export function vitalsUpdate(bottleId: Types.ObjectId, vitals: Vitals, silentAfter: number): StateUpdate {
  const { $max, $unset } = contactUpdate(vitals.at, silentAfter);
  const { at, id, ...said } = vitals;
  return {
    updateOne: {
      filter: { _id: bottleId },
      update: { $max: { ...$max, vitals: { at, id, ...said } }, $unset },
    },
  };
}

/** The device's clock was off; of several findings the latest stands. */
export function badClockUpdate(bottleId: Types.ObjectId, offsetMs: number, at: Date): StateUpdate {
  return {
    updateOne: {
      filter: {
        _id: bottleId,
        $or: [
          { bad_clock: { $exists: false } },
          { 'bad_clock.at': { $lt: at } },
          { 'bad_clock.at': at, 'bad_clock.offset_ms': { $lt: offsetMs } },
        ],
      },
      update: { $set: { bad_clock: { offset_ms: offsetMs, at } } },
    },
  };
}
