import {
  ACTIVE_STATES,
  type Alert as DomainAlert,
  type AlertEnd,
  type AlertEvent,
  type AlertKind,
  alertKindFacts,
  type AlertState,
  type AlertToEnd,
  type Closing,
  ESCALATION_TARGETS,
  type IncidentDecision,
  notificationEventFacts,
  type PartTaken,
  recipientOf,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, QueryFilter, Types } from 'mongoose';
import { ofOwner, type OwnersPart } from '../database/owners-part.js';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { toObjectId } from '../database/object-id.js';
import { insertEach } from '../database/write-each.js';
import { ALERT, type Alert, type AlertRecord, FLEET_ID } from './alert.schema.js';
import { asEnded, readAll, readOne } from './read-alert.js';

type UpdateFilter = mongo.UpdateFilter<mongo.Document>;

/** Fields that no ended alert has. */
const UNSET_AT_ANY_END = { open: '', snoozed_until: '', cleared_at: '', clears_at: '' };

/** Fields that an ended alert does not have, unless its escalation goes on. */
const UNSET_AT_END = { ...UNSET_AT_ANY_END, next_step_at: '' };

/** The update of an alert that is acknowledged. */
const ACKNOWLEDGED = {
  $set: { state: 'acknowledged' },
  $unset: { next_step_at: '', snoozed_until: '' },
};

/** An alert action as the history records it. */
export interface RecordedAction {
  by: string;
  at: Date;
  note?: string | undefined;
  /** The state in which they saw the alert; in any other it is left, because somebody else was first. */
  seen?: AlertState | undefined;
}

/** The life of alerts: raised, acted upon, ended, and found by their bottles. */
@Injectable()
export class AlertsRepository {
  constructor(@InjectModel(ALERT) private readonly alerts: Model<AlertRecord>) {}

  /**
   * Records alerts. One that is there already, by its id or because another of its kind is still open for
   * the bottle, is left as it is.
   *
   * @returns those that stand in the database under the id given, new or not.
   */
  async raise(alerts: Alert[]): Promise<Alert[]> {
    const failures = await insertEach(this.alerts.collection, alerts);
    if (failures.size === 0) return alerts;
    const refused = [...failures.keys()];
    const standing = await readAll(
      this.alerts
        .find({
          _id: { $in: refused.map(({ _id }) => _id) },
          bottle_id: { $in: refused.map((alert) => alert.bottle_id) },
        })
        .lean<AlertRecord[]>(),
    );
    return [...alerts.filter((alert) => !failures.has(alert)), ...standing];
  }

  /** Ends alerts that are open; one that is not stays as it is. */
  async end(endings: AlertToEnd[]): Promise<void> {
    if (endings.length === 0) return;
    await this.alerts.collection.bulkWrite(
      endings
        .flatMap(({ alert: { _id, bottle_id }, end }) =>
          endsOf({ _id: toObjectId(_id), bottle_id, open: true }, end),
        )
        .map((updateOne) => ({ updateOne })),
      { ordered: false },
    );
  }

  /** Acknowledges an open alert. Null when it is not open. */
  acknowledge(id: Types.ObjectId, action: RecordedAction): Promise<Alert | null> {
    return this.changeActive(id, { state: 'open' }, toEvent('acknowledged', action), ACKNOWLEDGED);
  }

  /** Stops the steps that are still to come of an alert that has ended. Null when there are none. */
  stopSteps(id: Types.ObjectId, action: RecordedAction): Promise<Alert | null> {
    return readOne(
      this.alerts
        .findOneAndUpdate(
          { _id: id, state: 'resolved', next_step_at: { $exists: true } },
          { $unset: { next_step_at: '' }, $push: { history: toEvent('acknowledged', action) } },
          { returnDocument: 'after' },
        )
        .lean<AlertRecord>(),
    );
  }

  /**
   * Records the staff's decision about a fleet incident, and that they take it over. Null when it is not an open or
   * acknowledged incident without a decision.
   */
  decide(id: Types.ObjectId, decision: IncidentDecision, action: RecordedAction): Promise<Alert | null> {
    const undecided: QueryFilter<AlertRecord> = { kind: 'fleet_incident', decision: null, dismissed: null };
    return this.changeActive(id, undecided, toEvent(decision.outcome, action), {
      ...ACKNOWLEDGED,
      $set: { ...ACKNOWLEDGED.$set, decision },
    });
  }

  /** Withdraws the decision: what is not sent yet waits again. Null when the incident has ended or has none. */
  withdrawDecision(id: Types.ObjectId, action: RecordedAction): Promise<Alert | null> {
    const decided: QueryFilter<AlertRecord> = {
      kind: 'fleet_incident',
      $or: [{ decision: { $ne: null } }, { dismissed: true }],
    };
    return this.changeActive(id, decided, toEvent('withdrawn', action), {
      $unset: { decision: '', dismissed: '' },
    });
  }

