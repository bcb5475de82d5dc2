import type { DeviceIdentity } from '#persistence';
import { logFields, Problem, type RequestContext } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { type BatchClock, clockOf } from '../reports/device-times.js';
import { type Refusal, Refusals } from '../reports/refusals.js';
import type { ReportType } from '../reports/report-counters.js';
import { ReportProblems } from '../reports/report-problems.js';
import { ActionDto, HeartbeatDto } from '../reports/report.dto.js';
import { type IncomingReport, notStored, type ReportResult, tokenOfErased } from '../reports/report.js';
import { ReportWriter, type Sender } from '../reports/report-writer.js';
import {
  type IgnoredField,
  ignoredIn,
  understandAction,
  type UnderstoodBatch,
  understandHeartbeat,
} from '../reports/understand.js';
import { BatchDto, type BatchItemResultDto, type BatchResultDto } from './batch.dto.js';

/** A valid report of a batch. */
export type BatchItem = ({ kind: 'heartbeat'; body: HeartbeatDto } | { kind: 'action'; body: ActionDto }) & {
  ignored: readonly IgnoredField[];
  /** The clock by which it was timed. */
  clock: Date | undefined;
};

/** An item that is no report, or of a bottle that it may not be of. */
export class RefusedItem {
  /**
   * @param sent as it was sent
   * @param device its bottle, as far as that is known
   */
  constructor(
    readonly problem: Problem,
    readonly sent: unknown,
    readonly device?: DeviceIdentity,
  ) {}
}

/** Stores the valid items of a batch as one group, and gives each item its result. */
@Injectable()
export class BatchService {
  constructor(
    private readonly writer: ReportWriter,
    private readonly problems: ReportProblems,
    private readonly refusals: Refusals,
  ) {}

  /** Stores a bottle's own batch. */
  async store(
    device: DeviceIdentity,
    { body, clock, ignored }: UnderstoodBatch<BatchDto>,
    request: RequestContext,
  ): Promise<BatchResultDto> {
    this.problems.noteIgnored(device, BatchDto, ignored);
    const items = body.items.map((sent) => {
      const item = orProblem(() => readItem(sent, clock), request);
      return item instanceof Problem ? new RefusedItem(item, sent, device) : { ...item, device, request };
    });
    const result = await this.write(items, { kind: 'bottle', client: device }, tokenOfErased);
    return { ...result, ...ignoredIn(ignored) };
  }

  /** @param erased the problem of an item whose bottle was erased meanwhile. */
  async write(
    items: (IncomingReport | RefusedItem)[],
    sender: Sender,
    erased: () => Problem,
  ): Promise<BatchResultDto> {
    const reports = items.filter((item): item is IncomingReport => !(item instanceof RefusedItem));
    const written = (await this.writer.write(reports, sender)).values();
    return {
      results: items.map((item) =>
        item instanceof RefusedItem
          ? this.refusedItem(item)
          : this.itemResult(item, written.next().value!, erased),
      ),
    };
  }

  private refusedItem({ problem, sent, device }: RefusedItem): BatchItemResultDto {
    const result = refused(problem);
    this.noteRefusal(result, { type: typeOf(sent), sent, device });
    return result;
  }

  private itemResult(
    { kind, body, device, ignored = [] }: IncomingReport,
    written: ReportResult,
    erased: () => Problem,
  ): BatchItemResultDto {
    this.problems.noteIgnored(device, kind === 'action' ? ActionDto : HeartbeatDto, ignored);
    const result = resultOf(written, erased);
    this.noteRefusal(result, { type: kind, sent: body, device });
    return { ...result, ...ignoredIn(ignored) };
  }

  private noteRefusal(
    { status, code, field }: BatchItemResultDto,
    of: Pick<Refusal, 'type' | 'sent' | 'device'>,
  ): void {
    if (code !== undefined) this.refusals.note({ status, code, field, ...of });
  }
}

/** What an item says that it is. */
function typeOf(sent: unknown): ReportType {
  const { type } = (sent ?? {}) as { type?: unknown };
  return type === 'heartbeat' || type === 'action' ? type : 'unknown';
}

/** @throws Problem 400 */
export function readItem(item: unknown, clock: BatchClock): BatchItem {
  const { type, ...body } = asObject(item);
  if (type === 'heartbeat')
    return { kind: type, ...understandHeartbeat(body), clock: clock.unzoned ?? clock.at };
  if (type === 'action') {
    const understood = understandAction(body, clock.sent);
    return { kind: type, ...understood, clock: clockOf(clock, understood.isWithoutZone) };
  }
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
    return notStored().problem;
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
