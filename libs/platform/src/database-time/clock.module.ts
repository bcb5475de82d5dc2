import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Clock, DatabaseClock } from '../clock.js';
import { MetricsModule } from '../metrics/metrics.js';
import { ClockSync, DatabaseTime } from './clock-sync.js';

/** The service's one clock, which shows the database's time. */
@Module({})
export class ClockModule {
  /**
   * @param database how the app reads the database's time.
   * @param fake a clock that tests and scenarios set, in its place.
   */
  static forRoot(database: Type<DatabaseTime>, fake?: Clock): DynamicModule {
    const synchronized = [
      DatabaseClock,
      { provide: Clock, useExisting: DatabaseClock },
      { provide: DatabaseTime, useExisting: database },
      ClockSync,
    ];
    return {
      module: ClockModule,
      global: true,
      imports: [MetricsModule],
      providers: fake ? [{ provide: Clock, useValue: fake }] : synchronized,
      exports: [Clock, ...(fake ? [] : [ClockSync])],
    };
  }
}
