import { type Expected, versionOf } from '#persistence';
import { Body, Delete, Get, HttpCode, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Types } from 'mongoose';
import { Audited, bottleAndOwner, NoPatientData } from '../auth/audited.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Creates } from '../http/creates.js';
import { AnswersNotModified } from '../http/etag.js';
import { IdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { IfMatch, sendVersion } from '../http/versions.js';
import { viewOf, viewsOf } from '../http/view.js';
import {
  ChangeBottleDto,
  ChangedBottleDto,
  ListBottlesQuery,
  RegisterBottleDto,
  BottleDto,
  ListedBottleDto,
  NewTokenDto,
  RegisteredBottleDto,
} from './bottle.dto.js';
import { CheckedImportDto, ImportedBottlesDto } from './csv-import.dto.js';
import { BottlesService } from './bottles.service.js';
import { CsvBody } from './csv-import.js';
import { LookupService } from './lookup.service.js';
import {
  EndPauseQuery,
  MovedDoseDto,
  MoveDto,
  MovePreviewDto,
  PauseDto,
  PauseViewDto,
  PlanDto,
  PreviewScheduleDto,
  RemoveStepQuery,
  SavedScheduleDto,
  SchedulePreviewDto,
  SetScheduleDto,
} from './plan.dto.js';
import { PeriodsService } from './periods.service.js';
import { SchedulesService } from './schedules.service.js';

const imported = ({ created }: ImportedBottlesDto) =>
  created.map(({ bottle_id: id, plan_of }) => ({ id, ...(plan_of !== null && { details: { plan_of } }) }));

@StaffController('v1/canaries', 'bottles', 'admin')
export class CanariesController {
  constructor(private readonly bottles: BottlesService) {}

  @ApiOperation({
    summary: "Registers a watchdog's bottle and returns the token for it",
    description: 'It is in no list, figure or chart; its notifications go to CANARY_WEBHOOK_URL.',
  })
  @Post()
  @Audited({ action: 'bottle.register', kind: 'bottle', idIn: 'bottle_id' })
  @Creates(RegisteredBottleDto, ({ bottle_id }: RegisteredBottleDto) => `/v1/bottles/${bottle_id}`)
  registerCanary(): Promise<RegisteredBottleDto> {
    return this.bottles.registerCanary();
  }
}

@StaffController('v1/bottles', 'bottles', 'viewer')
export class BottlesController {
  constructor(
    private readonly bottles: BottlesService,
    private readonly lookup: LookupService,
    private readonly schedules: SchedulesService,
    private readonly periods: PeriodsService,
  ) {}

  @ApiOperation({ summary: 'Registers a bottle and returns the token for its device' })
  @Post()
  @Audited({ action: 'bottle.register', kind: 'bottle', idIn: 'bottle_id', keep: ['time_zone', 'plan_of'] })
  @Roles('support')
  @Creates(RegisteredBottleDto, ({ bottle_id }: RegisteredBottleDto) => `/v1/bottles/${bottle_id}`)
  registerBottle(@Body() body: RegisterBottleDto): Promise<RegisteredBottleDto> {
    return this.bottles.register(body);
  }

  @ApiOperation({
    summary: 'Registers bottles from CSV: all of them, or none if a line is invalid',
    description:
      'The first line names the columns: user_id, medication, time_zone, and optionally label, number_of_pills, plan_of (the id of a bottle that is registered, whose plan it is for), step (`2` for a further step of the bottle in the line before) and the fields of a schedule: times (`08:00 20:00`, or with amounts `08:00=2 20:00=1`), pills_per_dose, days_of_week (`mon fri`), days_of_month (`1 15`), cycle (`21/7 2026-03-01`), every, anchor, max_per_day, min_interval, until, doses, early_window, late_after, missed_after, schedule_time_zone and effective_from.',
  })
  @Post('import')
  @Audited({ action: 'bottle.register', kind: 'bottle', each: imported })
  @Roles('support')
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string' } })
  @Creates(ImportedBottlesDto)
  importBottles(@CsvBody() csv: string): Promise<ImportedBottlesDto> {
    return this.bottles.registerMany(csv);
  }

  @ApiOperation({ summary: 'Checks CSV as the import does', description: 'Nothing is stored.' })
  @Post('import/check')
  @NoPatientData()
  @Roles('support')
  @HttpCode(200)
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string' } })
  @ApiOkResponse({ type: CheckedImportDto })
  checkImport(@CsvBody() csv: string): Promise<CheckedImportDto> {
    return this.bottles.checkMany(csv);
  }

  @ApiOperation({
    summary:
      'Lists bottles by status, user and medication, in an order; or, with `q`, the matches of a search',
  })
  @GetList(ListedBottleDto)
  @Audited({
    action: 'bottle.list',
    kind: 'list',
    id: 'bottles',
    keep: ['status', 'medication'],
    shows: { by: ['q'], in: ({ items }: Page<ListedBottleDto>) => items.flatMap(bottleAndOwner) },
  })
  listBottles(@Query() query: ListBottlesQuery): Promise<Page<ListedBottleDto>> {
    return this.lookup.list(query);
  }

  @ApiOperation({ summary: 'Returns the current state of a bottle, with reasons' })
  @Get(':id')
  @AnswersNotModified()
  @Audited({ action: 'bottle.read', kind: 'bottle' })
  @ApiOkResponse({ type: BottleDto })
  async getBottle(
    @IdParam() id: Types.ObjectId,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BottleDto> {
    const { version, view } = await this.lookup.get(id);
    sendVersion(reply, version, view);
    return view;
  }

  @ApiOperation({ summary: 'Changes the user, the medication or the time zone of a bottle' })
  @Patch(':id')
  @Audited({ action: 'bottle.change', kind: 'bottle', keep: ['time_zone', 'dose_times', 'plan_of'] })
  @Roles('support')
  @ApiOkResponse({ type: ChangedBottleDto })
  async changeBottle(
    @IdParam() id: Types.ObjectId,
    @Body() body: ChangeBottleDto,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedBottleDto> {
    const moved = await this.bottles.change(id, body, expected);
    return { ...(await this.getBottle(id, reply)), moved_doses: viewsOf(MovedDoseDto)(moved) };
  }

  @ApiOperation({
    summary: 'Returns the next doses before and after a move to another time zone',
    description: 'Nothing is stored.',
  })
  @Post(':id/move/preview')
  @Audited({ action: 'bottle.read', kind: 'bottle', reads: true })
  @HttpCode(200)
  @ApiOkResponse({ type: MovePreviewDto })
  async previewMove(@IdParam() id: Types.ObjectId, @Body() body: MoveDto): Promise<MovePreviewDto> {
    return viewOf(MovePreviewDto, { doses: await this.bottles.previewMove(id, body) });
  }

  @ApiOperation({
    summary: 'Replaces the token of the device',
    description: 'The old one stops working within a minute.',
  })
  @Post(':id/token')
  @Audited({ action: 'bottle.rotate_token', kind: 'bottle' })
  @Roles('support')
  @Creates(NewTokenDto)
  rotateBottleToken(@IdParam() id: Types.ObjectId): Promise<NewTokenDto> {
    return this.bottles.rotateToken(id);
  }

  @ApiOperation({
    summary: 'Sets a schedule from now on, or from its `effective_from`: a step of the plan',
    description:
      'It replaces a step that begins at the same time. The previous step applies to earlier doses, and later steps stay, unless `replaces_later` is true.',
  })
  @Put(':id/schedule')
  @Audited({ action: 'bottle.set_schedule', kind: 'bottle', keep: ['replaces', 'replaces_later'] })
  @Roles('support')
  @ApiOkResponse({ type: SavedScheduleDto })
  async setSchedule(
    @IdParam() id: Types.ObjectId,
    @Body() body: SetScheduleDto,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedScheduleDto> {
    const { bottle, saved } = await this.schedules.set(id, body, expected);
    sendVersion(reply, versionOf(bottle));
    return viewOf(SavedScheduleDto, saved);
  }

  @ApiOperation({
    summary: 'Removes a step of the plan and returns the plan',
    description:
      'Its time, from now on, is that of the step before it. A step in effect that has none before it stays (409 `first_step`).',
  })
  @Delete(':id/schedule')
  @Audited({ action: 'bottle.remove_step', kind: 'bottle', keep: ['effective_from'] })
  @Roles('support')
  @ApiOkResponse({ type: PlanDto })
  async removeStep(
    @IdParam() id: Types.ObjectId,
    @Query() { effective_from }: RemoveStepQuery,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanDto> {
    const { bottle, plan } = await this.schedules.remove(id, effective_from, expected);
    sendVersion(reply, versionOf(bottle));
    return viewOf(PlanDto, { plan });
  }

  @ApiOperation({
    summary: 'Returns the plan as a schedule would change it, and the next doses',
    description: 'Nothing is stored.',
  })
  @Post(':id/schedule/preview')
  @Audited({ action: 'bottle.read', kind: 'bottle', reads: true })
  @HttpCode(200)
  @ApiOkResponse({ type: SchedulePreviewDto })
  async previewSchedule(
    @IdParam() id: Types.ObjectId,
    @Body() body: SetScheduleDto,
  ): Promise<SchedulePreviewDto> {
    return viewOf(SchedulePreviewDto, await this.schedules.preview(id, body));
  }

  @ApiOperation({
    summary: 'Returns the next doses of a schedule of a bottle that is not registered yet',
    description: 'Nothing is stored.',
  })
  @Post('schedule/preview')
  @NoPatientData()
  @HttpCode(200)
  @ApiOkResponse({ type: SchedulePreviewDto })
  previewNewSchedule(@Body() body: PreviewScheduleDto): SchedulePreviewDto {
    return viewOf(SchedulePreviewDto, this.schedules.previewNew(body));
  }

  @ApiOperation({
    summary: 'Adds a pause: no dose is to be taken between `from`, which may be past, and `to`',
    description: 'It is a period without monitoring with the reason `pause`.',
  })
  @Post(':id/pauses')
  @Audited({ action: 'bottle.pause', kind: 'bottle', keep: ['from', 'to'] })
  @Roles('support')
  @Creates(PauseViewDto)
  async pauseBottle(
    @IdParam() id: Types.ObjectId,
    @Body() { from, to }: PauseDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PauseViewDto> {
    const pause = { reason: 'pause' as const, to, ...(from !== undefined && { from }) };
    const { bottle, made } = await this.periods.add(id, pause, name, expected);
    sendVersion(reply, versionOf(bottle));
    return { from: made.from, to: made.to! };
  }

  @ApiOperation({ summary: 'Ends a current pause, or removes a future one' })
  @Delete(':id/pauses')
  @Audited({ action: 'bottle.end_pause', kind: 'bottle', keep: ['from'] })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  endPause(
    @IdParam() id: Types.ObjectId,
    @Query() { from }: EndPauseQuery,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
  ): Promise<void> {
    return this.periods.endPause(id, from, name, expected);
  }
}
