import type { BatchItemResult } from './bottle-client.js';
import type { Report } from './report.js';
import { Histogram } from './histogram.js';

/** A report that device-api refuses for good, and why. */
export interface Refusal {
  bottle_id: string;
  report: Report;
  result: BatchItemResult;
}

/** A fleet's figures from its start to now. */
export interface Stats {
  bottles: number;
  /** Reports that were answered for, repeats included. */
  acknowledged: number;
  /** Those of them that were there before. */
  duplicates: number;
  /** Reports that have to be sent again: one that fails twice counts twice. */
  retried: number;
  /** Reports that were finally refused. None is expected. */
  refused: number;
  /** By problem code, errno, or `simulated_loss`. */
  errors: Record<string, number>;
  requests: number;
  /** Of a request, milliseconds; 0 when there was none. */
  p50_ms: number;
  p99_ms: number;
  /** Bottles without wi-fi now. */
  offline: number;
  /** Reports that wait in bottles now. */
  backlog: number;
}

const REMEMBERED_REFUSALS = 10;

/** Counts what a fleet does. */
export class StatsCollector {
  bottles = 0;
  offline = 0;
  backlog = 0;
  /** The first few, for the summary. */
  readonly refusals: Refusal[] = [];
  private readonly counts = { acknowledged: 0, duplicates: 0, retried: 0, refused: 0 };
  private readonly errors = new Map<string, number>();
  private readonly latency = new Histogram();

  /** A request was answered, with whatever status. */
  answered(milliseconds: number): void {
    this.latency.add(milliseconds);
  }

  acknowledged(duplicate: boolean): void {
    this.counts.acknowledged += 1;
    if (duplicate) this.counts.duplicates += 1;
  }

  retried(reports: number, code: string): void {
    this.counts.retried += reports;
    this.count(code);
  }

  refused(refusal: Refusal): void {
    this.counts.refused += 1;
    this.count(refusal.result.code ?? `http_${refusal.result.status}`);
    if (this.refusals.length < REMEMBERED_REFUSALS) this.refusals.push(refusal);
  }

  /** Something failed that was no report, such as registering. */
  count(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  snapshot(): Stats {
    return {
      bottles: this.bottles,
      ...this.counts,
      errors: Object.fromEntries(this.errors),
      requests: this.latency.count,
      p50_ms: this.latency.percentile(0.5),
      p99_ms: this.latency.percentile(0.99),
      offline: this.offline,
      backlog: this.backlog,
    };
  }
}
