import { ApiKeysRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type ApiKeyDto, apiKeyView, type CreateApiKeyDto, type CreatedApiKeyDto } from './api-key.dto.js';

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
    return { ...apiKeyView(key), key: secret };
  }

  async list(): Promise<{ items: ApiKeyDto[] }> {
    return { items: (await this.keys.findAll()).map(apiKeyView) };
  }

  /** The key stops working at once. */
  async delete(id: Types.ObjectId): Promise<void> {
    if (!(await this.keys.delete(id))) throw Problem.notFound('api_key');
  }
}
