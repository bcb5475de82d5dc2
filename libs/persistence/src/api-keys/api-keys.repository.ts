import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';

export const ROLES = ['viewer', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A program's key to support-api. */
@Schema({ collection: 'api_keys', versionKey: false, autoIndex: false, autoCreate: false })
export class ApiKey {
  _id: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true, enum: ROLES })
  role: Role;

  /** SHA-256 of the key, hex. */
  @Prop({ type: String, required: true })
  key_hash: string;

  @Prop({ type: Date, required: true })
  created_at: Date;

  /** The account that answers for the key: it ends with it. None if ADMIN_TOKEN created it, or before version 0.2.0. */
  @Prop({ type: Types.ObjectId })
  owner_id?: Types.ObjectId;

  /** The person who made it. None if ADMIN_TOKEN did, or for keys created before version 0.2.0. */
  @Prop({ type: Types.ObjectId })
  created_by?: Types.ObjectId;

  /** None for keys created before version 0.2.0. */
  @Prop({ type: Date })
  expires_at?: Date;

  /** Written at most once an hour. */
  @Prop({ type: Date })
  last_used_at?: Date;
}

export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);

// The key check of every request, some requests at a time.
ApiKeySchema.index({ key_hash: 1 }, { name: 'find_by_key', unique: true });

/** Every query on `api_keys`. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>) {}

  async insert(key: ApiKey): Promise<void> {
    await this.keys.create(key);
  }

  findByHashes(hashes: string[]): Promise<ApiKey[]> {
    return this.keys.find({ key_hash: { $in: hashes } }).lean<ApiKey[]>();
  }

  async setLastUsed(id: Types.ObjectId, at: Date): Promise<void> {
    await this.keys.updateOne({ _id: id }, { $max: { last_used_at: at } });
  }

  findAll(): Promise<ApiKey[]> {
    return this.keys.find().sort({ _id: 1 }).lean<ApiKey[]>();
  }

  /** Deletes what a person has made, or may have: of an earlier version, what they own. @returns the ids */
  async deleteMadeBy(account: Types.ObjectId): Promise<Types.ObjectId[]> {
    const made = { $or: [{ created_by: account }, { created_by: { $exists: false }, owner_id: account }] };
    const found = await this.keys.find(made, { _id: 1 }).lean<Pick<ApiKey, '_id'>[]>();
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) await this.keys.deleteMany({ _id: { $in: ids } });
    return ids;
  }

  async delete(id: Types.ObjectId): Promise<boolean> {
    return (await this.keys.deleteOne({ _id: id })).deletedCount === 1;
  }
}
