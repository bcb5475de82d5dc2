import { onReports, type Thresholds, thresholdsOf } from '#domain';
import {
  DatabaseStatus,
  type DeviceIdentity,
  type GatewayIdentity,
  ReportedStatesRepository,
} from '#persistence';
import { Clock, GroupCommit, isDatabaseUnavailable, logFields, QueueFullError } from '#platform';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeviceApiConfig } from '../config.js';
import { Activity } from './activity.js';
import { traceGroup } from './group-spans.js';
import {
  identify,
  type IncomingReport,
  notStored,
  type ReceivedReport,
  type ReportResult,
  type Stored,
} from './report.js';
import { ReportCounters } from './report-counters.js';
import { ReportLog } from './report-log.js';

/** Reports of a group. Two are in flight, so that the database need not wait while the next one is prepared. */
const GROUP = 1_000;
const IN_FLIGHT = 2;

/** A gateway's request waits so long for room in the queue before it is read. Milliseconds. */
const WAIT_MS = 250;
const MAX_WAITS = 8;

/** Who sends reports: each takes turns with the others, and so many of its reports may wait. */
export interface Sender {
  kind: 'bottle' | 'gateway';
  client: DeviceIdentity | GatewayIdentity;
}

/**
 * The write path: log first, state second, response last, in groups. A crash in between leaves the device without a
 * response; its retry is recognised in the log and applies the state again, which changes nothing if it was applied
 * before.
 */
@Injectable()
export class ReportWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(ReportWriter.name);
  private readonly groups: GroupCommit<ReceivedReport, ReportResult>;
  private readonly limits: Record<Sender['kind'], number>;
  private readonly thresholds: Thresholds;

  constructor(
    private readonly log: ReportLog,
    private readonly states: ReportedStatesRepository,
    private readonly database: DatabaseStatus,
    private readonly counters: ReportCounters,
    private readonly activity: Activity,
    private readonly clock: Clock,
    config: DeviceApiConfig,
  ) {
    this.thresholds = thresholdsOf(config);
    this.limits = { bottle: config.BOTTLE_QUEUE_LIMIT, gateway: config.GATEWAY_QUEUE_LIMIT };
    this.groups = new GroupCommit((group) => this.writeEach(shareReceiptTimes(group)), {
      group: GROUP,
      inFlight: IN_FLIGHT,
      queued: config.QUEUE_LIMIT,
    });
  }

  /**
   * Writes reports together with others.
   *
   * @returns the result of each, in order
   * @throws QueueFullError when too many wait, or when the database cannot store the group: then nothing is
   *   acknowledged.
   */
  async write(reports: readonly IncomingReport[], { kind, client }: Sender): Promise<ReportResult[]> {
    if (reports.length === 0) return [];
    this.database.assertWritable();
    const receivedAt = this.clock.now();
    const received = reports.map((incoming) => ({ incoming, receivedAt }));
    return this.groups.add(received, client, this.limits[kind]);
  }

  /** Whether any report would be refused now because too many wait. */
  get isFull(): boolean {
    return this.groups.isFull();
  }

  /** @throws QueueFullError if a report of this sender would be refused now: its request need not be read */
  assertRoom({ kind, client }: Sender): void {
    if (this.groups.refuses(client, this.limits[kind])) throw new QueueFullError();
  }

  /**
   * Lets a gateway that sends faster than is stored wait unread for a moment: refused at once, it would be back at once.
   *
   * @param reports as many as it may send.
   * @throws QueueFullError, or rejects with one, like {@link assertRoom}
   */
  waitForRoom({ kind, client }: Sender, reports: number): void | Promise<void> {
    const isFull = (): boolean => this.groups.refuses(client, this.limits[kind], reports);
    if (isFull()) return this.waitUnread(isFull);
  }

  private async waitUnread(isFull: () => boolean): Promise<void> {
    for (let waits = 0; waits < MAX_WAITS; waits += 1) {
      await sleep(WAIT_MS);
      if (!isFull()) return;
    }
    throw new QueueFullError();
  }

  /** The connection to the database is closed after this. */
  async onApplicationShutdown(): Promise<void> {
    await this.groups.idle();
    await this.activity.finish();
  }

  /** Writes a group; without the report that makes it fail, if one does. */
  private async writeEach(group: ReceivedReport[]): Promise<ReportResult[]> {
    try {
      return await this.writeGroup(group);
    } catch (error) {
      if (isDatabaseUnavailable(error) || isOfDriver(error)) throw error;
      if (group.length === 1) {
        this.logger.error(error, logFields(group[0]!.incoming.request));
        return [notStored()];
      }
      const middle = group.length >> 1;
      return [
        ...(await this.writeEach(group.slice(0, middle))),
        ...(await this.writeEach(group.slice(middle))),
      ];
    }
  }

  private async writeGroup(group: ReceivedReport[]): Promise<ReportResult[]> {
    // the database has failed while the group waited: its reports need not wait for a command to fail
    this.database.assertWritable();
    const identified = group.map(identify);
    const end = this.counters.beginGroup(group.length);
    const results = await traceGroup(group, async () => this.changeStates(await this.log.append(identified)));
    end();
    this.counters.count(results);
    this.activity.count(results);
    return results;
  }

  /**
   * Changes the states by what is in the log: a refused report is not in it.
   *
   * @returns the results; those of bottles whose state could not be changed are others
   */
  private async changeStates(logged: ReportResult[]): Promise<ReportResult[]> {
    const stored = logged.filter((result) => result.kind === 'stored');
    if (stored.length === 0) return logged;
    const changes = onReports(
      stored.map(({ report }) => report),
      this.thresholds,
    );
    const { refused, missing } = await this.states.change(changes);
    if (refused.size === 0 && missing.size === 0) return logged;
    const bottleOf = ({ report }: Stored): string => report.document.bottle_id.toHexString();
    await this.log.deleteLogged(stored.filter((result) => missing.has(bottleOf(result))));
    return logged.map((result) => {
      if (result.kind !== 'stored') return result;
      if (missing.has(bottleOf(result))) return { kind: 'erased' };
      // in the log, but not acknowledged: the device sends it again, and its state is changed then
      return refused.has(bottleOf(result)) ? notStored() : result;
    });
  }
}

/** The database's own errors concern the whole group, not one report. */
function isOfDriver(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}

/**
 * Gives reports that arrived within one second of the clock the latest receipt time among them. So the states of a
 * group change in one update, or two; and if the database kept a group waiting, each report still has the second in
 * which it arrived.
 */
function shareReceiptTimes(group: readonly ReceivedReport[]): ReceivedReport[] {
  const latest = new Map<number, Date>();
  for (const { receivedAt } of group) {
    const known = latest.get(secondOf(receivedAt));
    if (!known || known < receivedAt) latest.set(secondOf(receivedAt), receivedAt);
  }
  return group.map(({ incoming, receivedAt }) => ({
    incoming,
    receivedAt: latest.get(secondOf(receivedAt)) ?? receivedAt,
  }));
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
