import { Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { Report } from './report-reader.js';
import type { ReportResult } from './report-writer.js';

/** `pillwatch_reports_total{type,result}`: what was taken and what was refused after reading. */
@Injectable()
export class ReportCounters {
  private readonly total: Counter<'type' | 'result'>;

  constructor(metrics: Metrics) {
    this.total = new Counter({
      name: 'pillwatch_reports_total',
      help: 'Reports of bottles by type and result',
      labelNames: ['type', 'result'],
      registers: [metrics],
    });
  }

  count(reports: Report[], results: ReportResult[]): void {
    reports.forEach(({ kind }, index) => this.total.inc({ type: kind, result: nameOf(results[index]!) }));
  }
}

function nameOf(result: ReportResult): string {
  if (result.kind === 'refused') return result.problem.code;
  return result.kind === 'action' && result.duplicate ? 'duplicate' : 'stored';
}
