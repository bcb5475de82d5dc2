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
    receivedAt: Date,
    append: () => Promise<ReportResult[]>,
  ): Promise<ReportResult[]> {
    if (!this.recorder) return append();
    const expected = read.flatMap((one, index) =>
      one instanceof Problem ? [] : [countable(one, said[index]!)],
    );
    await this.recorder.expect(expected, receivedAt);
    try {
      const results = await append();
      const added = results.flatMap((result, index) =>
        result.kind === 'stored' && !result.duplicate ? [countable(result.report, said[index]!)] : [],
      );
      this.recorder.record(added, receivedAt);
      return results;
    } catch (error) {
      // part of it may be in the log all the same
      void this.recorder.lose(expected, receivedAt).catch((lost: unknown) => this.logger.warn(String(lost)));
      throw error;
    }
  }

  /** Writes what has been counted, when nothing more is to come. */
  async finish(): Promise<void> {
    await this.recorder?.finish();
  }

  /** A report was refused, by the code of the answer. */
  refused(code: string, at: Date): void {
    this.recorder?.refuse(code, at);
  }
}

function countable(report: Report, { device }: Said): CountedReport {
  const { kind, document } = report;
  return kind === 'heartbeat'
    ? { kind, document }
    : { kind, document, time_zone: zoneAt(device, document.time) };
}
