import { OptionalBody } from '#platform';
import { applyDecorators, Body, Get, HttpCode, Post, Query, type Type } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, AuditsItself, itsBottle } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { OncePerKey } from '../http/creates.js';
import { IdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { type AlertAction, AlertActionsService } from './alert-actions.service.js';
import {
  AcknowledgeDto,
  AcknowledgeManyDto,
  AlertNoteDto,
  AssignDto,
  AssignManyDto,
  CloseDto,
  CloseManyDto,
  DecideDto,
  ListAlertsQuery,
  SnoozeDto,
  SnoozeManyDto,
} from './alert-requests.dto.js';
import { AlertDetailDto, AlertResultsDto, ClosingPreviewDto, ListedAlertDto } from './alert.dto.js';
import { AlertsService } from './alerts.service.js';
import { ClosingPreviewService } from './closing-preview.service.js';
import { IncidentDto } from './incident.dto.js';
import { IncidentsService } from './incidents.service.js';

type Verb = AlertAction['verb'];

/** Actions on fleet incidents, which concern no single bottle. */
const OF_FLEET: readonly Verb[] = ['confirm', 'dismiss', 'withdraw'];

/** The alerts that an action on several has changed. */
const changed = ({ results }: AlertResultsDto) =>
  results
    .filter(({ status }) => status === 200)
    .map(({ id, bottle_id }) => ({ id, also: itsBottle({ bottle_id: bottle_id! }) }));

/** What the audit log records of every action. Notes are about patients: only their name is recorded. */
const audited = (verb: Verb) => ({
  action: `alert.${verb}`,
  kind: 'alert' as const,
  ...(verb === 'snooze' && { keep: ['until'] }),
  ...(verb === 'close' && { keep: ['reason', 'notify'] }),
});

/** An action on one alert. @param optionalBody of a request that may have none */
const PostAction = (verb: Verb, optionalBody?: Type): MethodDecorator =>
  applyDecorators(
    Post(`:id/${verb}`),
    Audited({ ...audited(verb), ...(!OF_FLEET.includes(verb) && { also: itsBottle }) }),
    Roles('support'),
    HttpCode(200),
    ApiOkResponse({ type: AlertDetailDto }),
    ...(optionalBody ? [ApiBody({ type: optionalBody, required: false })] : []),
  );

/** The same action on several alerts, each on its own. */
const PostActionOnMany = (verb: Verb): MethodDecorator =>
  applyDecorators(
    Post(verb),
    Audited({ ...audited(verb), each: changed }),
    Roles('support'),
    HttpCode(200),
    ApiOkResponse({ type: AlertResultsDto }),
  );

@StaffController('v1/alerts', 'alerts', 'viewer')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly actions: AlertActionsService,
    private readonly previews: ClosingPreviewService,
    private readonly incidents: IncidentsService,
  ) {}

  @ApiOperation({
    summary:
      'Lists alerts by state, kind and bottle, newest first; or, with `order`, those that need attention',
  })
  @GetList(ListedAlertDto)
  @Audited({ action: 'alert.list', kind: 'list', id: 'alerts', keep: ['state', 'kind', 'bottle_id'] })
  listAlerts(@Query() query: ListAlertsQuery, @Caller() caller: Staff): Promise<Page<ListedAlertDto>> {
    return this.alerts.list(query, caller.id);
  }

  @ApiOperation({ summary: 'Returns an alert with its evidence, history and notifications' })
  @Get(':id')
  @Audited({ action: 'alert.read', kind: 'alert', also: itsBottle })
  @ApiOkResponse({ type: AlertDetailDto })
  getAlert(@IdParam() id: Types.ObjectId): Promise<AlertDetailDto> {
    return this.alerts.get(id);
  }

  @ApiOperation({ summary: 'Acknowledges several alerts, each on its own' })
  @PostActionOnMany('acknowledge')
  acknowledgeAlerts(
    @Caller() caller: Staff,
    @Body() { ids, ...body }: AcknowledgeManyDto,
  ): Promise<AlertResultsDto> {
    return this.actions.applyToMany(ids, caller, { verb: 'acknowledge', ...body });
  }

  @ApiOperation({ summary: 'Snoozes several alerts, each on its own: no notifications for a while' })
  @PostActionOnMany('snooze')
  snoozeAlerts(@Caller() caller: Staff, @Body() { ids, ...body }: SnoozeManyDto): Promise<AlertResultsDto> {
    return this.actions.applyToMany(ids, caller, { verb: 'snooze', ...body });
  }

  @ApiOperation({ summary: 'Closes several alerts, each on its own' })
  @PostActionOnMany('close')
  closeAlerts(@Caller() caller: Staff, @Body() { ids, ...body }: CloseManyDto): Promise<AlertResultsDto> {
    return this.actions.applyToMany(ids, caller, { verb: 'close', ...body });
  }

  @ApiOperation({
    summary: 'Returns the messages that closing these alerts would send now, as people get them',
    description: 'Closes nothing.',
  })
  @Post('close/preview')
  @AuditsItself()
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: ClosingPreviewDto })
  previewClosing(
    @Caller() caller: Staff,
    @Body() { ids, ...body }: CloseManyDto,
  ): Promise<ClosingPreviewDto> {
    return this.previews.preview(ids, caller, body);
  }

  @ApiOperation({
    summary: 'Acknowledges an alert: reminders and escalation stop',
    description: 'If two people do so at once, the second one gets 409.',
  })
  @PostAction('acknowledge', AcknowledgeDto)
  acknowledgeAlert(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @OptionalBody() body: AcknowledgeDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'acknowledge', ...body });
  }

  @ApiOperation({
    summary: 'Snoozes an alert: no notifications for a while',
    description: 'They continue afterwards unless the alert has ended.',
  })
  @PostAction('snooze')
  snoozeAlert(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: SnoozeDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'snooze', ...body });
  }

  @ApiOperation({
    summary:
      'Closes an alert: reminders stop, and everyone who was notified of it learns who closed it and why, unless `notify` is false',
    description: 'Its condition is still followed: a dose that is missed afterwards is reported.',
  })
  @PostAction('close')
  closeAlert(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: CloseDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'close', ...body });
  }

  @ApiOperation({ summary: 'Assigns an alert to yourself, to a colleague or to nobody' })
  @PostAction('assign')
  assignAlert(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: AssignDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'assign', ...body });
  }

  @ApiOperation({ summary: 'Assigns several alerts, each on its own' })
  @PostActionOnMany('assign')
  assignAlerts(@Caller() caller: Staff, @Body() { ids, ...body }: AssignManyDto): Promise<AlertResultsDto> {
    return this.actions.applyToMany(ids, caller, { verb: 'assign', ...body });
  }

  @ApiOperation({ summary: 'Adds a note to the history of an alert, for staff' })
  @PostAction('note')
  @OncePerKey()
  addAlertNote(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: AlertNoteDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'note', ...body });
  }

  @ApiOperation({ summary: 'Returns what a fleet incident affects, what is held, and what would be sent' })
  @Get(':id/incident')
  @Audited({ action: 'alert.read', kind: 'alert' })
  @ApiOkResponse({ type: IncidentDto })
  getIncident(@IdParam() id: Types.ObjectId): Promise<IncidentDto> {
    return this.incidents.get(id);
  }

  @ApiOperation({
    summary: 'Confirms a fleet incident: the bottles really are unreachable',
    description:
      'One minute later users are notified; until then the decision can be withdrawn without a trace, and afterwards for what is not sent yet.',
  })
  @PostAction('confirm', DecideDto)
  confirmIncident(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @OptionalBody() body: DecideDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'confirm', ...body });
  }

  @ApiOperation({
    summary: 'Withdraws the decision about a fleet incident: notifications that are not sent yet wait again',
  })
  @PostAction('withdraw', DecideDto)
  withdrawDecision(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @OptionalBody() body: DecideDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'withdraw', ...body });
  }

  @ApiOperation({
    summary: 'Dismisses a fleet incident as our own fault: users are not notified of its silences',
  })
  @PostAction('dismiss', DecideDto)
  dismissIncident(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @OptionalBody() body: DecideDto,
  ): Promise<AlertDetailDto> {
    return this.apply(id, caller, { verb: 'dismiss', ...body });
  }

  private async apply(id: Types.ObjectId, caller: Staff, action: AlertAction): Promise<AlertDetailDto> {
    return this.alerts.detail(await this.actions.apply(id, caller, action));
  }
}
