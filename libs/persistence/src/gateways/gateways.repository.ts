import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, type PipelineStage, Types } from 'mongoose';

/** A home hub or a vendor's cloud, which reports for the bottles that name it in `gateway_ids`. */
@Schema({ collection: 'gateways', versionKey: false, autoIndex: false, autoCreate: false })
export class Gateway {
  _id: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  /** SHA-256 of its token, hex. */
  @Prop({ type: String, required: true })
  token_hash: string;

  /** Hashes of its last rotated tokens; a request with one gets the error `token_revoked`. */
  @Prop({ type: [String], default: [] })
  revoked_token_hashes: string[];

  @Prop({ type: Date, required: true })
  created_at: Date;

  /** Since then it has no token, and gets none. */
  @Prop({ type: Date })
  revoked_at?: Date;
}

export const GatewaySchema = SchemaFactory.createForClass(Gateway);

// The token check of every batch.
GatewaySchema.index({ token_hash: 1 }, { name: 'find_by_token', unique: true });
// A gateway that still uses a rotated token gets "revoked" and not "unknown".
GatewaySchema.index({ revoked_token_hashes: 1 }, { name: 'find_by_revoked_token' });

/** What a report needs to know of the gateway that brings it. */
export type GatewayIdentity = Pick<Gateway, '_id'>;

const REMEMBERED_TOKENS = 5;

/** Every query on `gateways`. */
@Injectable()
export class GatewaysRepository {
  constructor(@InjectModel(Gateway.name) private readonly gateways: Model<Gateway>) {}

  async insert(gateway: Gateway): Promise<void> {
    await this.gateways.create(gateway);
  }

  findById(id: Types.ObjectId): Promise<Gateway | null> {
    return this.gateways.findById(id).lean<Gateway>();
  }

  /** In the order in which they were registered: `after` exclusive. */
  findPage(after: Types.ObjectId | undefined, limit: number): Promise<Gateway[]> {
    return this.gateways
      .find(after ? { _id: { $gt: after } } : {})
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Gateway[]>();
  }

  /** The gateways that have these tokens, by the token's hash. */
  async findByTokens(hashes: string[]): Promise<Map<string, GatewayIdentity>> {
    const found = await this.gateways
      .find({ token_hash: { $in: hashes } }, { token_hash: 1 })
      .lean<Pick<Gateway, '_id' | 'token_hash'>[]>();
    return new Map(found.map(({ _id, token_hash }) => [token_hash, { _id }]));
  }

  /** Which of these were once a gateway's token and are no longer. */
  async findRevokedTokens(hashes: string[]): Promise<Set<string>> {
    const found = await this.gateways
      .find({ revoked_token_hashes: { $in: hashes } }, { revoked_token_hashes: 1 })
      .lean<Pick<Gateway, 'revoked_token_hashes'>[]>();
    return new Set(found.flatMap(({ revoked_token_hashes }) => revoked_token_hashes));
  }

  /** Replaces the token. False when there is no such gateway, or when it was revoked. */
  rotateToken(id: Types.ObjectId, tokenHash: string): Promise<boolean> {
    return this.takeToken(id, { token_hash: { $literal: tokenHash } });
  }

  /** Takes the token for good. False when there is no such gateway, or when it was revoked before. */
  revoke(id: Types.ObjectId, at: Date): Promise<boolean> {
    // unique, and no SHA-256 is written like this
    return this.takeToken(id, { token_hash: { $literal: `revoked:${id.toHexString()}` }, revoked_at: at });
  }

  /** In one step, so that of two who do it at once neither leaves the other's token unremembered. */
  private async takeToken(id: Types.ObjectId, then: PipelineStage.Set['$set']): Promise<boolean> {
    const remembered = {
      $slice: [{ $concatArrays: ['$revoked_token_hashes', ['$token_hash']] }, -REMEMBERED_TOKENS],
    };
    const done = await this.gateways.updateOne(
      { _id: id, revoked_at: { $exists: false } },
      [{ $set: { revoked_token_hashes: remembered, ...then } }],
      { updatePipeline: true },
    );
    return done.modifiedCount === 1;
  }
}
