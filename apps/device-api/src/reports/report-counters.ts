import { isCanary } from '#domain';
import { fieldsOf, Metrics } from '#platform';
import { Injectable, type Type } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import type { ReportResult, Stored } from './report.js';
import type { IgnoredField } from './understand.js';

/** What a report is; unknown if it was refused before that was read. */
export type ReportType = 'heartbeat' | 'action' | 'unknown';

/** The codes of refusals that rules watch from the start. */
const WATCHED = ['overloaded', 'database_unavailable', 'rate_limited'];

/**
 * Reports that were stored, all that were refused, and the groups in which they were written. Canaries are in no
 * figure: they report also when nobody else can.
 */
@Injectable()
export class ReportCounters {
  private readonly total: Counter<'type' | 'result'>;
  private readonly ignored: Counter<'field' | 'reason'>;
  private readonly groupSize: Histogram;
  private readonly groupDuration: Histogram;

  constructor(metrics: Metrics) {
    this.total = new Counter({
      name: 'pillwatch_reports_total',
      help: 'Reports of bottles by type and result',
      labelNames: ['type', 'result'],
      registers: [metrics],
    });
    for (const type of ['heartbeat', 'action']) this.total.inc({ type, result: 'stored' }, 0);
    for (const result of WATCHED) this.total.inc({ type: 'unknown', result }, 0);
    this.ignored = new Counter({
      name: 'pillwatch_report_fields_ignored_total',
      help: 'Fields that were left out of reports, by field (unknown: not of ours) and reason',
      labelNames: ['field', 'reason'],
      registers: [metrics],
    });
    this.groupSize = new Histogram({
      name: 'pillwatch_report_group_size',
      help: 'Reports per group commit',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
      registers: [metrics],
    });
    this.groupDuration = new Histogram({
      name: 'pillwatch_report_group_seconds',
      help: 'How long the database took to store a group of reports',
      registers: [metrics],
    });
  }

  /** Notes a group that is about to be written. @returns to be called when it is stored */
  beginGroup(reports: number): () => void {
    this.groupSize.observe(reports);
    return this.groupDuration.startTimer();
  }

  /** Counts what of a group is stored: one increment per type and result, not one per report. */
  count(results: readonly ReportResult[]): void {
    const counts = { heartbeat: { stored: 0, duplicate: 0 }, action: { stored: 0, duplicate: 0 } };
    for (const result of results) {
      if (result.kind !== 'stored' || isCanary(result.report.document.bottle_id)) continue;
      counts[result.report.kind][nameOf(result)] += 1;
    }
    for (const [type, byResult] of Object.entries(counts))
      for (const [result, count] of Object.entries(byResult))
        if (count > 0) this.total.inc({ type, result }, count);
  }

  /** Counts what was left out of a report. Names that are not ours count together: there may be any number of them. */
  countIgnored(type: Type<object>, ignored: readonly IgnoredField[]): void {
    for (const { field, reason } of ignored)
      this.ignored.inc({ field: fieldsOf(type).has(field) ? field : 'unknown', reason });
  }

  /** Counts refused reports by the code of their answer. */
  countRefused(type: ReportType, code: string, reports = 1): void {
    this.total.inc({ type, result: code }, reports);
  }
}

function nameOf({ duplicate, report }: Stored): 'stored' | 'duplicate' {
  return duplicate && report.kind === 'action' ? 'duplicate' : 'stored';
}
