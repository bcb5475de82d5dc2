import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, itsBottle } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import { AcknowledgeDto, ListAlertsQuery, ResolveDto, SnoozeDto } from './alert-requests.dto.js';
import { AlertDetailDto, AlertDto } from './alert-views.dto.js';
import { AlertsService } from './alerts.service.js';

@StaffController('v1/alerts', 'alerts', 'viewer')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  /** Alerts by state, kind and bottle, newest first. */
  @Get()
  @ApiOkResponse({ type: PageOf(AlertDto) })
  list(@Query() query: ListAlertsQuery): Promise<Page<AlertDto>> {
    return this.alerts.list(query);
  }

  /** One alert with its evidence, its history, and who was told. */
  @Get(':id')
  @ApiOkResponse({ type: AlertDetailDto })
  get(@IdParam() id: Types.ObjectId): Promise<AlertDetailDto> {
    return this.alerts.get(id);
  }

  /** Someone takes care of it: of two who say so at once, one is told that the other was first. */
  @Post(':id/acknowledge')
  @Audited({ action: 'alert.acknowledge', kind: 'alert', also: itsBottle })
  @Roles('support')
  @HttpCode(200)
  @ApiBody({ type: AcknowledgeDto, required: false })
  @ApiOkResponse({ type: AlertDetailDto })
  acknowledge(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body?: AcknowledgeDto,
  ): Promise<AlertDetailDto> {
    return this.alerts.acknowledge(id, caller, body?.note);
  }

  /** Nobody is told anything more for a while; then it is told again, unless it has ended. */
  @Post(':id/snooze')
  @Audited({ action: 'alert.snooze', kind: 'alert', keep: ['until'], also: itsBottle })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: AlertDetailDto })
  snooze(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: SnoozeDto,
  ): Promise<AlertDetailDto> {
    return this.alerts.snooze(id, caller, body);
  }

  /** A person declares it over; who was told hears of it. */
  @Post(':id/resolve')
  @Audited({ action: 'alert.resolve', kind: 'alert', also: itsBottle })
  @Roles('support')
  @HttpCode(200)
  @ApiBody({ type: ResolveDto, required: false })
  @ApiOkResponse({ type: AlertDetailDto })
  resolve(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body?: ResolveDto,
  ): Promise<AlertDetailDto> {
    return this.alerts.resolve(id, caller, body?.note);
  }
}
