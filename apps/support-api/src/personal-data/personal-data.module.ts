import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { BottlesModule } from '../bottles/bottles.module.js';
import { ErasureService } from './erasure.service.js';
import { ExportService } from './export.service.js';
import { ErasureController, ExportController } from './personal-data.controllers.js';

/** The right to one's data: exporting and erasing everything that is stored about a bottle. */
@Module({
  imports: [BottlesModule, TimeseriesModule],
  controllers: [ErasureController, ExportController],
  providers: [ErasureService, ExportService],
})
export class PersonalDataModule {}
