import { Module } from '@nestjs/common';
import { BottleSearch } from './bottle-search.js';
import { BottlesController } from './bottles.controller.js';
import { BottlesService } from './bottles.service.js';
import { LookupService } from './lookup.service.js';
import { SchedulesService } from './schedules.service.js';
import { SearchIndex } from './search-index.js';
import { TodayService } from './today.service.js';

/** The registry: registering, finding and changing bottles, their schedules and pauses. */
@Module({
  controllers: [BottlesController],
  providers: [BottlesService, BottleSearch, LookupService, SchedulesService, SearchIndex, TodayService],
  exports: [SearchIndex],
})
export class BottlesModule {}
