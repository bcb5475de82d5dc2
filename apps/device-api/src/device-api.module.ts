import { DatabaseStatus, PersistenceModule } from '#persistence';
import { Clock, HealthModule, LifecycleModule, MetricsModule, SystemClock } from '#platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { ActionsController } from './actions/actions.controller.js';
import { RateLimits } from './auth/rate-limits.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { DeviceApiConfig } from './config.js';
import { HeartbeatsController } from './heartbeats/heartbeats.controller.js';
import { ListeningRecorder } from './listening/listening-recorder.js';
import { ReportCounters } from './reports/report-counters.js';
import { ReportReader } from './reports/report-reader.js';
import { ReportsService } from './reports/reports.service.js';
import { ReportWriter } from './reports/report-writer.js';

/** REST for bottles: writes the log and the bottle's state, and nothing else. */
@Module({})
export class DeviceApiModule {
  static forRoot(config: DeviceApiConfig, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: DeviceApiModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        HealthModule.forRoot(DatabaseStatus),
      ],
      controllers: [HeartbeatsController, ActionsController, BatchController],
      providers: [
        { provide: DeviceApiConfig, useValue: config },
        { provide: Clock, useValue: clock },
        RateLimits,
        ReportReader,
        ReportWriter,
        ReportCounters,
        ReportsService,
        BatchService,
        ListeningRecorder,
      ],
    };
  }
}
