import { Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type ReportResult, tokenOfErased } from './report-log.js';
import type { Said } from './report-reader.js';

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

  /** Counts a group: one step a kind of result and not one a report. */
  count(said: readonly Said[], results: readonly ReportResult[]): void {
    const counts = new Map<string, { type: string; result: string; count: number }>();
    said.forEach(({ kind: type }, index) => {
      const result = nameOf(results[index]!);
      const known = counts.get(`${type} ${result}`);
      if (known) known.count += 1;
      else counts.set(`${type} ${result}`, { type, result, count: 1 });
    });
    for (const { type, result, count } of counts.values()) this.total.inc({ type, result }, count);
  }
}

function nameOf(result: ReportResult): string {
  if (result.kind === 'erased') return tokenOfErased().code;
  if (result.kind === 'refused') return result.problem.code;
  return result.duplicate && result.report.kind === 'action' ? 'duplicate' : 'stored';
}
