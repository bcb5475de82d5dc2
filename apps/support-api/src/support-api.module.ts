import { DatabaseStatus, PersistenceModule } from '#persistence';
import { Clock, HealthModule, LifecycleModule, MetricsModule, SystemClock } from '#platform';
import { TimeseriesModule } from '#timeseries';
import { type DynamicModule, Module } from '@nestjs/common';
import { AlertDeedsService } from './alerts/alert-deeds.service.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AlertsService } from './alerts/alerts.service.js';
import { AuditLog } from './audit/audit-log.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { BottlesController } from './bottles/bottles.controller.js';
import { BottlesService } from './bottles/bottles.service.js';
import { FindService } from './bottles/find.service.js';
import { FindableService } from './bottles/findable.service.js';
import { LookupService } from './bottles/lookup.service.js';
import { PausesService } from './bottles/pauses.service.js';
import { SchedulesService } from './bottles/schedules.service.js';
import { BottleChartsController, FleetChartsController } from './charts/charts.controllers.js';
import { ChartsService } from './charts/charts.service.js';
import { SupportApiConfig } from './config.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { ContactsService } from './contacts/contacts.service.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { ErasureService } from './erasure/erasure.service.js';
import { ExportController } from './export/export.controller.js';
import { ExportService } from './export/export.service.js';
import { FleetCounts } from './fleet/fleet-counts.js';
import { FleetController } from './fleet/fleet.controller.js';
import { FleetService } from './fleet/fleet.service.js';
import { IngestRate } from './fleet/ingest-rate.js';
import { GatewaysController } from './gateways/gateways.controller.js';
import { GatewaysService } from './gateways/gateways.service.js';
import { AdherenceService } from './history/adherence.service.js';
import { ChangeFeed } from './live/change-feed.js';
import { EventsController } from './live/events.controller.js';
import { LiveService } from './live/live.service.js';
import { LinksController } from './links/links.controller.js';
import { LinksService } from './links/links.service.js';
import { HistoryController } from './history/history.controller.js';
import { HistoryService } from './history/history.service.js';
import { Identities } from './auth/identities.js';
import { SessionsController, SignInController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInLimits } from './sessions/sign-in-limits.js';
import { StaffAccountsController } from './staff/staff.controller.js';
import { StaffService } from './staff/staff.service.js';
import { HeartbeatGaps } from './timeline/heartbeat-gaps.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { TimelineService } from './timeline/timeline.service.js';

/** REST for staff and the operator: reads, and changes only what staff may. */
@Module({})
export class SupportApiModule {
  static forRoot(config: SupportApiConfig, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: SupportApiModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        TimeseriesModule,
        HealthModule.forRoot(DatabaseStatus),
      ],
      controllers: [
        BottlesController,
        ErasureController,
        ExportController,
        HistoryController,
        TimelineController,
        AlertsController,
        DeliveriesController,
        ContactsController,
        LinksController,
        FleetController,
        FleetChartsController,
        BottleChartsController,
        ApiKeysController,
        GatewaysController,
        SignInController,
        SessionsController,
        StaffAccountsController,
        AuditController,
        EventsController,
      ],
      providers: [
        { provide: SupportApiConfig, useValue: config },
        { provide: Clock, useValue: clock },
        BottlesService,
        FindableService,
        FindService,
        ChartsService,
        LookupService,
        SchedulesService,
        PausesService,
        ContactsService,
        LinksService,
        ErasureService,
        ExportService,
        HistoryService,
        HeartbeatGaps,
        TimelineService,
        AdherenceService,
        AlertsService,
        AlertDeedsService,
        DeliveriesService,
        FleetService,
        FleetCounts,
        IngestRate,
        ApiKeysService,
        GatewaysService,
        Identities,
        SessionsService,
        SignInLimits,
        StaffService,
        AuditLog,
        AuditService,
        ChangeFeed,
        LiveService,
      ],
    };
  }
}