  /** The newest fleet incidents, whether they have ended or not. */
  findIncidents(limit: number): Promise<Alert<'fleet_incident'>[]> {
    return readAll<'fleet_incident'>(
      this.alerts
        .find({ bottle_id: FLEET_ID, kind: 'fleet_incident' })
        .hint('by_bottle_and_time')
        .sort({ raised_at: -1, _id: -1 })
        .limit(limit)
        .lean<AlertRecord[]>(),
    );
  }

  /** Sends nothing more about the alert before `until`; then the last step repeats. Null when it has ended. */
  snooze(id: Types.ObjectId, until: Date, action: RecordedAction): Promise<Alert | null> {
    const update = { $set: { state: 'open', snoozed_until: until, next_step_at: until } };
    return this.changeActive(id, {}, toEvent('snoozed', action), update, action.seen);
  }

  /**
   * Assigns an alert to a member of staff, or to nobody. Null when it is neither open nor acknowledged, or assigned to
   * somebody else than the person saw.
   *
   * @param seen the id of whom they saw; null for nobody
   */
  assign(
    id: Types.ObjectId,
    assigned_to: Alert['assigned_to'],
    action: RecordedAction,
    seen?: string | null,
  ): Promise<Alert | null> {
    return this.changeActive(
      id,
      seen === undefined ? {} : { 'assigned_to.id': seen },
      {
        ...toEvent(assigned_to ? 'assigned' : 'unassigned', action),
        ...(assigned_to && { to: assigned_to.name }),
      },
      assigned_to ? { $set: { assigned_to } } : { $unset: { assigned_to: '' } },
    );
  }

  /** Adds a note to an alert, whatever its state. Null if there is none. */
  note(id: Types.ObjectId, action: RecordedAction): Promise<Alert | null> {
    return readOne(
      this.alerts
        .findOneAndUpdate(
          { _id: id },
          { $push: { history: toEvent('noted', action) } },
          { returnDocument: 'after' },
        )
        .lean<AlertRecord>(),
    );
  }

  /**
   * Closes an alert for a person: nobody is reminded any more. Its condition is still followed, and its end is
   * recorded, unless the kind has none. Null when it has ended or is closed already.
   */
  close(
    { _id, kind }: Pick<Alert, '_id' | 'kind'>,
    closing: Closing,
    seen?: AlertState,
  ): Promise<Alert | null> {
    const { by, at, reason, note, notified } = closing;
    const { endsByStaff: forGood, aboutFleet } = alertKindFacts(kind);
    return this.changeActive(
      _id,
      // an incident that waits for a decision stays in sight
      aboutFleet ? { $or: [{ decision: { $ne: null } }, { dismissed: true }] } : {},
      { event: 'closed_by_staff', at, by, reason, ...(note === undefined ? {} : { note }) },
      {
        $set: {
          state: 'closed',
          closing,
          closed_at: at,
          ...(notified && { end_owed: 'closed_by_staff' }),
        },
        $unset: forGood ? UNSET_AT_END : { next_step_at: '', snoozed_until: '' },
      },
      seen,
    );
  }

  /**
   * Corrects the end of resolved alerts after late data, or by what people say. Leaves one whose evidence has changed since it was read, so
   * that nobody is notified twice.
   */
  async correctEnds(endings: AlertToEnd[]): Promise<void> {
    if (endings.length === 0) return;
    await this.alerts.collection.bulkWrite(
      endings.map(({ alert, end }) => ({
        updateOne: {
          filter: {
            _id: toObjectId(alert._id),
            bottle_id: toObjectId(alert.bottle_id),
            state: 'resolved',
            ...asEnded(alert),
          },
          update: endUpdate(end),
        },
      })),
      { ordered: false },
    );
  }

  /** Records what is taken of the doses of these alerts, while their conditions last. */
  async recordParts(
    parts: { alert: Pick<DomainAlert, '_id' | 'bottle_id'>; part: PartTaken }[],
  ): Promise<void> {
    if (parts.length === 0) return;
    await this.alerts.collection.bulkWrite(
      parts.map(({ alert: { _id, bottle_id }, part: { pills_taken, part_taken_at } }) => {
        const set = { 'evidence.pills_taken': pills_taken };
        const update = part_taken_at
          ? { $set: { ...set, 'evidence.part_taken_at': part_taken_at } }
          : { $set: set, $unset: { 'evidence.part_taken_at': '' } };
        return { updateOne: { filter: { _id: toObjectId(_id), bottle_id, open: true }, update } };
      }),
      { ordered: false },
    );
  }

