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
import { notStored, type PendingReport, type Stored } from './report.js';
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
  private readonly groups: GroupCommit<PendingReport, PendingReport>;
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
    this.groups = new GroupCommit((group) => this.writeEach(group), {
      group: GROUP,
      inFlight: IN_FLIGHT,
      queued: config.QUEUE_LIMIT,
    });
  }

  /**
   * Writes reports together with others; when it resolves, each has its result.
   *
   * @throws QueueFullError when too many wait, or when the database cannot store the group: then nothing is
   *   acknowledged.
   */
  async write(reports: readonly PendingReport[], { kind, client }: Sender): Promise<void> {
    if (reports.length === 0) return;
    this.database.assertWritable();
    const now = this.clock.now();
    for (const pending of reports) pending.receivedAt = now;
    await this.groups.add(reports, client, this.limits[kind]);
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
  private async writeEach(group: PendingReport[]): Promise<PendingReport[]> {
    try {
      return await this.writeGroup(group);
    } catch (error) {
      if (isDatabaseUnavailable(error) || isOfDriver(error)) throw error;
      if (group.length === 1) {
        this.logger.error(error, logFields(group[0]!.incoming.request));
        group[0]!.result = { kind: 'refused', problem: notStored() };
        return group;
      }
      const middle = group.length >> 1;
      await this.writeEach(group.slice(0, middle));
      await this.writeEach(group.slice(middle));
      return group;
    }
  }

  private async writeGroup(group: PendingReport[]): Promise<PendingReport[]> {
    // the database has failed while the group waited: its reports need not wait for a command to fail
    this.database.assertWritable();
    shareReceiptTimes(group);
    for (const pending of group) pending.read();
    const end = this.counters.beginGroup(group);
    await traceGroup(group, async () => {
      await this.log.append(group);
      await this.followInStates(group);
    });
    end();
    this.counters.count(group);
    this.activity.count(group);
    return group;
  }

  /** The states follow the log: a refused report is not in it, and changes nothing. */
  private async followInStates(group: readonly PendingReport[]): Promise<void> {
    const stored = group.flatMap(({ result }) => (result?.kind === 'stored' ? result : []));
    if (stored.length === 0) return;
    const changes = onReports(
      stored.map(({ report }) => report),
      this.thresholds,
    );
    const { refused, missing } = await this.states.follow(changes);
    if (refused.size === 0 && missing.size === 0) return;
    const bottleOf = ({ report }: Stored): string => report.document.bottle_id.toHexString();
    await this.log.deleteLogged(stored.filter((result) => missing.has(bottleOf(result))));
    for (const pending of group) {
      const { result } = pending;
      if (result?.kind !== 'stored') continue;
      if (missing.has(bottleOf(result))) pending.result = { kind: 'erased' };
      // in the log, but not acknowledged: the device sends it again, and its state follows then
      else if (refused.has(bottleOf(result))) pending.result = { kind: 'refused', problem: notStored() };
    }
  }
}

/** The database's own errors concern the whole group, not one report. */
function isOfDriver(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}

/**
 * Gives reports that arrived within one second of the clock the latest receipt time among them. So the states of a
 * group follow in one update, or two; and if the database kept a group waiting, each report still has the second in
 * which it arrived.
 */
function shareReceiptTimes(group: readonly PendingReport[]): void {
  const latest = new Map<number, Date>();
  for (const { receivedAt } of group) {
    const known = latest.get(secondOf(receivedAt!));
    if (!known || known < receivedAt!) latest.set(secondOf(receivedAt!), receivedAt!);
  }
  for (const pending of group) pending.receivedAt = latest.get(secondOf(pending.receivedAt!));
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
