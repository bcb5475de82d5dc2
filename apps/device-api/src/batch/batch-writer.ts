import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Activity } from '../reports/activity.js';
import type { ReportResult } from '../reports/report-log.js';
import type { Said } from '../reports/report-reader.js';
import { ReportWriter } from '../reports/report-writer.js';
import type { BatchItemResultDto, BatchResultDto } from './batch.dto.js';

/** Stores what is right of a batch as one group, and answers each item in its place. */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly writer: ReportWriter,
    private readonly activity: Activity,
    private readonly clock: Clock,
  ) {}

  /** @param erased what is said of an item whose bottle was erased meanwhile. */
  async write(read: (Said | Problem)[], erased: () => Problem): Promise<BatchResultDto> {
    const said = read.filter((item): item is Said => !(item instanceof Problem));
    const stored = (await this.writer.write(said)).values();
    const results = read.map((item) =>
      item instanceof Problem ? refused(item) : answer(stored.next().value!, erased),
    );
    for (const { code } of results) if (code !== undefined) this.activity.refused(code, this.clock.now());
    return { results };
  }
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

function answer(result: ReportResult, erased: () => Problem): BatchItemResultDto {
  if (result.kind === 'erased') return refused(erased());
  if (result.kind === 'refused') return refused(result.problem);
  const { report, duplicate } = result;
  return report.kind === 'heartbeat'
    ? { status: 204 }
    : { status: duplicate ? 200 : 201, id: report.document._id.toHexString() };
}
