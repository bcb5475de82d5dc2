import type { DeviceIdentity } from '#persistence';
import { Clock, logFields, Problem, type RequestContext } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { Activity } from '../reports/activity.js';
import { ReportCounters } from '../reports/report-counters.js';
import { ActionDto, HeartbeatDto } from '../reports/report.dto.js';
import {
  type IncomingReport,
  notStored,
  PendingReport,
  type ReportResult,
  tokenOfErased,
} from '../reports/report.js';
import { ReportWriter, type Sender } from '../reports/report-writer.js';
import { type IgnoredField, understandAction, understandHeartbeat } from '../reports/understand.js';
import type { BatchDto, BatchItemResultDto, BatchResultDto } from './batch.dto.js';

/** A valid report of a batch. */
export type BatchItem = ({ kind: 'heartbeat'; body: HeartbeatDto } | { kind: 'action'; body: ActionDto }) & {
  ignored: readonly IgnoredField[];
};

/** Stores the valid items of a batch as one group, and gives each item its result. */
@Injectable()
export class BatchService {
  constructor(
    private readonly writer: ReportWriter,
    private readonly activity: Activity,
    private readonly counters: ReportCounters,
    private readonly clock: Clock,
  ) {}

  /** Stores a bottle's own batch. */
  store(device: DeviceIdentity, batch: BatchDto, request: RequestContext): Promise<BatchResultDto> {
    const clock = batch.sent_at === undefined ? undefined : new Date(batch.sent_at);
    const items = batch.items.map((item) =>
      orProblem(() => ({ ...readItem(item), device, clock, request }), request),
    );
    return this.write(items, { kind: 'bottle', client: device }, tokenOfErased);
  }

  /**
   * @param items reports, and in place of each invalid item its problem.
   * @param erased the problem of an item whose bottle was erased meanwhile.
   */
  async write(
    items: (IncomingReport | Problem)[],
    sender: Sender,
    erased: () => Problem,
  ): Promise<BatchResultDto> {
    const all = items.map((item) => (item instanceof Problem ? item : new PendingReport(item)));
    await this.writer.write(
      all.filter((item) => item instanceof PendingReport),
      sender,
    );
    const results = all.map((item) =>
      item instanceof Problem ? refused(item) : this.itemResult(item, erased),
    );
    for (const { code } of results) if (code !== undefined) this.activity.refused(code, this.clock.now());
    return { results };
  }

  private itemResult({ incoming, result }: PendingReport, erased: () => Problem): BatchItemResultDto {
    const { kind, ignored = [] } = incoming;
    this.counters.countIgnored(kind === 'action' ? ActionDto : HeartbeatDto, ignored);
    return { ...resultOf(result!, erased), ...(ignored.length > 0 && { ignored: [...ignored] }) };
  }
}

/** @throws Problem 400 */
export function readItem(item: unknown): BatchItem {
  const { type, ...body } = asObject(item);
  if (type === 'heartbeat') return { kind: type, ...understandHeartbeat(body) };
  if (type === 'action') return { kind: type, ...understandAction(body) };
  throw Problem.field(
    'type',
    type === undefined ? 'missing_field' : 'invalid_value',
    'type must be heartbeat or action',
  );
}

/** @throws Problem 400 */
export function asObject(item: unknown): Record<string, unknown> {
  if (typeof item === 'object' && item !== null && !Array.isArray(item))
    return item as Record<string, unknown>;
  throw new Problem(400, 'invalid_type', 'An item must be an object.');
}

const logger = new Logger('Batch');

/** What `read` returns, or the problem that it throws: a bad item does not stop the others. */
export function orProblem<T>(read: () => T, request: RequestContext): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error;
    logger.error(error, logFields(request));
    return notStored();
  }
}

function resultOf(result: ReportResult, erased: () => Problem): BatchItemResultDto {
  if (result.kind === 'erased') return refused(erased());
  if (result.kind === 'refused') return refused(result.problem);
  const { report, duplicate } = result;
  return report.kind === 'heartbeat'
    ? { status: 204 }
    : { status: duplicate ? 200 : 201, id: report.document._id.toHexString() };
}

function refused(problem: Problem): BatchItemResultDto {
  const field = problem.errors?.[0]?.field;
  return {
    status: problem.getStatus(),
    code: problem.code,
    ...(field ? { field } : {}),
    detail: problem.message,
  };
}
