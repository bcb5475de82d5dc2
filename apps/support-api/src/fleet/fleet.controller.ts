import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { CoverageGapsDto, CoverageGapsQuery, FleetDto } from './fleet.dto.js';
import { FleetService } from './fleet.service.js';

@StaffController('v1/fleet', 'fleet', 'viewer')
export class FleetController {
  constructor(private readonly fleet: FleetService) {}

  @ApiOperation({
    summary: 'Returns bottles by status, open alerts, the ingest rate, and the lag of the notifier',
  })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: FleetDto })
  getFleet(): Promise<FleetDto> {
    return this.fleet.overview();
  }

  @ApiOperation({
    summary: 'Lists coverage gaps, newest first',
    description:
      'Times longer than COVERAGE_GAP_AFTER in which no device-api accepted reports, or no notifier ran its checks.',
  })
  @Get('coverage-gaps')
  @NoPatientData()
  @ApiOkResponse({ type: CoverageGapsDto })
  listCoverageGaps(@Query() query: CoverageGapsQuery): Promise<CoverageGapsDto> {
    return this.fleet.coverageGaps(query);
  }
}
