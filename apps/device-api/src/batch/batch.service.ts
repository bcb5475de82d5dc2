import type { DeviceIdentity } from '#persistence';
import { checkBody, Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { ActionDto } from '../actions/action.dto.js';
import { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';
import { Activity } from '../reports/activity.js';
import type { ReportResult } from '../reports/report-log.js';
import type { Said } from '../reports/report-reader.js';
import { ReportWriter } from '../reports/report-writer.js';
import type { BatchDto, BatchItemResultDto, BatchResultDto } from './batch.dto.js';

/** Reads a batch item by item, stores what is right as one group, and answers each in its place. */
@Injectable()
export class BatchService {
  constructor(
    private readonly writer: ReportWriter,
    private readonly activity: Activity,
    private readonly clock: Clock,
  ) {}

  async store(device: DeviceIdentity, batch: BatchDto): Promise<BatchResultDto> {
    const clock = batch.sent_at === undefined ? undefined : new Date(batch.sent_at);
    const read = batch.items.map((item) => readItem(device, item, clock));
    const said = read.filter((item): item is Said => !(item instanceof Problem));
    const results = (await this.writer.write(said)).values();
    const answers = read.map((item) =>
      item instanceof Problem ? refused(item) : answer(results.next().value!),
    );
    for (const { code } of answers) if (code !== undefined) this.activity.refused(code, this.clock.now());
    return { results: answers };
  }
}

function readItem(device: DeviceIdentity, item: unknown, clock: Date | undefined): Said | Problem {
  try {
    const { type, ...body } = asObject(item);
    if (type === 'heartbeat') return { kind: type, device, body: checkBody(HeartbeatDto, body), clock };
    if (type === 'action') return { kind: type, device, body: checkBody(ActionDto, body), clock };
    throw Problem.field(
      'type',
      type === undefined ? 'missing_field' : 'invalid_value',
      'type must be heartbeat or action',
    );
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function asObject(item: unknown): Record<string, unknown> {
  if (typeof item === 'object' && item !== null && !Array.isArray(item))
    return item as Record<string, unknown>;
  throw new Problem(400, 'invalid_type', 'An item must be an object.');
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

function answer(result: ReportResult): BatchItemResultDto {
  if (result.kind === 'refused') return refused(result.problem);
  const { report, duplicate } = result;
  return report.kind === 'heartbeat'
    ? { status: 204 }
    : { status: duplicate ? 200 : 201, id: report.document._id.toHexString() };
}
