import type { DeviceIdentity } from '#persistence';
import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { DeviceGuard } from '../auth/device.guard.js';
import { Client } from '../auth/token.guard.js';
import { ReportsService } from '../reports/reports.service.js';
import { HeartbeatDto } from './heartbeat.dto.js';

@ApiTags('reports')
@ApiBearerAuth()
@Controller('v1/heartbeats')
@UseGuards(DeviceGuard)
export class HeartbeatsController {
  constructor(private readonly reports: ReportsService) {}

  /** The bottle is alive. Send one every 30 minutes. Answered when it is on disk at a majority. */
  @Post()
  @HttpCode(204)
  @ApiBody({ type: HeartbeatDto, required: false })
  @ApiNoContentResponse({ description: 'Stored.' })
  async create(@Client() device: DeviceIdentity, @Body() body?: HeartbeatDto): Promise<void> {
    await this.reports.heartbeat(device, body ?? {});
  }
}
