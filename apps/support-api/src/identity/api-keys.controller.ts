import { Body, Delete, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Creates } from '../http/creates.js';
import { IdParam } from '../http/ids.js';
import { GetAll } from '../http/list.js';
import { FormatQuery } from '../http/paging.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './identity.dto.js';

@StaffController('v1/api-keys', 'API keys', 'admin')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @ApiOperation({ summary: 'Creates a key for a program or a person' })
  @Post()
  @Sensitive('accounts')
  @Audited({
    action: 'api_key.create',
    kind: 'api_key',
    idIn: 'id',
    keep: ['name', 'role', 'owner_id', 'expires_at'],
  })
  @Creates(CreatedApiKeyDto)
  createApiKey(@Body() body: CreateApiKeyDto, @Caller() caller: Staff): Promise<CreatedApiKeyDto> {
    return this.keys.create(body, caller);
  }

  @ApiOperation({ summary: 'Lists all keys, oldest first, without the secrets' })
  @GetAll(ApiKeyDto)
  @NoPatientData()
  listApiKeys(@Query() _query: FormatQuery): Promise<{ items: ApiKeyDto[] }> {
    return this.keys.list();
  }

  @ApiOperation({ summary: 'Revokes a key' })
  @Delete(':id')
  @Audited({ action: 'api_key.delete', kind: 'api_key' })
  @HttpCode(204)
  @ApiNoContentResponse()
  deleteApiKey(@IdParam() id: Types.ObjectId): Promise<void> {
    return this.keys.delete(id);
  }
}
