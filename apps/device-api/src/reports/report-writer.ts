import { DatabaseStatus } from '#persistence';
import { Clock, GroupCommit, Problem } from '#platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Activity } from './activity.js';
import { ReportCounters } from './report-counters.js';
import { notStored, ReportLog, type ReportResult, type Stored } from './report-log.js';
import { readReport, type Report, type Said } from './report-reader.js';
import { receiveTimes } from './receive-times.js';
import { StateWriter } from './state-writer.js';

/**
 * Reports, not requests: a batch counts with all its items. Two groups at once, so that the database need not wait
 * while the next one is made.
 */
const LIMITS = { group: 1_000, queued: 2_000, inFlight: 2 };

/** What a device said, and when it came. */
interface Arrived {
  said: Said;
  at: Date;
}

/**
 * The write path: log first, state second, answer last, in groups. A crash in between leaves the device without an
 * answer; its retry is recognised in the log and applies the state again, which changes nothing if it was applied
 * before.
 */
@Injectable()
export class ReportWriter implements OnApplicationShutdown {
  private readonly groups = new GroupCommit((arrived: Arrived[]) => this.writeGroup(arrived), LIMITS);

  constructor(
    private readonly log: ReportLog,
    private readonly states: StateWriter,
    private readonly database: DatabaseStatus,
    private readonly counters: ReportCounters,
    private readonly activity: Activity,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns one result a report, in order.
   * @throws QueueFullError at once when too many wait, or when the database cannot store the group: then nothing
   *   is acknowledged.
   */
  async write(said: Said[]): Promise<ReportResult[]> {
    if (said.length === 0) return [];
    this.database.assertWritable();
    const at = this.clock.now();
    return this.groups.add(said.map((one) => ({ said: one, at })));
  }

  /** Whether a report would be refused now, as too many wait. */
  get isFull(): boolean {
    return this.groups.isFull();
  }

  /** The connection to the database is closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await this.groups.idle();
    await this.activity.finish();
  }

  private async writeGroup(arrived: Arrived[]): Promise<ReportResult[]> {
    // whoever waited for a group that was lost need not wait for this one
    this.database.assertWritable();
    const said = arrived.map((one) => one.said);
    const receivedAt = receiveTimes(arrived.map(({ at }) => at));
    const read = said.map((one, index) => readReport(one, receivedAt[index]!));
    const results = await this.activity.counted(said, read, () => this.append(read));
    const answers = await this.followInStates(results);
    this.counters.count(said, answers);
    return answers;
  }

  private async append(read: readonly (Report | Problem)[]): Promise<ReportResult[]> {
    const logged = (
      await this.log.append(read.filter((one): one is Report => !(one instanceof Problem)))
    ).values();
    return read.map((one) =>
      one instanceof Problem ? { kind: 'refused' as const, problem: one } : logged.next().value!,
    );
  }

  /** The state follows the log: what was refused is not in it, and changes nothing. */
  private async followInStates(results: ReportResult[]): Promise<ReportResult[]> {
    const stored = results.filter((result): result is Stored => result.kind === 'stored');
    const { refused, missing } = await this.states.follow(stored.map(({ report }) => report));
    if (refused.size === 0 && missing.size === 0) return results;
    const isOf = (bottles: Set<string>, result: ReportResult): result is Stored =>
      result.kind === 'stored' && bottles.has(result.report.document.bottle_id.toHexString());
    await this.log.deleteLogged(results.filter((result) => isOf(missing, result)));
    return results.map((result) => {
      if (isOf(missing, result)) return { kind: 'erased' };
      // in the log, but not acknowledged: the device sends it again, and with it its state follows
      return isOf(refused, result) ? { kind: 'refused', problem: notStored() } : result;
    });
  }
}
