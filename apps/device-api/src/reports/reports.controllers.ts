import type { DeviceIdentity } from '#persistence';
import { oneOf } from '#platform';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Client } from '../auth/token.guard.js';
import { ActionResultDto, ClosedDto, HeartbeatDto, HeartbeatResultDto, OpenedDto } from './report.dto.js';
import { ReportsService } from './reports.service.js';
import { SentBody } from './sent-body.js';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('v1/heartbeats')
export class HeartbeatsController {
  constructor(private readonly reports: ReportsService) {}

  @ApiOperation({
    summary: 'Reports that the bottle is alive',
    description: 'Send one every 30 minutes. The response means: on disk at a majority.',
  })
  @Post()
  @HttpCode(204)
  @ApiBody({ type: HeartbeatDto, required: false })
  @ApiNoContentResponse({ description: 'Stored.' })
  @ApiOkResponse({ type: HeartbeatResultDto, description: 'Stored, without what could not be meant.' })
  async sendHeartbeat(
    @Client() device: DeviceIdentity,
    @SentBody('if any') body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HeartbeatResultDto | undefined> {
    const result = await this.reports.heartbeat(device, body, request);
    if (result) void reply.status(200);
    return result;
  }
}

@ApiTags('reports')
@ApiBearerAuth()
@Controller('v1/actions')
export class ActionsController {
  constructor(private readonly reports: ReportsService) {}

  @ApiOperation({
    summary: 'Reports that the bottle was opened or closed',
    description: 'The response means: on disk at a majority.',
  })
  @Post()
  @ApiExtraModels(OpenedDto, ClosedDto)
  @ApiBody({ schema: oneOf([OpenedDto, ClosedDto]) })
  @ApiCreatedResponse({ type: ActionResultDto, description: 'Stored.' })
  @ApiOkResponse({ type: ActionResultDto, description: 'A retry: stored before.' })
  async sendAction(
    @Client() device: DeviceIdentity,
    @SentBody('whole') body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ActionResultDto> {
    const result = await this.reports.action(device, body, request);
    void reply.status(result.duplicate ? 200 : 201);
    return result;
  }
}
