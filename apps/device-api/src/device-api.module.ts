import { DatabaseStatus, PersistenceModule } from '#persistence';
import { AddressLimit, Clock, ClockModule, HealthModule, LifecycleModule, MetricsModule } from '#platform';
import { TimeseriesModule } from '#timeseries';
import { type DynamicModule, Module } from '@nestjs/common';
import { DeviceGuard, DeviceTokens } from './auth/device.guard.js';
import { GatewayGuard, GatewayTokens } from './auth/gateway.guard.js';
import { RegistryWatch } from './auth/registry-watch.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { DeviceApiConfig } from './config.js';
import { CoverageRecorder } from './coverage-recorder.js';
import { BottleDirectory } from './gateway/bottle-directory.js';
import { GatewayController } from './gateway/gateway.controller.js';
import { GatewayService } from './gateway/gateway.service.js';
import { Activity } from './reports/activity.js';
import { RepeatedActions } from './reports/repeated-actions.js';
import { ReportCounters } from './reports/report-counters.js';
import { ReportProblems } from './reports/report-problems.js';
import { Refusals } from './reports/refusals.js';
import { ReportLog } from './reports/report-log.js';
import { ActionsController, HeartbeatsController } from './reports/reports.controllers.js';
import { ReportsService } from './reports/reports.service.js';
import { ReportWriter } from './reports/report-writer.js';

/** REST for bottles: writes the log and the bottle's state, and nothing else. */
@Module({})
export class DeviceApiModule {
  /** @param counting false leaves out the live chart: scenarios do not use it. */
  static forRoot(config: DeviceApiConfig, clock?: Clock, counting = true): DynamicModule {
    return {
      module: DeviceApiModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        ...(counting ? [TimeseriesModule] : []),
        ClockModule.forRoot(DatabaseStatus, clock),
        HealthModule.forRoot(DatabaseStatus),
      ],
      controllers: [HeartbeatsController, ActionsController, BatchController, GatewayController],
      providers: [
        { provide: DeviceApiConfig, useValue: config },
        RegistryWatch,
        {
          provide: AddressLimit,
          useFactory: (source: Clock) => new AddressLimit(config.WRONG_TOKEN_LIMIT, source),
          inject: [Clock],
        },
        DeviceTokens,
        DeviceGuard,
        GatewayTokens,
        GatewayGuard,
        BottleDirectory,
        RepeatedActions,
        ReportLog,
        ReportWriter,
        ReportCounters,
        ReportProblems,
        Refusals,
        Activity,
        ReportsService,
        BatchService,
        GatewayService,
        CoverageRecorder,
      ],
    };
  }
}
