import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { MetricsModule } from '#platform';
import { FleetController } from './fleet.controller.js';
import { FleetMetrics } from './fleet-metrics.js';
import { FleetService } from './fleet.service.js';

/** The whole fleet in numbers. */
@Module({
  imports: [TimeseriesModule, MetricsModule],
  controllers: [FleetController],
  providers: [FleetService, FleetMetrics],
  exports: [FleetService],
})
export class FleetModule {}
