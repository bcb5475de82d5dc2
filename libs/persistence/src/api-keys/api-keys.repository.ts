import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { ApiKey } from './api-key.schema.js';

/** Every query on `api_keys`. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>) {}

  async insert(key: ApiKey): Promise<void> {
    await this.keys.create(key);
  }

  findByHash(hash: string): Promise<ApiKey | null> {
    return this.keys.findOne({ key_hash: hash }).lean<ApiKey>();
  }

  findAll(): Promise<ApiKey[]> {
    return this.keys.find().sort({ _id: 1 }).lean<ApiKey[]>();
  }

  async delete(id: Types.ObjectId): Promise<boolean> {
    return (await this.keys.deleteOne({ _id: id })).deletedCount === 1;
  }
}
