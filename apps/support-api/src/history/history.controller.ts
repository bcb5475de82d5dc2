import { Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/ids.js';
import { GetAll, GetList, GetTable } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { AdherenceService } from './adherence.service.js';
import {
  ActionDto,
  AdherenceDto,
  AdherenceQuery,
  DoseDto,
  HeartbeatDto,
  HistoryQuery,
} from './history.dto.js';
import { HistoryService } from './history.service.js';
import { DosingDayDto } from './taxonomy.dto.js';

@StaffController('v1/bottles/:id', 'history', 'viewer')
@Audited({ action: 'bottle.read', kind: 'bottle' })
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly adherenceFigures: AdherenceService,
  ) {}

  @ApiOperation({ summary: 'Lists openings and closings, newest first' })
  @GetList(ActionDto, 'actions')
  listActions(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<ActionDto>> {
    return this.history.actions(id, query);
  }

  @ApiOperation({
    summary: 'Lists heartbeats, newest first',
    description: 'They are kept for HEARTBEAT_RETENTION.',
  })
  @GetList(HeartbeatDto, 'heartbeats')
  listHeartbeats(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<HeartbeatDto>> {
    return this.history.heartbeats(id, query);
  }

  @ApiOperation({ summary: 'Lists doses with their outcomes, newest first' })
  @GetList(DoseDto, 'doses')
  listDoses(@IdParam() id: Types.ObjectId, @Query() query: HistoryQuery): Promise<Page<DoseDto>> {
    return this.history.doses(id, query);
  }

  @ApiOperation({
    summary: 'Lists the days of the plan, and which of them have the prescribed amount, oldest first',
    description:
      'Whole calendar days of the range that are over: what was removed from 03:00 to 03:00 of the next day, and what was ' +
      "due. Measured and with people's word.",
  })
  @GetAll(DosingDayDto, 'adherence/days')
  listDosingDays(
    @IdParam() id: Types.ObjectId,
    @Query() query: AdherenceQuery,
  ): Promise<{ items: DosingDayDto[] }> {
    return this.adherenceFigures.listDays(id, query);
  }

  @ApiOperation({
    summary: 'Returns adherence figures, with numerators and denominators: as measured, and with reports',
    description:
      "The figures with people's word are in `reported`; `reported.attested` is the share that rests on it. " +
      'CSV has all of them in one line.',
  })
  @GetTable(AdherenceDto, 'adherence')
  getAdherence(@IdParam() id: Types.ObjectId, @Query() query: AdherenceQuery): Promise<AdherenceDto> {
    return this.adherenceFigures.of(id, query);
  }
}
