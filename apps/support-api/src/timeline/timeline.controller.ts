import { Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { TIMELINE_COLUMNS, TimelineEntryDto, TimelineQuery } from './timeline.dto.js';
import { TimelineService } from './timeline.service.js';

@StaffController('v1/bottles/:id', 'history', 'viewer')
@Audited({ action: 'bottle.read', kind: 'bottle' })
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  @ApiOperation({
    summary:
      'Lists reports, refused reports, missing heartbeats, alerts and notifications of a bottle, newest first',
    description: 'A page may be short.',
  })
  @GetList(TimelineEntryDto, 'timeline', { columns: TIMELINE_COLUMNS })
  getTimeline(@IdParam() id: Types.ObjectId, @Query() query: TimelineQuery): Promise<Page<TimelineEntryDto>> {
    return this.timeline.of(id, query);
  }
}