  /** Adds doses that cannot be confirmed to the open `bottle_silent` of their bottles, each once. */
  async addUnconfirmedDoses(doses: { bottle_id: Types.ObjectId; dose: Date }[]): Promise<void> {
    if (doses.length === 0) return;
    await this.alerts.collection.bulkWrite(
      doses.map(({ bottle_id, dose }) => ({
        updateOne: {
          filter: { bottle_id, kind: 'bottle_silent', subject: '', open: true },
          update: { $addToSet: { 'evidence.unconfirmed_doses': dose } },
        },
      })),
      { ordered: false },
    );
  }

  /** Records on the bottle's open `bottle_silent` that it inhibits another alert. */
  async addSuppressed(
    bottleId: Types.ObjectId,
    suppressed: NonNullable<Alert['suppressed']>[number],
  ): Promise<void> {
    await this.alerts.updateOne(
      { bottle_id: bottleId, kind: 'bottle_silent', subject: '', open: true },
      { $push: { suppressed } },
    );
  }

  /** Changes an open or acknowledged alert. Null when it is neither, or in another state than the person saw. */
  private changeActive(
    id: Types.ObjectId,
    filter: QueryFilter<AlertRecord>,
    event: AlertEvent,
    update: Record<string, object>,
    seen?: AlertState,
  ): Promise<Alert | null> {
    const state = filter.state ?? seen ?? { $in: ACTIVE_STATES };
    return readOne(
      this.alerts
        .findOneAndUpdate(
          { ...filter, _id: id, open: true, state },
          { ...update, $push: { history: event } },
          { returnDocument: 'after' },
        )
        .lean<AlertRecord>(),
    );
  }

  findById(id: Types.ObjectId): Promise<Alert | null> {
    return readOne(this.alerts.findById(id).lean<AlertRecord>());
  }

  findByIds(ids: Types.ObjectId[]): Promise<Alert[]> {
    return readAll(this.alerts.find({ _id: { $in: ids } }).lean<AlertRecord[]>());
  }

  /** Those of these alerts that there are; all are of these bottles. */
  async findOfBottles(bottleIds: Types.ObjectId[], ids: Types.ObjectId[]): Promise<Alert[]> {
    if (ids.length === 0) return [];
    return readAll(
      this.alerts
        .find({ _id: { $in: ids }, bottle_id: { $in: bottleIds } })
        .hint('_id_')
        .lean<AlertRecord[]>(),
    );
  }

  /** The alerts of these bottles whose condition lasts, of one kind or of all: also those that staff closed. */
  findOpen<K extends AlertKind = AlertKind>(bottleIds: Types.ObjectId[], kind?: K): Promise<Alert<K>[]> {
    return readAll<K>(
      this.alerts
        .find({ bottle_id: { $in: bottleIds }, open: true, ...(kind ? { kind } : {}) })
        .lean<AlertRecord[]>(),
    );
  }

