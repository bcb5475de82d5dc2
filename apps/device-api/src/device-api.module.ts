import { DatabaseStatus, PersistenceModule } from '#persistence';
import { Clock, HealthModule, LifecycleModule, MetricsModule, SystemClock } from '#platform';
import { ActivityRecorder, TimeseriesModule } from '#timeseries';
import { type DynamicModule, Module } from '@nestjs/common';
import { ActionsController } from './actions/actions.controller.js';
import { DeviceTokens } from './auth/device.guard.js';
import { GatewayTokens } from './auth/gateway.guard.js';
import { RegistryWatch } from './auth/registry-watch.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { BatchWriter } from './batch/batch-writer.js';
import { DeviceApiConfig } from './config.js';
import { BottleDirectory } from './gateway/bottle-directory.js';
import { GatewayController } from './gateway/gateway.controller.js';
import { GatewayService } from './gateway/gateway.service.js';
import { HeartbeatsController } from './heartbeats/heartbeats.controller.js';
import { ListeningRecorder } from './listening/listening-recorder.js';
import { Activity } from './reports/activity.js';
import { ReportCounters } from './reports/report-counters.js';
import { ReportLog } from './reports/report-log.js';
import { ReportsService } from './reports/reports.service.js';
import { ReportWriter } from './reports/report-writer.js';
import { StateWriter } from './reports/state-writer.js';

/** REST for bottles: writes the log and the bottle's state, and nothing else. */
@Module({})
export class DeviceApiModule {
  /** @param counting false leaves the charts out: scenarios look at none, and a benchmark asks what they cost. */
  static forRoot(config: DeviceApiConfig, clock: Clock = new SystemClock(), counting = true): DynamicModule {
    return {
      module: DeviceApiModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        TimeseriesModule,
        HealthModule.forRoot(DatabaseStatus),
      ],
      controllers: [HeartbeatsController, ActionsController, BatchController, GatewayController],
      providers: [
        { provide: DeviceApiConfig, useValue: config },
        { provide: Clock, useValue: clock },
        RegistryWatch,
        DeviceTokens,
        GatewayTokens,
        BottleDirectory,
        ReportLog,
        StateWriter,
        ReportWriter,
        ReportCounters,
        ...(counting ? [ActivityRecorder] : []),
        Activity,
        ReportsService,
        BatchWriter,
        BatchService,
        GatewayService,
        ListeningRecorder,
      ],
    };
  }
}
