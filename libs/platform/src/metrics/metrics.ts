import { Controller, Get, Header, Inject, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { Siblings } from '../workers/siblings.js';

/** The process's Prometheus registry, one an app (three apps may share a process). */
export class Metrics extends Registry {}

@ApiExcludeController()
@Controller('metrics')
class MetricsController {
  constructor(
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Siblings) private readonly siblings: Siblings,
  ) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  async expose(): Promise<string> {
    return (await this.siblings.metrics()) ?? this.metrics.metrics();
  }
}

function createMetrics(siblings: Siblings): Metrics {
  const metrics = new Metrics();
  collectDefaultMetrics({ register: metrics });
  siblings.contribute(metrics);
  return metrics;
}

/** `GET /metrics` in Prometheus' text format; of all workers on the port together. */
@Module({
  controllers: [MetricsController],
  providers: [{ provide: Metrics, useFactory: createMetrics, inject: [Siblings] }],
  exports: [Metrics],
})
export class MetricsModule {}