  /** How many alerts of each of these bottles are open or acknowledged, by the bottle's id; none is absent. */
  async countActiveOf(bottleIds: Types.ObjectId[]): Promise<Map<string, number>> {
    const found = await this.alerts
      .find({ bottle_id: { $in: bottleIds }, open: true }, { bottle_id: 1, state: 1 })
      .hint('one_open')
      .lean<Pick<Alert, 'bottle_id' | 'state'>[]>();
    const counts = new Map<string, number>();
    for (const { bottle_id, state } of found) {
      const id = bottle_id.toHexString();
      if (ACTIVE_STATES.includes(state)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  /** The open alert of one kind of each of these bottles, by the bottle's id. */
  async findOpenByBottle<K extends AlertKind>(
    bottleIds: Types.ObjectId[],
    kind: K,
  ): Promise<Map<string, Alert<K>>> {
    const found = await this.findOpen(bottleIds, kind);
    return new Map(found.map((alert): [string, Alert<K>] => [alert.bottle_id.toHexString(), alert]));
  }

  /** The alerts of these bottles, raised since then, that name doses that cannot be confirmed. */
  async findNamingDoses(
    bottleIds: Types.ObjectId[],
    since: Date,
  ): Promise<Alert<'bottle_silent' | 'coverage_gap'>[]> {
    if (bottleIds.length === 0) return [];
    return readAll<'bottle_silent' | 'coverage_gap'>(
      this.alerts
        .find({
          bottle_id: { $in: bottleIds },
          raised_at: { $gte: since },
          $or: [
            { kind: 'bottle_silent', 'evidence.unconfirmed_doses.0': { $exists: true } },
            { kind: 'coverage_gap' },
          ],
        })
        .hint('by_bottle_and_time')
        .lean<AlertRecord[]>(),
    );
  }

  /** Which of these bottles had an alert `bottle_silent` at a moment. */
  async findSilentAt(bottleIds: Types.ObjectId[], at: Date): Promise<ReadonlySet<string>> {
    const found = await this.alerts
      .find(
        {
          bottle_id: { $in: bottleIds },
          raised_at: { $lt: at },
          kind: 'bottle_silent',
          // a contact ends a silence; that it has ended is found later
          'evidence.heard_again_at': { $not: { $lte: at } },
          $or: [{ open: true, cleared_at: { $not: { $lte: at } } }, { ended_at: { $gt: at } }],
        },
        { bottle_id: 1 },
      )
      .hint('by_bottle_and_time')
      .lean<Pick<Alert, 'bottle_id'>[]>();
    return new Set(found.map(({ bottle_id }) => bottle_id.toHexString()));
  }

  /** How many alerts were raised in [from, to), by minute and kind. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counted = { time: 'raised_at', key: 'kind', hint: 'by_time', byBottle: 'by_bottle_and_time' };
    return countByMinute(this.alerts.collection, counted, from, to);
  }

  /** All alerts of a bottle, oldest first, read as it is taken: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<AlertRecord> {
    return this.alerts.collection
      .find<AlertRecord>({ bottle_id: bottleId, ...ofOwner(part) })
      .hint('by_bottle_and_time')
      .sort({ raised_at: 1, _id: 1 });
  }

  /** The alerts of a bottle that were raised for this owner. */
  async findIdsOfOwner(bottleId: Types.ObjectId, userId: string): Promise<Types.ObjectId[]> {
    const found = await this.alerts
      .find({ bottle_id: bottleId, user_id: userId }, { _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }

  /** Those that last stay: their condition concerns the bottle's owner of today. They name the pseudonym from then on. */
  async pseudonymizeOpen(bottleId: Types.ObjectId, userId: string, pseudonym: string): Promise<void> {
    await this.alerts.updateMany(
      { bottle_id: bottleId, user_id: userId, open: true },
      [
        {
          $set: {
            user_id: pseudonym,
            history: {
              $map: {
                input: '$history',
                in: {
                  $cond: [
                    { $in: ['$$this.by', ESCALATION_TARGETS.map((person) => recipientOf(person, userId))] },
                    { $mergeObjects: ['$$this', { by: pseudonym }] },
                    '$$this',
                  ],
                },
              },
            },
          },
        },
      ],
      { updatePipeline: true },
    );
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.alerts.countDocuments({ bottle_id: bottleId, ...ofOwner(part) });
  }

  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.alerts.deleteMany({ bottle_id: bottleId, ...ofOwner(part) });
  }
}

function toEvent(event: AlertEvent['event'], { by, at, note }: RecordedAction): AlertEvent {
  return { event, at, by, ...(note === undefined ? {} : { note }) };
}

/**
 * What ends an alert. If its steps go on after its end, those that waited for the end of a snooze, or that an
 * acknowledgement had stopped, are due at once.
 */
function endsOf(
  filter: mongo.Filter<mongo.Document>,
  end: AlertEnd,
): { filter: mongo.Filter<mongo.Document>; update: UpdateFilter }[] {
  const update = endUpdate(end);
  if (!continuesPolicy(end)) return [{ filter, update }];
  const stopped = [{ snoozed_until: { $exists: true } }, { state: 'acknowledged' }];
  return [
    { filter: { ...filter, $nor: stopped }, update },
    {
      filter: { ...filter, $or: stopped },
      update: { ...update, $set: { ...update.$set, next_step_at: end.at } },
    },
  ];
}

const continuesPolicy = ({ owed }: AlertEnd): boolean =>
  owed !== undefined && notificationEventFacts(owed).continuesPolicy === true;

function endUpdate(end: AlertEnd): UpdateFilter {
  const { state, at, by, note, owed, evidence = {} } = end;
  const event: AlertEvent = { event: state, at, by, ...(note === undefined ? {} : { note }) };
  const learned = Object.entries(evidence).map(([key, value]) => [`evidence.${key}`, value] as const);
  const known = Object.fromEntries(learned.filter(([, value]) => value !== undefined));
  const disproved = Object.fromEntries(
    learned.flatMap(([key, value]) => (value === undefined ? [[key, '']] : [])),
  );
  return {
    $set: { state, ended_at: at, ...(owed ? { end_owed: owed } : {}), ...known },
    $unset: { ...(continuesPolicy(end) ? UNSET_AT_ANY_END : UNSET_AT_END), ...disproved },
    $push: { history: event },
  } as unknown as UpdateFilter;
}
