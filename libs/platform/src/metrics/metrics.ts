import { Controller, Get, Header, Inject, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { WorkerGroup } from '../workers/worker-group.js';

/** The process's Prometheus registry, one per app (several apps may share a process). */
export class Metrics extends Registry {}

@ApiExcludeController()
@Controller('metrics')
class MetricsController {
  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(WorkerGroup) private readonly workers: WorkerGroup,
  ) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  async expose(): Promise<string> {
    return (await this.workers.metrics()) ?? this.metrics.metrics();
  }
}

function createMetrics(workers: WorkerGroup): Metrics {
  const metrics = new Metrics();
  collectDefaultMetrics({ register: metrics });
  workers.contribute(metrics);
  return metrics;
}

/** `GET /metrics` in Prometheus' text format; the sum of all workers of the port. */
@Module({
  controllers: [MetricsController],
  providers: [{ provide: Metrics, useFactory: createMetrics, inject: [WorkerGroup] }],
  exports: [Metrics],
})
export class MetricsModule {}
