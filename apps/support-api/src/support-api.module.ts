import { DatabaseStatus, PersistenceModule } from '#persistence';
import { type Clock, ClockModule, HealthModule, LifecycleModule, MetricsModule } from '#platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { AttestationsModule } from './attestations/attestations.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BottlesModule } from './bottles/bottles.module.js';
import { ChartsModule } from './charts/charts.module.js';
import { SupportApiConfig } from './config.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { FirstRunModule } from './first-run/first-run.module.js';
import { FleetModule } from './fleet/fleet.module.js';
import { GatewaysModule } from './gateways/gateways.module.js';
import { UnreadableRecords } from './http/readable.js';
import { HistoryModule } from './history/history.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { LinksModule } from './links/links.module.js';
import { LiveModule } from './live/live.module.js';
import { PeopleModule } from './people/people.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import { PushModule } from './push/push.module.js';
import { SearchModule } from './search/search.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SmsModule } from './sms/sms.module.js';
import { TimelineModule } from './timeline/timeline.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';

/** REST for staff and the operator. It reads, and changes only what staff may change. */
@Module({})
export class SupportApiModule {
  static forRoot(config: SupportApiConfig, clock?: Clock): DynamicModule {
    return {
      module: SupportApiModule,
      global: true,
      imports: [
        LifecycleModule,
        MetricsModule,
        PersistenceModule.forRoot(config.MONGODB_URI, { heartbeatRetention: config.HEARTBEAT_RETENTION }),
        ClockModule.forRoot(DatabaseStatus, clock),
        HealthModule.forRoot(DatabaseStatus),
        AuthModule,
        AlertsModule,
        AttestationsModule,
        AuditModule,
        BottlesModule,
        ChartsModule,
        ContactsModule,
        DeliveriesModule,
        FirstRunModule,
        FleetModule,
        GatewaysModule,
        HistoryModule,
        IdentityModule,
        LinksModule,
        LiveModule,
        PeopleModule,
        PersonalDataModule,
        PushModule,
        SearchModule,
        SettingsModule,
        SmsModule,
        TimelineModule,
        WebhookEndpointsModule,
      ],
      providers: [{ provide: SupportApiConfig, useValue: config }, UnreadableRecords],
      exports: [SupportApiConfig],
    };
  }
}
