import { DatabaseStatus, PersistenceModule } from '#persistence';
import { Clock, HealthModule, LifecycleModule, MetricsModule, SystemClock } from '#platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AlertsService } from './alerts/alerts.service.js';
import { FleetIncidents } from './alerts/fleet-incidents.js';
import { DoseJudgement } from './checks/dose-judgement.js';
import { DosesCheck } from './checks/doses.check.js';
import { OpenBottlesCheck } from './checks/open-bottles.check.js';
import { SilentBottlesCheck } from './checks/silent-bottles.check.js';
import { NotifierConfig } from './config.js';
import { Deliverer } from './delivery/deliverer.js';
import { EmailChannel } from './delivery/email.channel.js';
import { Links } from './delivery/links.js';
import { LogChannel } from './delivery/log.channel.js';
import { OutboxService } from './delivery/outbox.service.js';
import { Recipients } from './delivery/recipients.js';
import { WebhookChannel } from './delivery/webhook.channel.js';
import { Reconcile } from './reconcile/reconcile.js';
import { StateRepair } from './reconcile/state-repair.js';
import { Jobs } from './schedule/jobs.js';

/** Scheduled checks, alerts, delivery. No device traffic; its HTTP is health and metrics only. */
@Module({})
export class NotifierModule {
  /** @param jobs false leaves the clock's jobs out: tests and scenarios run the checks themselves. */
  static forRoot(config: NotifierConfig, clock: Clock = new SystemClock(), jobs = true): DynamicModule {
    return {
      module: NotifierModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        ScheduleModule.forRoot(),
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        HealthModule.forRoot(DatabaseStatus),
      ],
      providers: [
        { provide: NotifierConfig, useValue: config },
        { provide: Clock, useValue: clock },
        AlertsService,
        FleetIncidents,
        OutboxService,
        Deliverer,
        WebhookChannel,
        EmailChannel,
        LogChannel,
        Recipients,
        Links,
        DoseJudgement,
        SilentBottlesCheck,
        OpenBottlesCheck,
        DosesCheck,
        StateRepair,
        Reconcile,
        ...(jobs ? [Jobs] : []),
      ],
    };
  }
}
