import { TimeseriesModule } from '#timeseries';
import { Module } from '@nestjs/common';
import { BottlesModule } from '../bottles/bottles.module.js';
import { BottleRecords } from './bottle-records.js';
import { ErasureService } from './erasure.service.js';
import { ExportService } from './export.service.js';
import { ErasuresFile } from './erasures-file.js';
import { PeopleService } from './people.service.js';
import { ErasureController, ExportController, PeopleController } from './personal-data.controllers.js';

/** The right to one's data: exporting and erasing everything that is stored about a bottle or a person. */
@Module({
  imports: [BottlesModule, TimeseriesModule],
  controllers: [ErasureController, ExportController, PeopleController],
  providers: [BottleRecords, ErasureService, ExportService, ErasuresFile, PeopleService],
})
export class PersonalDataModule {}
