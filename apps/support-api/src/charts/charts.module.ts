import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { BottleChartsController, FleetChartsController } from './charts.controllers.js';
import { ComparisonService } from './comparison.service.js';
import { ChartsService } from './charts.service.js';

/** Charts of the fleet and of single bottles. */
@Module({
  imports: [TimeseriesModule],
  controllers: [FleetChartsController, BottleChartsController],
  providers: [ChartsService, ComparisonService],
})
export class ChartsModule {}
