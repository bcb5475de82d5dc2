import { DatabaseStatus, PersistenceModule } from '#persistence';
import { type Clock, ClockModule, HealthModule, LifecycleModule, MetricsModule } from '#platform';
import { TimeseriesModule } from '#timeseries';
import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { alertKindProviders } from './alert-kinds/index.js';
import { AlertsService } from './alerts/alerts.service.js';
import { AlertTraces } from './alerts/alert-traces.js';
import { Flapping } from './alerts/flapping.js';
import { ChartUpkeep } from './charts/chart-upkeep.js';
import { NotifierConfig } from './config.js';
import { AddressHealth } from './delivery/address-health.js';
import { AddressVerification } from './delivery/address-verification.js';
import { TestMessages } from './delivery/test-messages.js';
import { AttemptLimit } from './delivery/attempt-limit.js';
import { AttemptWriter } from './delivery/attempt-writer.js';
import { channelProviders } from './delivery/channels/index.js';
import { EndpointUpkeep } from './delivery/channels/webhook/endpoint-upkeep.js';
import { Deliverer } from './delivery/deliverer.js';
import { Messages } from './delivery/message.js';
import { OutboxService } from './delivery/outbox.service.js';
import { Receipts } from './delivery/receipts.js';
import { Recipients } from './delivery/recipients.js';
import { RefusalSummary } from './delivery/refusal-summary.js';
import { Recovery } from './delivery/recovery.js';
import { SendContexts } from './delivery/send-context.js';
import { Sender } from './delivery/sender.js';
import { Throttle } from './delivery/throttle.js';
import { NextDoses } from './doses/next-doses.js';
import { Reconcile } from './reconcile/reconcile.js';
import { StateRepair } from './states/state-repair.js';
import { JobMetrics } from './schedule/job-metrics.js';
import { Jobs } from './schedule/jobs.js';
import { Scheduler } from './schedule/scheduler.js';

/** Scheduled checks, alerts, delivery. No device traffic; its HTTP is health and metrics only. */
@Module({})
export class NotifierModule {
  /** @param jobs false leaves the clock's jobs out: tests and scenarios run the checks themselves. */
  static forRoot(config: NotifierConfig, clock?: Clock, jobs = true): DynamicModule {
    return {
      module: NotifierModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        TimeseriesModule,
        ClockModule.forRoot(DatabaseStatus, clock),
        HealthModule.forRoot(DatabaseStatus),
        ...(jobs ? [ScheduleModule.forRoot()] : []),
      ],
      providers: [
        { provide: NotifierConfig, useValue: config },
        AlertsService,
        AlertTraces,
        Flapping,
        ...alertKindProviders,
        OutboxService,
        Deliverer,
        ...channelProviders,
        SendContexts,
        Sender,
        AttemptLimit,
        AttemptWriter,
        Receipts,
        RefusalSummary,
        Recovery,
        Throttle,
        Recipients,
        Messages,
        AddressHealth,
        AddressVerification,
        TestMessages,
        EndpointUpkeep,
        NextDoses,
        StateRepair,
        Reconcile,
        ChartUpkeep,
        ...(jobs ? [JobMetrics, Scheduler, Jobs] : []),
      ],
    };
  }
}
