import { Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Audited, bottleAndOwner } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { BottleFiguresDto, FleetAdherenceQuery } from './fleet-adherence.dto.js';
import { FleetAdherenceService } from './fleet-adherence.service.js';

@StaffController('v1/fleet/adherence', 'fleet', 'viewer')
export class FleetAdherenceController {
  constructor(private readonly figures: FleetAdherenceService) {}

  @ApiOperation({
    summary: 'Lists the figures of the taxonomy of adherence of every bottle, by registration',
    description:
      "Of each bottle its present owner's part: first dose, share of days with the prescribed amount, last dose. Default: " +
      'the last 30 days; at most 1,100.',
  })
  @GetList(BottleFiguresDto)
  @Audited({
    action: 'bottle.list',
    kind: 'list',
    id: 'adherence',
    shows: { by: ['cursor'], in: ({ items }: Page<BottleFiguresDto>) => items.flatMap(bottleAndOwner) },
  })
  listFleetAdherence(@Query() query: FleetAdherenceQuery): Promise<Page<BottleFiguresDto>> {
    return this.figures.list(query);
  }
}
