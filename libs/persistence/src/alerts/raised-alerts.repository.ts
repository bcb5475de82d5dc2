import { alertKindsThat } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { CANARIES } from '../canaries/canaries.js';
import { ALERT, type AlertRecord } from './alert.schema.js';

/** What of an alert says how good it was; its evidence is not read. */
export type RaisedAlert = Pick<
  AlertRecord,
  '_id' | 'kind' | 'medication' | 'state' | 'raised_at' | 'history' | 'closing'
>;

/** The alerts of a time, for their quality. */
@Injectable()
export class RaisedAlertsRepository {
  constructor(@InjectModel(ALERT) private readonly alerts: Model<AlertRecord>) {}

  /** Alerts that were raised in [from, to), newest first, without canaries' and reminders; by `by_time`, page by page. */
  async *pages(from: Date, to: Date, size: number): AsyncGenerator<RaisedAlert[]> {
    const fields = { kind: 1, medication: 1, state: 1, raised_at: 1, history: 1, closing: 1 } as const;
    const cursor = this.alerts.collection
      .find<RaisedAlert>(
        {
          raised_at: { $gte: from, $lt: to },
          bottle_id: { $not: CANARIES },
          kind: { $nin: alertKindsThat('reminds') },
        },
        { projection: fields, hint: 'by_time', batchSize: size },
      )
      .sort({ raised_at: -1, _id: -1 });
    let page: RaisedAlert[] = [];
    for await (const alert of cursor) {
      page.push(alert);
      if (page.length < size) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}
