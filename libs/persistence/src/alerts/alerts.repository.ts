import {
  ACTIVE_STATES,
  AFTER_DAY_MS,
  type Alert as DomainAlert,
  type AlertKind,
  alertKindsThat,
  continuesPolicy,
  type AlertToEnd,
  DAY_MS,
  type Learned,
  onEnded,
  recipientsOf,
} from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, mongo, Types } from 'mongoose';
import { ofOwner, type OwnersPart } from '../database/owners-part.js';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { asObjectId } from '../database/object-id.js';
import { insertEach, itemErrors } from '../database/write-each.js';
import { Delivery } from '../deliveries/delivery.schema.js';
import { ALERT, type Alert, type AlertRecord, FLEET_ID } from './alert.schema.js';
import { type AlertUpdate, toAlertUpdate, toEvidenceUpdate } from './alert-update.js';
import { asEnded, readAll, readOne } from './read-alert.js';

/** The life of alerts: raised, ended, and found by their bottles. */
@Injectable()
export class AlertsRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(ALERT) private readonly alerts: Model<AlertRecord>,
    @InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>,
  ) {}

  /**
   * Records new alerts and the notifications that they owe at once: all of them, or nothing.
   *
   * @returns false if one was refused, such as an alert that is there already: see {@link raise}
   * @throws errors of the database.
   */
  async raiseNotifying(alerts: Alert[], notifications: Delivery[]): Promise<boolean> {
    const session = await this.connection.startSession();
    try {
      await session.withTransaction(async () => {
        await this.alerts.collection.insertMany(alerts, { session });
        if (notifications.length > 0)
          await this.deliveries.collection.insertMany(notifications as object[], { session });
      });
      return true;
    } catch (error) {
      itemErrors(error);
      return false;
    } finally {
      await session.endSession();
    }
  }

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
      endings.flatMap(endsOf).map((updateOne) => ({ updateOne })),
      { ordered: false },
    );
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

  /**
   * Corrects the end of alerts after late data, or by what people say. Leaves one whose evidence has changed since it was read, so
   * that nobody is notified twice.
   */
  async correctEnds(endings: AlertToEnd[]): Promise<void> {
    if (endings.length === 0) return;
    await this.alerts.collection.bulkWrite(
      endings.map(({ alert, end }) => ({
        updateOne: {
          filter: {
            _id: asObjectId(alert._id),
            bottle_id: asObjectId(alert.bottle_id),
            state: alert.state,
            ...asEnded(alert),
          },
          update: toAlertUpdate(onEnded(end, false)),
        },
      })),
      { ordered: false },
    );
  }

  /** Records what is known of these alerts by now, while their conditions last: what is still to be sent says so. */
  async recordLearned(
    known: { alert: Pick<DomainAlert, '_id' | 'bottle_id'>; evidence: Learned }[],
  ): Promise<void> {
    if (known.length === 0) return;
    await this.alerts.collection.bulkWrite(
      known.map(({ alert: { _id, bottle_id }, evidence }) => ({
        updateOne: {
          filter: { _id: asObjectId(_id), bottle_id, open: true },
          update: toEvidenceUpdate(evidence),
        },
      })),
      { ordered: false },
    );
  }

  /**
   * Adds doses that cannot be confirmed to the open `bottle_silent` of their bottles, each once. Its next daily message is
   * due when a day is full after that of each, and {@link AFTER_DAY_MS}; if no notifier ran then, now. Those that it named
   * when it was raised are not added; one that was not late by then is, also if it is named already, as the silence
   * returned while it was late.
   */
  async addUnconfirmedDoses(
    doses: { bottle_id: Types.ObjectId; dose: Date; late_at: Date; since: Date; plan_of?: string }[],
    at: Date,
  ): Promise<void> {
    if (doses.length === 0) return;
    const dueAt = (since: Date): object => {
      const days = { $divide: [{ $subtract: [since, { $add: ['$raised_at', AFTER_DAY_MS] }] }, DAY_MS] };
      const full = { $multiply: [{ $max: [1, { $ceil: days }] }, DAY_MS] };
      return { $max: [at, { $add: ['$raised_at', full, AFTER_DAY_MS] }] };
    };
    // the step after a snooze names all doses
    const isNotified = {
      $and: [{ $eq: ['$state', 'open'] }, { $ne: ['$escalation', []] }, { $lte: ['$snoozed_until', null] }],
    };
    const named = { $ifNull: ['$evidence.unconfirmed_doses', []] };
    await this.alerts.collection.bulkWrite(
      doses.map(({ bottle_id, dose, late_at, since, plan_of }) => ({
        updateOne: {
          filter: {
            bottle_id,
            kind: 'bottle_silent',
            subject: '',
            open: true,
            'doses_added.dose': { $ne: dose },
            $or: [{ 'evidence.unconfirmed_doses': { $ne: dose } }, { raised_at: { $lt: late_at } }],
          },
          update: [
            {
              $set: {
                'evidence.unconfirmed_doses': {
                  $concatArrays: [{ $filter: { input: named, cond: { $ne: ['$$this', dose] } } }, [dose]],
                },
                // the bottle may have joined the plan in its silence
                ...(plan_of !== undefined && { 'evidence.plan_of': plan_of }),
                doses_added: {
                  $concatArrays: [{ $ifNull: ['$doses_added', []] }, [{ dose, at, due_at: dueAt(since) }]],
                },
                next_step_at: {
                  $cond: [isNotified, { $min: ['$next_step_at', dueAt(since)] }, '$next_step_at'],
                },
              },
            },
          ],
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

  /** Those that something is wrong with: reminders of doses are left out. */
  async findOpenAlarms(bottleIds: Types.ObjectId[]): Promise<Alert[]> {
    const reminders = alertKindsThat('reminds');
    return (await this.findOpen(bottleIds)).filter(({ kind }) => !reminders.includes(kind));
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
      .find(
        { bottle_id: { $in: bottleIds }, open: true, kind: { $nin: alertKindsThat('reminds') } },
        { bottle_id: 1, state: 1 },
      )
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
  async findListingDoses(
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

  /** How many alerts, reminders included, were raised in [from, to), by minute and kind. */
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
                    // of a damaged record no text
                    {
                      $regexMatch: {
                        input: { $convert: { input: '$$this.by', to: 'string', onError: '', onNull: '' } },
                        regex: recipientsOf(userId),
                      },
                    },
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

/**
 * What ends an alert. If its steps go on after its end, those that waited for the end of a snooze, or that an
 * acknowledgement had stopped, are due at once.
 */
function endsOf({ alert, end }: AlertToEnd): { filter: mongo.Filter<mongo.Document>; update: AlertUpdate }[] {
  const filter = { _id: asObjectId(alert._id), bottle_id: alert.bottle_id, open: true };
  const update = toAlertUpdate(onEnded(end, false));
  if (!continuesPolicy(end)) return [{ filter, update }];
  const stopped = [{ snoozed_until: { $exists: true } }, { state: 'acknowledged' }];
  return [
    { filter: { ...filter, $nor: stopped }, update },
    { filter: { ...filter, $or: stopped }, update: toAlertUpdate(onEnded(end, true)) },
  ];
}
