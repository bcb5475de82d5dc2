import {
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Injectable,
  Module,
  ServiceUnavailableException,
  type Type,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
  type HealthCheckResult,
} from '@nestjs/terminus';
import { Lifecycle } from '../http/lifecycle.js';
import { Siblings } from '../workers/siblings.js';
import { Problem } from '../http/problem.js';

/** Asks the database for a sign of life; rejects when there is none. */
export abstract class DatabasePing {
  abstract ping(): Promise<void>;
}

@Injectable()
class Readiness {
  constructor(
    @Inject(DatabasePing) private readonly database: DatabasePing,
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(Siblings) private readonly siblings: Siblings,
    private readonly indicators: HealthIndicatorService,
  ) {
    siblings.answerReady(async () => {
      const answers = await this.database.ping().then(
        () => true,
        () => false,
      );
      return answers && !this.lifecycle.stopping;
    });
  }

  async databaseAnswers(): Promise<ReturnType<ReturnType<HealthIndicatorService['check']>['up']>> {
    const indicator = this.indicators.check('database');
    try {
      await this.database.ping();
      return indicator.up();
    } catch (error) {
      return indicator.down({ message: error instanceof Error ? error.name : 'no answer' }) as never;
    }
  }

  /** Of a worker: it answers for all on its port. */
  async workersReady(): Promise<ReturnType<ReturnType<HealthIndicatorService['check']>['up']>> {
    const indicator = this.indicators.check('workers');
    return (await this.siblings.allReady())
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
    @Inject(Siblings) private readonly siblings: Siblings,
  ) {}

  /** The process runs. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The service can do its work now: a real ping of the database, not shutting down, and so each of its workers. */
  @Get('ready')
  @HealthCheck()
  async ready(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        () => this.readiness.databaseAnswers(),
        () => this.readiness.accepting(),
        ...(this.siblings.any ? [() => this.readiness.workersReady()] : []),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const { error: down } = error.getResponse() as HealthCheckResult;
      throw Problem.unavailable('not_ready', `Not ready: ${Object.keys(down ?? {}).join(', ')}.`);
    }
  }
}

/** `GET /health/live` and `/health/ready`; the app says how its database is pinged. */
@Module({})
export class HealthModule {
  static forRoot(ping: Type<DatabasePing>): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [Readiness, { provide: DatabasePing, useExisting: ping }],
    };
  }
}
