import {
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Injectable,
  Module,
  Optional,
  ServiceUnavailableException,
  type Type,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
  TerminusModule,
  type HealthCheckResult,
} from '@nestjs/terminus';
import { Lifecycle } from '../http/lifecycle.js';
import { WorkerGroup } from '../workers/worker-group.js';
import { HealthReports } from './health-reports.js';
import { Problem } from '../http/problem.js';

/** Pings the database; rejects if it does not respond. */
export abstract class DatabasePing {
  abstract ping(): Promise<void>;
}

@Injectable()
class Readiness {
  private pinging: Promise<void> | undefined;

  constructor(
    @Optional() @Inject(DatabasePing) private readonly database: DatabasePing | undefined,
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(WorkerGroup) private readonly workers: WorkerGroup,
    private readonly reports: HealthReports,
    private readonly indicators: HealthIndicatorService,
  ) {
    workers.reportReadiness(async () => (await this.responds()) && !this.lifecycle.stopping);
  }

  /** The parts for which only a new start can help. While the database does not respond, none can: it is no cure. */
  async deadParts(): Promise<string[]> {
    const dead = this.reports.all().flatMap(([name, { isAlive }]) => (isAlive ? [] : name));
    return dead.length > 0 && (await this.responds()) ? dead : [];
  }

  /** what the service's parts report; it makes none of them unready. */
  parts(): (() => HealthIndicatorResult)[] {
    return this.reports.all().map(
      ([name, { details }]) =>
        () =>
          this.indicators.check(name).up(details),
    );
  }

  /** One at a time, for all who ask meanwhile: whoever asks needs no token. */
  private async ping(): Promise<void> {
    this.pinging ??= this.database?.ping().finally(() => (this.pinging = undefined));
    await this.pinging;
  }

  private async responds(): Promise<boolean> {
    try {
      await this.ping();
      return true;
    } catch {
      return false;
    }
  }

  get hasDatabase(): boolean {
    return this.database !== undefined;
  }

  async databaseResponds(): Promise<ReturnType<ReturnType<HealthIndicatorService['check']>['up']>> {
    const indicator = this.indicators.check('database');
    try {
      await this.ping();
      return indicator.up();
    } catch (error) {
      return indicator.down({ message: error instanceof Error ? error.name : 'no response' }) as never;
    }
  }

  /** In a worker: whether all workers of its port are ready. */
  async workersReady(): Promise<ReturnType<ReturnType<HealthIndicatorService['check']>['up']>> {
    const indicator = this.indicators.check('workers');
    return (await this.workers.allReady())
      ? indicator.up()
      : (indicator.down({ message: 'not all are ready' }) as never);
  }

  accepting(): ReturnType<ReturnType<HealthIndicatorService['check']>['up']> {
    const indicator = this.indicators.check('accepting');
    return this.lifecycle.stopping ? (indicator.down({ message: 'shutting down' }) as never) : indicator.up();
  }
}

@ApiExcludeController()
@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
    @Inject(WorkerGroup) private readonly workers: WorkerGroup,
  ) {}

  /** The process runs, and no part of it has come to a standstill. */
  @Get('live')
  async live(): Promise<{ status: 'ok' }> {
    const dead = await this.readiness.deadParts();
    if (dead.length > 0) throw Problem.unavailable('not_live', `At a standstill: ${dead.join(', ')}.`);
    return { status: 'ok' };
  }

  /**
   * The service can work now: the database responds to a ping, nothing is shutting down, and all workers are ready.
   * The answer shows how far the machine's clock is off, and when each job last finished.
   */
  @Get('ready')
  @HealthCheck()
  async ready(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        ...(this.readiness.hasDatabase ? [() => this.readiness.databaseResponds()] : []),
        () => this.readiness.accepting(),
        ...(this.workers.exists ? [() => this.readiness.workersReady()] : []),
        ...this.readiness.parts(),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const { error: down } = error.getResponse() as HealthCheckResult;
      throw Problem.unavailable('not_ready', `Not ready: ${Object.keys(down ?? {}).join(', ')}.`);
    }
  }
}

/** `GET /health/live` and `/health/ready`; `ping` is how the app pings its database, if it has one. */
@Module({})
export class HealthModule {
  static forRoot(ping?: Type<DatabasePing>): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [Readiness, HealthReports, ...(ping ? [{ provide: DatabasePing, useExisting: ping }] : [])],
      exports: [HealthReports],
    };
  }
}
