import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/**
 * A span in which one device-api process was accepting reports and could store them. `until` is moved on
 * while it does; after a crash it stays where it was, so our own outage is never taken for theirs.
 */
@Schema({ collection: 'listening_spans', versionKey: false, autoIndex: false, autoCreate: false })
export class ListeningSpan {
  /** A random id, one a process and uninterrupted span. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Date, required: true })
  from: Date;

  @Prop({ type: Date, required: true })
  until: Date;
}

export const ListeningSpanSchema = SchemaFactory.createForClass(ListeningSpan);

const THIRTY_DAYS_S = 30 * 24 * 60 * 60;

// The spans since a moment; deleted 30 days after they ended.
ListeningSpanSchema.index({ until: 1 }, { name: 'TTL', expireAfterSeconds: THIRTY_DAYS_S });
