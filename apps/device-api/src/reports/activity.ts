import { zoneAt } from '#domain';
import { ActivityRecorder, type CountedReport } from '#timeseries';
import { Injectable, Logger, Optional } from '@nestjs/common';
import type { PendingReport, Report } from './report.js';

/**
 * Counts reports for the charts: each report that is new in the log counts once. Without a recorder nothing is
 * counted (scenarios, and the benchmark of what counting costs).
 */
@Injectable()
export class Activity {
  private readonly logger = new Logger(Activity.name);

  constructor(@Optional() private readonly recorder?: ActivityRecorder) {}

  /** Has a group written to the log and counts what is new in it. The counts themselves are written later. */
  async counted(group: readonly PendingReport[], append: () => Promise<void>): Promise<void> {
    const { recorder } = this;
    if (!recorder) return append();
    const expected = byReceipt(group, ({ report }) => report);
    for (const { reports, receivedAt } of expected) await recorder.expect(reports, receivedAt);
    try {
      await append();
      for (const { reports, receivedAt } of byReceipt(group, newInLog)) recorder.record(reports, receivedAt);
    } catch (error) {
      // some of the group may be in the log all the same
      for (const { reports, receivedAt } of expected) {
        void recorder.lose(reports, receivedAt).catch((lost: unknown) => this.logger.warn(String(lost)));
      }
      throw error;
    }
  }

  /** Writes what has been counted, when no more is to come. */
  async finish(): Promise<void> {
    await this.recorder?.finish();
  }

  /** Counts refused reports, by the code of the response. */
  refused(code: string, at: Date, count = 1): void {
    this.recorder?.refuse(code, at, count);
  }
}

function newInLog({ result }: PendingReport): Report | undefined {
  return result?.kind === 'stored' && !result.duplicate ? result.report : undefined;
}

interface ReceivedAtOnce {
  reports: CountedReport[];
  receivedAt: Date;
}

/** The reports that count, by receipt time: a group has one, or two. */
function byReceipt(
  group: readonly PendingReport[],
  reportOf: (pending: PendingReport) => Report | undefined,
): ReceivedAtOnce[] {
  const moments = new Map<number, ReceivedAtOnce>();
  for (const pending of group) {
    const report = reportOf(pending);
    if (!report) continue;
    const { receivedAt } = report;
    const known = moments.get(receivedAt.getTime()) ?? { reports: [], receivedAt };
    known.reports.push(toCounted(report, pending));
    moments.set(receivedAt.getTime(), known);
  }
  return [...moments.values()];
}

function toCounted({ kind, document }: Report, { incoming }: PendingReport): CountedReport {
  return kind === 'heartbeat'
    ? { kind, document }
    : { kind, document, time_zone: zoneAt(incoming.device, document.time) };
}
