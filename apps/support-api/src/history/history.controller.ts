import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import { AdherenceDto, AdherenceQuery } from './adherence.dto.js';
import { AdherenceService } from './adherence.service.js';
import { HistoryQuery } from './history-query.dto.js';
import {
  ACTION_COLUMNS,
  ActionDto,
  DOSE_COLUMNS,
  DoseDto,
  HEARTBEAT_COLUMNS,
  HeartbeatDto,
} from './history-views.dto.js';
import { HistoryService } from './history.service.js';

@StaffController('v1/bottles/:id', 'history', 'viewer')
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly adherenceFigures: AdherenceService,
  ) {}

  /** Openings and closings, newest first. */
  @Get('actions')
  @AlsoCsv(ACTION_COLUMNS)
  @ApiOkResponse({ type: PageOf(ActionDto) })
  actions(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<ActionDto>> {
    return this.history.actions(id, query);
  }

  /** Heartbeats, newest first; they are kept for HEARTBEAT_RETENTION. */
  @Get('heartbeats')
  @AlsoCsv(HEARTBEAT_COLUMNS)
  @ApiOkResponse({ type: PageOf(HeartbeatDto) })
  heartbeats(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<HeartbeatDto>> {
    return this.history.heartbeats(id, query);
  }

  /** Doses that were judged, newest first. */
  @Get('doses')
  @AlsoCsv(DOSE_COLUMNS)
  @ApiOkResponse({ type: PageOf(DoseDto) })
  doses(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<DoseDto>> {
    return this.history.doses(id, query);
  }

  /** How well the doses were taken, with numerators and denominators. */
  @Get('adherence')
  @ApiOkResponse({ type: AdherenceDto })
  adherence(@IdParam() id: Types.ObjectId, @Query() query: AdherenceQuery): Promise<AdherenceDto> {
    return this.adherenceFigures.of(id, query);
  }
}
