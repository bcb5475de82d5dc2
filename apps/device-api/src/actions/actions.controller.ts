import type { DeviceIdentity } from '#persistence';
import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DeviceGuard } from '../auth/device.guard.js';
import { Client } from '../auth/token.guard.js';
import { ReportsService } from '../reports/reports.service.js';
import { ActionDto, ActionResultDto } from './action.dto.js';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('v1/actions')
@UseGuards(DeviceGuard)
export class ActionsController {
  constructor(private readonly reports: ReportsService) {}

  /** The bottle was opened or closed. Answered when it is on disk at a majority. */
  @Post()
  @ApiCreatedResponse({ type: ActionResultDto, description: 'Stored.' })
  @ApiOkResponse({ type: ActionResultDto, description: 'A retry: it was there already.' })
  async create(
    @Client() device: DeviceIdentity,
    @Body() body: ActionDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ActionResultDto> {
    const result = await this.reports.action(device, body);
    void reply.status(result.duplicate ? 200 : 201);
    return result;
  }
}
