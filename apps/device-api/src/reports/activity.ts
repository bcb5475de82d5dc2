import { zoneAt } from '#domain';
import { ActivityRecorder, type CountedReport } from '#timeseries';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { Problem } from '#platform';
import type { ReportResult } from './report-log.js';
import type { Report, Said } from './report-reader.js';

/**
 * What a group of reports does to the charts: each report that is new in the log counts once. Without a recorder
 * nothing is counted (scenarios, and the benchmark of what counting costs).
 */
@Injectable()
export class Activity {
  private readonly logger = new Logger(Activity.name);

  constructor(@Optional() private readonly recorder?: ActivityRecorder) {}

  /**
   * Writes a group to the log and counts what is new in it. The counts themselves are written later.
   *
   * @param read what became of each of `said` before the log.
   */
  async counted(
    said: readonly Said[],
    read: readonly (Report | Problem)[],
    append: () => Promise<ReportResult[]>,
  ): Promise<ReportResult[]> {
    const { recorder } = this;
    if (!recorder) return append();
    const expected = byReceipt(
      read.map((one) => (one instanceof Problem ? undefined : one)),
      said,
    );
    for (const { reports, receivedAt } of expected) await recorder.expect(reports, receivedAt);
    try {
      const results = await append();
      const added = results.map((result) =>
        result.kind === 'stored' && !result.duplicate ? result.report : undefined,
      );
      for (const { reports, receivedAt } of byReceipt(added, said)) recorder.record(reports, receivedAt);
      return results;
    } catch (error) {
      // part of it may be in the log all the same
      for (const { reports, receivedAt } of expected) {
        void recorder.lose(reports, receivedAt).catch((lost: unknown) => this.logger.warn(String(lost)));
      }
      throw error;
    }
  }

  /** Writes what has been counted, when nothing more is to come. */
  async finish(): Promise<void> {
    await this.recorder?.finish();
  }

  /** Reports were refused, by the code of the answer. */
  refused(code: string, at: Date, count = 1): void {
    this.recorder?.refuse(code, at, count);
  }
}

interface ReceivedTogether {
  reports: CountedReport[];
  receivedAt: Date;
}

/** The reports that count, by the moment at which they were received: one, or two, in a group. */
function byReceipt(reports: readonly (Report | undefined)[], said: readonly Said[]): ReceivedTogether[] {
  const together = new Map<number, ReceivedTogether>();
  reports.forEach((report, index) => {
    if (!report) return;
    const { receivedAt } = report;
    const known = together.get(receivedAt.getTime()) ?? { reports: [], receivedAt };
    known.reports.push(countable(report, said[index]!));
    together.set(receivedAt.getTime(), known);
  });
  return [...together.values()];
}

function countable(report: Report, { device }: Said): CountedReport {
  const { kind, document } = report;
  return kind === 'heartbeat'
    ? { kind, document }
    : { kind, document, time_zone: zoneAt(device, document.time) };
}
