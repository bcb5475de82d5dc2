import { type AlertKind, type EndpointHold, endpointChannel, WEBHOOK, type WebhookType } from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

/** The last test message to an endpoint. One attempt is made. */
export interface EndpointTest {
  id: string;
  /** The name of who asked for it. */
  by: string;
  at: Date;
  /** Absent once it was attempted. */
  due_at?: Date;
  attempted_at?: Date;
  status?: number;
  error?: string;
}

/** A receiver of webhooks that staff have added, or what is known of the one that `WEBHOOK_URL` names. */
@Schema({ collection: 'webhook_endpoints', versionKey: false, autoIndex: false, autoCreate: false })
export class WebhookEndpoint {
  @Prop({ type: Types.ObjectId })
  _id: Types.ObjectId;

  /** Absent of the one that `WEBHOOK_URL` names, and of a deleted one. */
  @Prop({ type: String })
  url?: string;

  @Prop({ type: String })
  description?: string;

  /** The kinds of alerts that it wants; all if absent. */
  @Prop({ type: [String], default: undefined })
  kinds?: AlertKind[];

  /** The types that it wants; all if absent. */
  @Prop({ type: [String], default: undefined })
  events?: WebhookType[];

  /** Signs what goes there; sealed with LINK_SECRET. */
  @Prop({ type: String })
  secret?: string;

  /** The one before it, which signs, too, until then. */
  @Prop({ type: Object })
  old_secret?: { sealed: string; until: Date };

  @Prop({ type: Date })
  paused_at?: Date;

  @Prop({ type: Date })
  disabled_at?: Date;

  /** When an attempt failed after which none succeeded. */
  @Prop({ type: Date })
  failing_since?: Date;

  /** When people were notified that it will be disabled. */
  @Prop({ type: Date })
  noticed_at?: Date;

  /** What people are to be notified of; absent once they were. */
  @Prop({ type: String })
  notice_due?: 'endpoint.failing' | 'endpoint.disabled';

  @Prop({ type: Object })
  test?: EndpointTest;

  @Prop({ type: Date })
  created_at?: Date;

  /** It takes nothing any more; what waited for it goes elsewhere. */
  @Prop({ type: Date })
  deleted_at?: Date;
}

export const WebhookEndpointSchema = SchemaFactory.createForClass(WebhookEndpoint);

const SEVEN_DAYS_S = 7 * 24 * 60 * 60;
// What waited for a deleted one has gone elsewhere by then.
WebhookEndpointSchema.index({ deleted_at: 1 }, { name: 'TTL', expireAfterSeconds: SEVEN_DAYS_S });

/** The id of the one that `WEBHOOK_URL` names. */
export const FIRST_ENDPOINT = new Types.ObjectId('0'.repeat(24));

/** The channel of the notifications that go there. */
export function channelOfEndpoint({ _id }: Pick<WebhookEndpoint, '_id'>): string {
  return _id.equals(FIRST_ENDPOINT) ? WEBHOOK : endpointChannel(_id.toHexString());
}

/** Why it takes nothing at the moment. */
export function holdOf({
  paused_at,
  disabled_at,
}: Pick<WebhookEndpoint, 'paused_at' | 'disabled_at'>): EndpointHold | undefined {
  if (disabled_at) return 'disabled';
  return paused_at && 'paused';
}

/** Whose a sealed secret is: it opens as no other's. */
export const secretOwner = ({ _id }: Pick<WebhookEndpoint, '_id'>): string =>
  `webhook endpoint ${_id.toHexString()}`;
