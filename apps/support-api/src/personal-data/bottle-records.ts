import { periodsOf } from '#domain';
import {
  AlertsRepository,
  AttestationsRepository,
  type Bottle,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  ERASED_KINDS,
  type OwnersPart,
} from '#persistence';
import { VitalsDaysRepository } from '#timeseries';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';

/** What is stored about a bottle in one collection: all of it, or one owner's part. */
export interface RecordsOfBottle {
  read(): AsyncIterable<object>;
  count(): Promise<number>;
  delete(): Promise<void>;
}

/** The kinds of {@link BottleRecords}, in the order of an export. Notes are of people. */
export const RECORD_KINDS = ERASED_KINDS.filter((kind) => kind !== 'notes');

/** A repository of documents that belong to a bottle, and to its owner at that time. */
interface Owned<Part> {
  ofBottle(bottleId: Types.ObjectId, of?: Part): AsyncIterable<object>;
  countOfBottle(bottleId: Types.ObjectId, of?: Part): Promise<number>;
  deleteOfBottle(bottleId: Types.ObjectId, of?: Part): Promise<void>;
}

/** All that is stored about a bottle beside its registry entry, its state and notes: exported and erased alike. */
@Injectable()
export class BottleRecords {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly doses: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly vitals: VitalsDaysRepository,
  ) {}

  /** @param part one owner's, without anybody else's */
  of(id: Types.ObjectId, part?: OwnersPart): Record<(typeof RECORD_KINDS)[number], RecordsOfBottle> {
    const records = <Part>(repository: Owned<Part>, of: Part | undefined): RecordsOfBottle => ({
      read: () => repository.ofBottle(id, of),
      count: () => repository.countOfBottle(id, of),
      delete: () => repository.deleteOfBottle(id, of),
    });
    return {
      actions: records(this.actions, part),
      heartbeats: records(this.heartbeats, part),
      doses: records(this.doses, part),
      attestations: records(this.attestations, part),
      alerts: records(this.alerts, part),
      deliveries: records(this.deliveries, part),
      vitals: records(this.vitals, part?.periods),
    };
  }

  /** Which part of a bottle's data is this owner's. */
  async partOf(
    bottle: Pick<Bottle, '_id' | 'user_id' | 'former_owners'>,
    userId: string,
  ): Promise<OwnersPart> {
    return {
      user_id: userId,
      periods: periodsOf(bottle, userId),
      alert_ids: await this.alerts.findIdsOfOwner(bottle._id, userId),
    };
  }

  /** Alerts of a former owner that last stay, by pseudonym. */
  pseudonymizeOpenAlerts(id: Types.ObjectId, userId: string, pseudonym: string): Promise<void> {
    return this.alerts.pseudonymizeOpen(id, userId, pseudonym);
  }
}
