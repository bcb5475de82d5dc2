import { Metrics } from '#platform';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type PendingReport, type ReportResult, tokenOfErased } from './report.js';

/** `pillwatch_reports_total{type,result}`: reports that were stored, and those refused after validation. */
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

  /** Counts a group: one increment per type and result, not one per report. */
  count(group: readonly PendingReport[]): void {
    const counts = new Map<string, { type: string; result: string; count: number }>();
    for (const { incoming, result } of group) {
      const labels = { type: incoming.kind, result: nameOf(result!) };
      const known = counts.get(`${labels.type} ${labels.result}`);
      if (known) known.count += 1;
      else counts.set(`${labels.type} ${labels.result}`, { ...labels, count: 1 });
    }
    for (const { type, result, count } of counts.values()) this.total.inc({ type, result }, count);
  }
}

function nameOf(result: ReportResult): string {
  if (result.kind === 'erased') return tokenOfErased().code;
  if (result.kind === 'refused') return result.problem.code;
  return result.duplicate && result.report.kind === 'action' ? 'duplicate' : 'stored';
}
