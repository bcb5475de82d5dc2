import { Body, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
} from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, ChangesNothing } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import {
  ChangeBottleDto,
  EndPauseQuery,
  ListBottlesQuery,
  PauseDto,
  RegisterBottleDto,
  SetScheduleDto,
} from './bottle-requests.dto.js';
import { CsvBody } from './import/csv-body.js';
import { ImportedBottlesDto } from './import/import.dto.js';
import {
  BOTTLE_COLUMNS,
  BottleDto,
  BottleSummaryDto,
  ComingDosesDto,
  NewTokenDto,
  PauseViewDto,
  RegisteredBottleDto,
  ScheduleVersionDto,
  versionView,
} from './bottle-views.dto.js';
import { BottlesService } from './bottles.service.js';
import { LookupService } from './lookup.service.js';
import { PausesService } from './pauses.service.js';
import { SchedulesService } from './schedules.service.js';

const imported = ({ created }: ImportedBottlesDto) => created.map(({ bottle_id: id }) => ({ id }));

@StaffController('v1/bottles', 'bottles', 'viewer')
export class BottlesController {
  constructor(
    private readonly bottles: BottlesService,
    private readonly lookup: LookupService,
    private readonly schedules: SchedulesService,
    private readonly pauses: PausesService,
  ) {}

  /** A new bottle, and the token that its device is to send. */
  @Post()
  @Audited({ action: 'bottle.register', kind: 'bottle', idIn: 'bottle_id', keep: ['time_zone'] })
  @Roles('support')
  @ApiCreatedResponse({ type: RegisteredBottleDto })
  register(@Body() body: RegisterBottleDto): Promise<RegisteredBottleDto> {
    return this.bottles.register(body);
  }

  /**
   * New bottles from CSV: all of them, or none and what is wrong in which line. The first line names the columns:
   * user_id, medication, time_zone, and if known number_of_pills, times (`08:00 20:00`) and pills_per_dose.
   */
  @Post('import')
  @Audited({ action: 'bottle.register', kind: 'bottle', each: imported })
  @Roles('support')
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string' } })
  @ApiCreatedResponse({ type: ImportedBottlesDto })
  registerMany(@CsvBody() csv: string): Promise<ImportedBottlesDto> {
    return this.bottles.registerMany(csv);
  }

  /** Bottles by status, owner and medication, in the order of their ids; or all that a part of them leads to. */
  @Get()
  @AlsoCsv(BOTTLE_COLUMNS)
  @ApiOkResponse({ type: PageOf(BottleSummaryDto) })
  list(@Query() query: ListBottlesQuery): Promise<Page<BottleSummaryDto>> {
    return this.lookup.list(query);
  }

  /** How a bottle is now, and why. */
  @Get(':id')
  @ApiOkResponse({ type: BottleDto })
  get(@IdParam() id: Types.ObjectId): Promise<BottleDto> {
    return this.lookup.get(id);
  }

  /** Changes whose it is, what is in it, or where it is at home. */
  @Patch(':id')
  @Audited({ action: 'bottle.change', kind: 'bottle', keep: ['time_zone'] })
  @Roles('support')
  @ApiOkResponse({ type: BottleDto })
  async change(@IdParam() id: Types.ObjectId, @Body() body: ChangeBottleDto): Promise<BottleDto> {
    await this.bottles.change(id, body);
    return this.lookup.get(id);
  }

  /** A new token for the device; the old one stops working. */
  @Post(':id/token')
  @Audited({ action: 'bottle.rotate_token', kind: 'bottle' })
  @Roles('support')
  @ApiCreatedResponse({ type: NewTokenDto })
  rotateToken(@IdParam() id: Types.ObjectId): Promise<NewTokenDto> {
    return this.bottles.rotateToken(id);
  }

  /** A schedule from now on, or from its `effective_from`. Doses before that are judged by the one before. */
  @Put(':id/schedule')
  @Audited({ action: 'bottle.set_schedule', kind: 'bottle' })
  @Roles('support')
  @ApiOkResponse({ type: ScheduleVersionDto })
  async setSchedule(
    @IdParam() id: Types.ObjectId,
    @Body() body: SetScheduleDto,
  ): Promise<ScheduleVersionDto> {
    return versionView(await this.schedules.set(id, body.schedule));
  }

  /** The next doses that would come of a schedule. Nothing is stored. */
  @Post(':id/schedule/preview')
  @ChangesNothing()
  @HttpCode(200)
  @ApiOkResponse({ type: ComingDosesDto })
  async preview(@IdParam() id: Types.ObjectId, @Body() body: SetScheduleDto): Promise<ComingDosesDto> {
    const slots = await this.schedules.preview(id, body.schedule);
    return { doses: slots.map(({ scheduled_at, pills }) => ({ scheduled_at, pills })) };
  }

  /** A pause: no dose is due from `from`, or from now, to `to`. */
  @Post(':id/pauses')
  @Audited({ action: 'bottle.pause', kind: 'bottle', keep: ['from', 'to'] })
  @Roles('support')
  @ApiCreatedResponse({ type: PauseViewDto })
  pause(@IdParam() id: Types.ObjectId, @Body() body: PauseDto): Promise<PauseViewDto> {
    return this.pauses.add(id, { ...body });
  }

  /** Ends a pause that runs, or takes away one that is to come. */
  @Delete(':id/pauses')
  @Audited({ action: 'bottle.end_pause', kind: 'bottle' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  endPause(@IdParam() id: Types.ObjectId, @Query() { from }: EndPauseQuery): Promise<void> {
    return this.pauses.end(id, from);
  }
}
