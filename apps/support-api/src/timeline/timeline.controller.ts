import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import { TIMELINE_COLUMNS, TimelineEntryDto, TimelineQuery } from './timeline.dto.js';
import { TimelineService } from './timeline.service.js';

@StaffController('v1/bottles/:id', 'history', 'viewer')
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  /** What was reported, missed, raised, ended and told of a bottle, newest first. A page may be shorter than asked. */
  @Get('timeline')
  @AlsoCsv(TIMELINE_COLUMNS)
  @ApiOkResponse({ type: PageOf(TimelineEntryDto) })
  of(@IdParam() id: Types.ObjectId, @Query() query: TimelineQuery): Promise<Page<TimelineEntryDto>> {
    return this.timeline.of(id, query);
  }
}
