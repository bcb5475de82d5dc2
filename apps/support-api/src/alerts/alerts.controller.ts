import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, itsBottle } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import { AlertDeedsService, type AlertRequest } from './alert-deeds.service.js';
import {
  AcknowledgeDto,
  AcknowledgeManyDto,
  DecideDto,
  ListAlertsQuery,
  ResolveDto,
  ResolveManyDto,
  SnoozeDto,
  SnoozeManyDto,
} from './alert-requests.dto.js';
import { ALERT_COLUMNS, AlertDetailDto, AlertDto, AlertResultsDto } from './alert-views.dto.js';
import { AlertsService } from './alerts.service.js';

/** Of many alerts, those that were changed. */
const changed = ({ results }: AlertResultsDto) =>
  results
    .filter(({ status }) => status === 200)
    .map(({ id, bottle_id }) => ({ id, also: itsBottle({ bottle_id: bottle_id! }) }));

@StaffController('v1/alerts', 'alerts', 'viewer')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly deeds: AlertDeedsService,
  ) {}

  /** Alerts by state, kind and bottle, newest first; or those that wait for a person. */
  @Get()
  @AlsoCsv(ALERT_COLUMNS)
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

  /** Someone takes care of them; each by itself. */
  @Post('acknowledge')
  @Audited({ action: 'alert.acknowledge', kind: 'alert', each: changed })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: AlertResultsDto })
  acknowledgeMany(
    @Caller() caller: Staff,
    @Body() { ids, ...body }: AcknowledgeManyDto,
  ): Promise<AlertResultsDto> {
    return this.deeds.actOnMany(ids, caller, { verb: 'acknowledge', ...body });
  }

  /** Nobody is told anything more of them for a while; each by itself. */
  @Post('snooze')
  @Audited({ action: 'alert.snooze', kind: 'alert', keep: ['until'], each: changed })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: AlertResultsDto })
  snoozeMany(@Caller() caller: Staff, @Body() { ids, ...body }: SnoozeManyDto): Promise<AlertResultsDto> {
    return this.deeds.actOnMany(ids, caller, { verb: 'snooze', ...body });
  }

  /** A person declares them over; each by itself. */
  @Post('resolve')
  @Audited({ action: 'alert.resolve', kind: 'alert', each: changed })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: AlertResultsDto })
  resolveMany(@Caller() caller: Staff, @Body() { ids, ...body }: ResolveManyDto): Promise<AlertResultsDto> {
    return this.deeds.actOnMany(ids, caller, { verb: 'resolve', ...body });
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
    return this.act(id, caller, { verb: 'acknowledge', ...body });
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
    return this.act(id, caller, { verb: 'snooze', ...body });
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
    return this.act(id, caller, { verb: 'resolve', ...body });
  }

  /** A fleet incident: the bottles cannot be reached, and users are told. */
  @Post(':id/confirm')
  @Audited({ action: 'alert.confirm', kind: 'alert' })
  @Roles('support')
  @HttpCode(200)
  @ApiBody({ type: DecideDto, required: false })
  @ApiOkResponse({ type: AlertDetailDto })
  confirm(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body?: DecideDto,
  ): Promise<AlertDetailDto> {
    return this.act(id, caller, { verb: 'confirm', ...body });
  }

  /** A fleet incident: the fault is ours, and no user is told of the silences that belong to it. */
  @Post(':id/dismiss')
  @Audited({ action: 'alert.dismiss', kind: 'alert' })
  @Roles('support')
  @HttpCode(200)
  @ApiBody({ type: DecideDto, required: false })
  @ApiOkResponse({ type: AlertDetailDto })
  dismiss(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body?: DecideDto,
  ): Promise<AlertDetailDto> {
    return this.act(id, caller, { verb: 'dismiss', ...body });
  }

  private async act(id: Types.ObjectId, caller: Staff, request: AlertRequest): Promise<AlertDetailDto> {
    return this.alerts.detail(await this.deeds.act(id, caller, request));
  }
}
