import type { DeviceIdentity } from '#persistence';
import { checkBody, Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { ActionDto } from '../actions/action.dto.js';
import { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';
import { type Report, ReportReader } from '../reports/report-reader.js';
import { type ReportResult, ReportWriter } from '../reports/report-writer.js';
import type { BatchDto, BatchItemResultDto, BatchResultDto } from './batch.dto.js';

/** Reads a batch item by item, stores what is right as one group, and answers each in its place. */
@Injectable()
export class BatchService {
  constructor(
    private readonly reader: ReportReader,
    private readonly writer: ReportWriter,
    private readonly clock: Clock,
  ) {}

  async store(device: DeviceIdentity, batch: BatchDto): Promise<BatchResultDto> {
    const now = this.clock.now();
    const read = batch.items.map((item) => this.read(device, item, batch.sent_at, now));
    const reports = read.filter((item): item is Report => !(item instanceof Problem));
    const results = (await this.writer.write(reports, now)).values();
    return {
      results: read.map((item) => (item instanceof Problem ? refused(item) : stored(results.next().value!))),
    };
  }

  private read(
    device: DeviceIdentity,
    item: unknown,
    sentAt: string | undefined,
    now: Date,
  ): Report | Problem {
    try {
      const { type, ...body } = asObject(item);
      const clock = sentAt === undefined ? undefined : new Date(sentAt);
      if (type === 'heartbeat')
        return this.reader.heartbeat(device, checkBody(HeartbeatDto, body), now, clock);
      if (type === 'action') return this.reader.action(device, checkBody(ActionDto, body), now, clock);
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

function stored(result: ReportResult): BatchItemResultDto {
  switch (result.kind) {
    case 'heartbeat':
      return { status: 204 };
    case 'action':
      return { status: result.duplicate ? 200 : 201, id: result.id };
    case 'refused':
      return refused(result.problem);
  }
}
