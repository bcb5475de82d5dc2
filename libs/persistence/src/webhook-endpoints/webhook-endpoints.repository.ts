import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { type EndpointTest, FIRST_ENDPOINT, WebhookEndpoint } from './webhook-endpoint.schema.js';

/** What staff change of an endpoint; null removes a field. */
export type EndpointChange = {
  [F in 'url' | 'description' | 'kinds' | 'events' | 'paused_at']?: WebhookEndpoint[F] | null | undefined;
};

const NOT_DELETED = { deleted_at: { $exists: false } };
const FAILING = ['failing_since', 'noticed_at', 'notice_due'] as const;

/** Every query on `webhook_endpoints`. */
@Injectable()
export class WebhookEndpointsRepository {
  constructor(@InjectModel(WebhookEndpoint.name) private readonly endpoints: Model<WebhookEndpoint>) {}

  async insert(endpoint: WebhookEndpoint): Promise<void> {
    // not `create`: in a transaction, too, and with its id
    await this.endpoints.insertMany([endpoint]);
  }

  /** All, deleted ones included: a notifier still moves on what waited for those. There are few. */
  findAll(): Promise<WebhookEndpoint[]> {
    return this.endpoints.find().sort({ _id: 1 }).lean<WebhookEndpoint[]>();
  }

  /** Those that are not deleted, oldest first. */
  findCurrent(): Promise<WebhookEndpoint[]> {
    return this.endpoints.find(NOT_DELETED).sort({ _id: 1 }).lean<WebhookEndpoint[]>();
  }

