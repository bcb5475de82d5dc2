import type { Message } from '#domain';
import { Clock, HealthReports, Metrics } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Counter, Gauge } from 'prom-client';
import { WatchdogConfig } from './config.js';
import { Cycle, type Leg, type MailedNotification, nextCycleAt } from './cycle.js';
import { Requests } from './requests.js';

const TICK_MS = 1_000;
/** Between two heartbeats of the canary. Milliseconds. */
const HEARTBEAT_MS = 30_000;

/** Sends its canary through one cycle after the other, and pings the dead man's switch with the result of each. */
@Injectable()
export class WatchdogService {
  private readonly logger = new Logger(WatchdogService.name);
  private cycle: Cycle | undefined;
  /** The cycle that ended last. */
  private last: Cycle | undefined;
  private next: Date | undefined;
  private heartbeatAt: Date | undefined;
  private isTicking = false;
  /** The last failed request, for the reason of a failure. */
  private lastError = '';
  private lastFailure: string | undefined;
  private lastSuccessAt: Date | undefined;
  private readonly legs: Gauge<'leg'>;
  private readonly results: Counter<'result'>;
  private readonly success: Gauge;

  constructor(
    private readonly config: WatchdogConfig,
    private readonly requests: Requests,
    private readonly clock: Clock,
    health: HealthReports,
    metrics: Metrics,
  ) {
    const registers = [metrics];
    this.legs = new Gauge({
      name: 'pillwatch_canary_leg_seconds',
      help: 'How long each leg of the last cycle took after it was due',
      labelNames: ['leg'],
      registers,
    });
    this.results = new Counter({
      name: 'pillwatch_canary_cycles_total',
      help: 'Cycles of the canary, by result',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['success', 'failure']) this.results.inc({ result }, 0);
    this.success = new Gauge({
      name: 'pillwatch_canary_last_success_timestamp_seconds',
      help: 'When a cycle last succeeded; at the start of the watchdog, that start',
      registers,
    });
    this.success.set(clock.now().getTime() / 1_000);
    health.add('canary', () => ({
      details: {
        last_success: this.lastSuccessAt?.toISOString() ?? null,
        ...(this.lastFailure !== undefined && { last_failure: this.lastFailure }),
        cycle_began: (this.cycle ?? this.last)?.began.toISOString() ?? null,
        legs_ms: (this.cycle ?? this.last)?.durations ?? {},
      },
      isAlive: true,
    }));
  }

  /** Does what is due now: one step after the other, in at most one run at a time. */
  @Interval(TICK_MS)
  async tick(): Promise<void> {
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      await this.advance();
    } finally {
      this.isTicking = false;
    }
  }

  /** Takes a notification whose signature is right. @returns false if it is not about this watchdog's canary */
  receive(message: Message): boolean {
    if (message.data.bottle_id !== this.config.WATCHDOG_BOTTLE_ID) return false;
    this.cycle?.receive(message, this.clock.now());
    return true;
  }

  /** Takes the notifications of a mail to the canary. */
  receiveMail(notifications: readonly MailedNotification[]): void {
    this.cycle?.receiveMail(notifications, this.clock.now());
  }

  private async advance(): Promise<void> {
    const cycle = this.cycle ?? (await this.begin());
    if (!cycle) return;
    await this.sendReports(cycle);
    const now = this.clock.now();
    const failure = cycle.failure(now);
    if (failure !== undefined)
      await this.fail(cycle, this.lastError ? `${failure}; ${this.lastError}` : failure);
    else if (cycle.isComplete) await this.succeed(cycle, now);
  }

  private async begin(): Promise<Cycle | undefined> {
    const now = this.clock.now();
    this.next ??= nextCycleAt(now);
    if (now < this.next) return undefined;
    const { OPEN_BOTTLE_AFTER, WATCHDOG_SMTP_PORT } = this.config;
    const cycle = new Cycle(this.next, OPEN_BOTTLE_AFTER, WATCHDOG_SMTP_PORT !== undefined);
    this.next = undefined;
    this.lastError = '';
    this.cycle = cycle;
    await this.requests.pingStart();
    return cycle;
  }

  /** What fails is tried again at the next tick, until its leg fails. */
  private async sendReports(cycle: Cycle): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - (this.heartbeatAt?.getTime() ?? 0) >= HEARTBEAT_MS)
      await this.attempt(cycle, 'heartbeat_stored', async () => {
        await this.requests.sendHeartbeat(now);
        this.heartbeatAt = now;
      });
    if (cycle.isDue('staff_served', now))
      await this.attempt(cycle, 'staff_served', () => this.requests.readFleet());
    if (cycle.isDue('opening_stored', now))
      await this.attempt(
        cycle,
        'opening_stored',
        async () => {
          // a cycle that failed, or a watchdog that was stopped, may have left it open
          await this.requests.sendAction('closed', new Date(now.getTime() - 1_000), now);
          await this.requests.sendAction('opened', now, now);
        },
        now,
      );
    if (cycle.isDue('closing_stored', now))
      await this.attempt(cycle, 'closing_stored', () => this.requests.sendAction('closed', now, now));
  }

  private async attempt(cycle: Cycle, leg: Leg, request: () => Promise<void>, at?: Date): Promise<void> {
    try {
      await request();
      cycle.succeed(leg, at ?? this.clock.now());
    } catch (error) {
      this.lastError = `${leg}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  private async succeed(cycle: Cycle, now: Date): Promise<void> {
    this.end(cycle, 'success');
    this.lastSuccessAt = now;
    this.success.set(now.getTime() / 1_000);
    // outside the database, and with a time: whoever cuts the audit's newest entries does not reach it
    const audit_head = await this.requests.readAuditHead();
    await this.requests.pingEnd('', JSON.stringify({ ...cycle.durations, audit_head }));
  }

  private async fail(cycle: Cycle, reason: string): Promise<void> {
    this.end(cycle, 'failure');
    this.lastFailure = reason;
    this.logger.error(`the cycle of ${cycle.began.toISOString()} failed: ${reason}`);
    await this.requests.pingEnd('/fail', reason);
  }

  private end(cycle: Cycle, result: 'success' | 'failure'): void {
    this.last = cycle;
    this.cycle = undefined;
    this.results.inc({ result });
    this.legs.reset();
    for (const [leg, ms] of Object.entries(cycle.durations)) this.legs.set({ leg }, ms / 1_000);
  }
}
