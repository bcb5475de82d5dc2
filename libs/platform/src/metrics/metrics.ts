import { Controller, Get, Header, Inject, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry, collectDefaultMetrics } from 'prom-client';

/** The process's Prometheus registry, one an app (three apps may share a process). */
export class Metrics extends Registry {}

@ApiExcludeController()
@Controller('metrics')
class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  expose(): Promise<string> {
    return this.metrics.metrics();
  }
}

function createMetrics(): Metrics {
  const metrics = new Metrics();
  collectDefaultMetrics({ register: metrics });
  return metrics;
}

/** `GET /metrics` in Prometheus' text format. */
@Module({
  controllers: [MetricsController],
  providers: [{ provide: Metrics, useFactory: createMetrics }],
  exports: [Metrics],
})
export class MetricsModule {}
