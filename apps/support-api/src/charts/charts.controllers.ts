import { Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/object-id.js';
import { ChartDto, HeatMapDto } from './chart.dto.js';
import { BottleChartQuery, FleetChartQuery, HeatMapQuery } from './chart-query.dto.js';
import { ChartsService } from './charts.service.js';
import { EtagInterceptor } from './etag.interceptor.js';

@StaffController('v1/fleet', 'charts', 'viewer')
@UseInterceptors(EtagInterceptor)
export class FleetChartsController {
  constructor(private readonly charts: ChartsService) {}

  /** What the fleet did. At most 500 points, from at most 48 documents; `ETag` and `If-None-Match` are understood. */
  @Get('charts')
  @ApiOkResponse({ type: ChartDto })
  chart(@Query() query: FleetChartQuery): Promise<ChartDto> {
    return this.charts.fleet(query);
  }

  /** When people take a medication: weekday by hour. */
  @Get('heatmap')
  @ApiOkResponse({ type: HeatMapDto })
  heatMap(@Query() query: HeatMapQuery): Promise<HeatMapDto> {
    return this.charts.heatMap(query);
  }
}

@StaffController('v1/bottles/:id', 'charts', 'viewer')
@UseInterceptors(EtagInterceptor)
export class BottleChartsController {
  constructor(private readonly charts: ChartsService) {}

  /** What the bottle said of itself: average, least and greatest of each step. */
  @Get('charts')
  @ApiOkResponse({ type: ChartDto })
  chart(@IdParam() id: Types.ObjectId, @Query() query: BottleChartQuery): Promise<ChartDto> {
    return this.charts.bottle(id, query);
  }
}
