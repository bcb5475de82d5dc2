import { ApiKeysRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { viewOf, viewsOf } from '../http/view.js';
import { ApiKeyDto, type CreateApiKeyDto, type CreatedApiKeyDto } from './identity.dto.js';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  async create({ name, role }: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const secret = newToken('pwk');
    const key = {
      _id: new Types.ObjectId(),
      name,
      role,
      key_hash: hashToken(secret),
      created_at: this.clock.now(),
    };
    await this.keys.insert(key);
    return { ...viewOf(ApiKeyDto, key), key: secret };
  }

  async list(): Promise<{ items: ApiKeyDto[] }> {
    return { items: viewsOf(ApiKeyDto)(await this.keys.findAll()) };
  }

  /** The key stops working at once. @throws Problem 404 */
  async delete(id: Types.ObjectId): Promise<void> {
    if (!(await this.keys.delete(id))) throw Problem.notFound('api_key');
  }
}
