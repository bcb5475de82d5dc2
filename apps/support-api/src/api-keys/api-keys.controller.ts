import { Body, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../audit/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { PageOf } from '../http/paging.js';
import { API_KEY_COLUMNS, ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';

@StaffController('v1/api-keys', 'API keys', 'admin')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** A new key for a program or a person. */
  @Post()
  @Audited({ action: 'api_key.create', kind: 'api_key', idIn: 'id', keep: ['name', 'role'] })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  create(@Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.keys.create(body);
  }

  /** Every key, oldest first, without the secrets. */
  @Get()
  @AlsoCsv(API_KEY_COLUMNS)
  @ApiOkResponse({ type: PageOf(ApiKeyDto) })
  list(): Promise<{ items: ApiKeyDto[] }> {
    return this.keys.list();
  }

  /** Ends a key. */
  @Delete(':id')
  @Audited({ action: 'api_key.delete', kind: 'api_key' })
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@IdParam() id: Types.ObjectId): Promise<void> {
    return this.keys.delete(id);
  }
}
