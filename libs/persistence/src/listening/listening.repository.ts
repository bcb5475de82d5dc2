import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ListeningSpan } from './listening-span.schema.js';

/** When we were listening: every query on `listening_spans`. */
@Injectable()
export class ListeningRepository {
  constructor(@InjectModel(ListeningSpan.name) private readonly spans: Model<ListeningSpan>) {}

  /** Begins a span or moves its end on. */
  async extend(span: ListeningSpan): Promise<void> {
    await this.spans.updateOne(
      { _id: span._id },
      { $setOnInsert: { from: span.from }, $max: { until: span.until } },
      { upsert: true },
    );
  }

  /** The spans that reach beyond `since`, of all processes, in no particular order. */
  findSince(since: Date): Promise<Pick<ListeningSpan, 'from' | 'until'>[]> {
    return this.spans.find({ until: { $gte: since } }, { _id: 0, from: 1, until: 1 }).lean<ListeningSpan[]>();
  }
}
