import type { GatewayIdentity } from '#persistence';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { GatewayGuard } from '../auth/gateway.guard.js';
import { Client } from '../auth/token.guard.js';
import { BatchResultDto } from '../batch/batch.dto.js';
import { GatewayBatchDto } from './gateway-batch.dto.js';
import { GatewayService } from './gateway.service.js';
import { SentBody } from '../reports/sent-body.js';
import { understandBatch } from '../reports/understand.js';

@ApiTags('gateways')
@ApiBearerAuth()
@Controller('v1/gateway/batch')
export class GatewayController {
  constructor(
    private readonly gateways: GatewayService,
    private readonly guard: GatewayGuard,
  ) {}

  @ApiOperation({
    summary:
      "Stores reports that a hub or a vendor's cloud forwards: up to 1000 heartbeats and actions, in any order",
  })
  @Post()
  @HttpCode(200)
  @ApiBody({ type: GatewayBatchDto })
  @ApiOkResponse({ type: BatchResultDto })
  sendGatewayBatch(
    @Client() gateway: GatewayIdentity,
    @SentBody('whole') sent: object,
    @Req() request: FastifyRequest,
  ): Promise<BatchResultDto> {
    const batch = understandBatch(GatewayBatchDto, sent);
    this.guard.countBatch(request, batch.body.items.length);
    return this.gateways.store(gateway, batch, request);
  }
}
