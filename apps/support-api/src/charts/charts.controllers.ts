import { Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/ids.js';
import { GetTable, GetTableOf } from '../http/list.js';
import {
  BottleChartQuery,
  ChartDto,
  chartTable,
  FleetChartQuery,
  ComparedDto,
  ComparisonQuery,
  FleetComparisonDto,
  HeatMapDto,
  HeatMapQuery,
} from './chart.dto.js';
import { ChartsService } from './charts.service.js';
import { ComparisonService } from './comparison.service.js';
import { EtagInterceptor } from '../http/etag.js';

@StaffController('v1/fleet', 'charts', 'viewer')
@NoPatientData()
@UseInterceptors(EtagInterceptor)
export class FleetChartsController {
  constructor(
    private readonly charts: ChartsService,
    private readonly comparison: ComparisonService,
  ) {}

  @ApiOperation({
    summary: 'Returns a chart of the fleet: at most 500 points, from at most 48 documents',
    description: 'Supports `If-None-Match`. CSV has a line for each point.',
  })
  @GetTableOf(ChartDto, 'charts', chartTable)
  getFleetChart(@Query() query: FleetChartQuery): Promise<ChartDto> {
    return this.charts.fleet(query);
  }

  @ApiOperation({
    summary: 'Returns what is unusual now: the last whole hour beside the same hour of the last four weeks',
    description:
      'Reports, alerts and notifications. Doses are not compared: they get their outcomes later. CSV has a line for each item.',
  })
  @GetTable(FleetComparisonDto, 'comparison', { row: ComparedDto, rowsOf: ({ items }) => items })
  getFleetComparison(@Query() query: ComparisonQuery): Promise<FleetComparisonDto> {
    return this.comparison.fleet(query);
  }

  @ApiOperation({ summary: 'Returns when people take a medication, by weekday and hour' })
  @Get('heatmap')
  @ApiOkResponse({ type: HeatMapDto })
  getHeatMap(@Query() query: HeatMapQuery): Promise<HeatMapDto> {
    return this.charts.heatMap(query);
  }
}

@StaffController('v1/bottles/:id', 'charts', 'viewer')
@Audited({ action: 'bottle.read', kind: 'bottle' })
@UseInterceptors(EtagInterceptor)
export class BottleChartsController {
  constructor(private readonly charts: ChartsService) {}

  @ApiOperation({
    summary: "Returns a chart of a bottle's vitals: average, minimum and maximum of each step",
  })
  @GetTableOf(ChartDto, 'charts', chartTable)
  getBottleChart(@IdParam() id: Types.ObjectId, @Query() query: BottleChartQuery): Promise<ChartDto> {
    return this.charts.bottle(id, query);
  }
}
