import type { DeviceIdentity } from '#persistence';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DeviceGuard } from '../auth/device.guard.js';
import { Client } from '../auth/token.guard.js';
import { BatchDto, BatchResultDto } from './batch.dto.js';
import { BatchService } from './batch.service.js';
import { SentBody } from '../reports/sent-body.js';
import { understandBatch } from '../reports/understand.js';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('v1/batch')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly guard: DeviceGuard,
  ) {}

  @ApiOperation({ summary: "Stores a bottle's backlog: up to 500 heartbeats and actions, in any order" })
  @Post()
  @HttpCode(200)
  @ApiBody({ type: BatchDto })
  @ApiOkResponse({ type: BatchResultDto })
  sendBatch(
    @Client() device: DeviceIdentity,
    @SentBody('whole') sent: object,
    @Req() request: FastifyRequest,
  ): Promise<BatchResultDto> {
    const batch = understandBatch(BatchDto, sent);
    this.guard.countBatch(request, batch.body.items.length);
    return this.batches.store(device, batch, request);
  }
}
