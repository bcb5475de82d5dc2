import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';

/** The whole fleet in numbers. */
@Module({ imports: [TimeseriesModule], controllers: [FleetController], providers: [FleetService] })
export class FleetModule {}