  findById(id: Types.ObjectId): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOne({ _id: id, ...NOT_DELETED }).lean<WebhookEndpoint>();
  }

  change(id: Types.ObjectId, change: EndpointChange): Promise<WebhookEndpoint | null> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const [removed, set] = [
      given.filter(([, value]) => value === null),
      given.filter(([, value]) => value !== null),
    ];
    return this.update(
      id,
      {},
      {
        $set: Object.fromEntries(set),
        $unset: Object.fromEntries(removed.map(([field]) => [field, ''])),
      },
    );
  }

  /**
   * Replaces the secret.
   *
   * @param from the one that is replaced, as it is sealed: of two who do it at once, one does.
   * @param until when the one before it ends; undefined: at once.
   */
  replaceSecret(
    id: Types.ObjectId,
    from: string | undefined,
    secret: string,
    until: Date | undefined,
  ): Promise<WebhookEndpoint | null> {
    const old = from !== undefined && until && { old_secret: { sealed: from, until } };
    return this.update(
      id,
      { secret: from ?? { $exists: false } },
      {
        $set: { secret, ...old },
        ...(!old && { $unset: { old_secret: '' } }),
      },
    );
  }

  /** Seals the secrets anew, unless they have changed. */
  async reseal(
    { _id, secret, old_secret }: WebhookEndpoint,
    anew: Pick<WebhookEndpoint, 'secret' | 'old_secret'>,
  ): Promise<void> {
    await this.endpoints.updateOne({ _id, secret, ...(old_secret && { old_secret }) }, { $set: anew });
  }

  /** It takes messages again, and counts as one that works. */
  enable(id: Types.ObjectId): Promise<WebhookEndpoint | null> {
    return this.update(
      id,
      {},
      { $unset: Object.fromEntries(['disabled_at', ...FAILING].map((field) => [field, ''])) },
    );
  }

  /** @returns false if there is none, or it was deleted before */
  async delete(id: Types.ObjectId, at: Date): Promise<boolean> {
    const all = ['url', 'description', 'secret', 'old_secret', 'test', 'kinds', 'events', ...FAILING];
    const done = await this.endpoints.updateOne(
      { _id: id, ...NOT_DELETED },
      { $set: { deleted_at: at }, $unset: Object.fromEntries(all.map((field) => [field, ''])) },
    );
    return done.modifiedCount === 1;
  }

  /** An attempt failed: it fails since then, unless it has failed before. */
  async noteFailed(id: Types.ObjectId, at: Date): Promise<void> {
    if (id.equals(FIRST_ENDPOINT)) await this.ensureFirst();
    await this.endpoints.updateOne(
      { _id: id, failing_since: { $exists: false }, ...NOT_DELETED },
      { $set: { failing_since: at } },
    );
  }

  /** An attempt succeeded. */
  async noteSucceeded(id: Types.ObjectId): Promise<void> {
    await this.endpoints.updateOne(
      { _id: id, failing_since: { $exists: true } },
      { $unset: Object.fromEntries(FAILING.map((field) => [field, ''])) },
    );
  }

  /** Notes that people are notified; of several notifiers that find it at once, one is answered true. */
  async noteNoticed({ _id, failing_since }: WebhookEndpoint, at: Date): Promise<boolean> {
    const failing = { _id, failing_since, noticed_at: { $exists: false }, ...NOT_DELETED };
    return (
      (await this.endpoints.updateOne(failing, { $set: { noticed_at: at, notice_due: 'endpoint.failing' } }))
        .modifiedCount === 1
    );
  }

  /** Disables it, unless it is or has succeeded since; of several notifiers, one is answered true. */
  async disable({ _id, failing_since }: WebhookEndpoint, at: Date): Promise<boolean> {
    const active = { _id, failing_since, disabled_at: { $exists: false }, ...NOT_DELETED };
    return (
      (await this.endpoints.updateOne(active, { $set: { disabled_at: at, notice_due: 'endpoint.disabled' } }))
        .modifiedCount === 1
    );
  }

  /** It answered 410. */
  async disableRefusing(id: Types.ObjectId, at: Date): Promise<void> {
    await this.endpoints.updateOne(
      { _id: id, disabled_at: { $exists: false }, ...NOT_DELETED },
      { $set: { disabled_at: at, notice_due: 'endpoint.disabled' } },
    );
  }

  /** An endpoint of which people are to be notified: by whom this answers it. */
  claimNotice(): Promise<WebhookEndpoint | null> {
    return this.endpoints
      .findOneAndUpdate({ notice_due: { $exists: true }, ...NOT_DELETED }, { $unset: { notice_due: '' } })
      .lean<WebhookEndpoint>();
  }

  /** Asks for a test message, unless one is due. */
  async requestTest(id: Types.ObjectId, test: EndpointTest, givenUp: Date): Promise<WebhookEndpoint | null> {
    if (id.equals(FIRST_ENDPOINT)) await this.ensureFirst();
    const free = { $or: [{ 'test.due_at': { $exists: false } }, { 'test.at': { $lte: givenUp } }] };
    return this.update(id, free, { $set: { test } });
  }

  /** Claims a test message that is due. */
  claimTest(now: Date, until: Date): Promise<WebhookEndpoint | null> {
    return this.endpoints
      .findOneAndUpdate(
        { 'test.due_at': { $lte: now }, ...NOT_DELETED },
        { $set: { 'test.due_at': until } },
        { returnDocument: 'after' },
      )
      .lean<WebhookEndpoint>();
  }

  async endTest(
    id: Types.ObjectId,
    testId: string,
    result: Pick<EndpointTest, 'attempted_at' | 'status' | 'error'>,
  ): Promise<void> {
    const set = Object.fromEntries(Object.entries(result).map(([field, value]) => [`test.${field}`, value]));
    await this.endpoints.updateOne(
      { _id: id, 'test.id': testId },
      { $set: set, $unset: { 'test.due_at': '' } },
    );
  }

  /** What is known of the endpoint that `WEBHOOK_URL` names needs a record. */
  private async ensureFirst(): Promise<void> {
    await this.endpoints.updateOne({ _id: FIRST_ENDPOINT }, {}, { upsert: true });
  }

  private update(id: Types.ObjectId, and: object, update: object): Promise<WebhookEndpoint | null> {
    return this.endpoints
      .findOneAndUpdate({ _id: id, ...and, ...NOT_DELETED }, update, { returnDocument: 'after' })
      .lean<WebhookEndpoint>();
  }
}
