import { AddressLimit, Clock, HealthModule, LifecycleModule, MetricsModule, SystemClock } from '#platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { WatchdogConfig } from './config.js';
import { MailReceiver } from './mail-receiver.js';
import { Requests } from './requests.js';
import { WatchdogService } from './watchdog.service.js';
import { WebhookController } from './webhook.controller.js';

/** A canary through the public way, and a dead man's switch outside. It has no database, so that it outlives it. */
@Module({})
export class WatchdogModule {
  /** @param clock one that a test sets; then the test also calls `tick` */
  static forRoot(config: WatchdogConfig, clock?: Clock): DynamicModule {
    return {
      module: WatchdogModule,
      imports: [
        LifecycleModule,
        MetricsModule,
        HealthModule.forRoot(),
        ...(clock ? [] : [ScheduleModule.forRoot()]),
      ],
      controllers: [WebhookController],
      providers: [
        { provide: WatchdogConfig, useValue: config },
        { provide: Clock, useValue: clock ?? new SystemClock() },
        {
          provide: AddressLimit,
          useFactory: (source: Clock) => new AddressLimit(config.WRONG_TOKEN_LIMIT, source),
          inject: [Clock],
        },
        Requests,
        WatchdogService,
        MailReceiver,
      ],
    };
  }
}
