import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DatabaseClock } from '../clock.js';
import { HealthReports } from '../health/health-reports.js';
import { Metrics } from '../metrics/metrics.js';

/** Reads the database's clock; rejects if it does not respond. */
export abstract class DatabaseTime {
  abstract readTime(): Promise<Date>;
}

const EVERY_MS = 10_000;
/** A machine's clock that is off by more is reported. Milliseconds. */
const TOLERATED_MS = 5_000;
const OFF = "the machine's clock is off: it is not used, the database's time is";
/** An answer that took longer says too little about the time; the reading before it stands. Milliseconds. */
const MAX_ANSWER_MS = 2_000;

/** Keeps the clock at the database's time, and reports a machine whose own clock is off. */
@Injectable()
export class ClockSync implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ClockSync.name);
  private timer: NodeJS.Timeout | undefined;
  private wasOff = false;
  private readonly up: Gauge;
  private readonly roundTrip: Gauge;

  constructor(
    private readonly clock: DatabaseClock,
    private readonly database: DatabaseTime,
    reports: HealthReports,
    metrics: Metrics,
  ) {
    reports.add('clock', () => ({
      details: { offset_ms: this.offset, ...(this.isOff && { message: OFF }) },
      isAlive: true,
    }));
    const gauge: Gauge = new Gauge({
      name: 'pillwatch_machine_clock_offset_seconds',
      help: "The machine's clock minus the database's, which is the one in use",
      registers: [metrics],
      aggregator: 'average',
      collect: (): void => gauge.set(this.offset / 1_000),
    });
    this.up = new Gauge({
      name: 'pillwatch_database_up',
      help: 'Whether the database answered the last time that its clock was read, every 10 s',
      registers: [metrics],
      aggregator: 'min',
    });
    this.roundTrip = new Gauge({
      name: 'pillwatch_database_round_trip_seconds',
      help: "How long the last answer with the database's time took",
      registers: [metrics],
      aggregator: 'max',
    });
  }

  /** The machine's clock minus the database's. Milliseconds. */
  get offset(): number {
    return Math.round(this.clock.machineOffset);
  }

  /** Whether the machine's clock is off by more than 5 s. */
  get isOff(): boolean {
    return Math.abs(this.offset) > TOLERATED_MS;
  }

  /** Nothing runs by the machine's clock: without a first reading the service does not start. */
  async onModuleInit(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.read().catch(() => this.up.set(0)), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    const sentAt = performance.now();
    const time = await this.database.readTime();
    const answeredAt = performance.now();
    this.up.set(1);
    this.roundTrip.set((answeredAt - sentAt) / 1_000);
    const isFirst = this.timer === undefined;
    if (isFirst || answeredAt - sentAt <= MAX_ANSWER_MS) this.clock.follow({ time, sentAt, answeredAt });
    if (this.isOff !== this.wasOff) this.report();
  }

  private report(): void {
    this.wasOff = this.isOff;
    const offset = `${(this.offset / 1_000).toFixed(1)} s`;
    if (this.wasOff) this.logger.warn(`${OFF} (${offset})`);
    else this.logger.log(`the machine's clock is right again (off by ${offset})`);
  }
}
