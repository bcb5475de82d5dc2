import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { BottleSearch } from './bottle-search.js';
import { BottlesController, CanariesController } from './bottles.controller.js';
import { BottlesService } from './bottles.service.js';
import { LifeController } from './life.controller.js';
import { LifeService } from './life.service.js';
import { LookupService } from './lookup.service.js';
import { MonitoredSinceService } from './monitored-since.service.js';
import { BottlePeriodsController, PersonsPeriodsController } from './periods.controllers.js';
import { PeriodsService } from './periods.service.js';
import { PeopleIndex } from './people-index.js';
import { PlansController } from './plans.controller.js';
import { PlansService } from './plans.service.js';
import { SchedulesService } from './schedules.service.js';
import { SearchIndex } from './search-index.js';
import { SharedPlansService } from './shared-plans.service.js';
import { TodayService } from './today.service.js';
import { VersionBefore } from './version-before.js';

/** The registry: registering, finding and changing bottles, their schedules and periods without monitoring. */
@Module({
  imports: [AlertsModule],
  controllers: [
    PlansController,
    BottlesController,
    CanariesController,
    LifeController,
    BottlePeriodsController,
    PersonsPeriodsController,
  ],
  providers: [
    BottlesService,
    BottleSearch,
    LifeService,
    LookupService,
    MonitoredSinceService,
    PeopleIndex,
    PeriodsService,
    PlansService,
    SchedulesService,
    SearchIndex,
    SharedPlansService,
    TodayService,
    VersionBefore,
  ],
  exports: [
    BottleSearch,
    MonitoredSinceService,
    PeopleIndex,
    PeriodsService,
    SearchIndex,
    SharedPlansService,
    TodayService,
  ],
})
export class BottlesModule {}
