import type { DeviceIdentity } from '#persistence';
import type { RequestContext } from '#platform';
import { Injectable } from '@nestjs/common';
import { type IncomingReport, PendingReport, type Stored, tokenOfErased } from './report.js';
import type { ActionDto, ActionResultDto, HeartbeatDto } from './report.dto.js';
import { ReportWriter } from './report-writer.js';

/** Stores one report per request. */
@Injectable()
export class ReportsService {
  constructor(private readonly writer: ReportWriter) {}

  async heartbeat(device: DeviceIdentity, body: HeartbeatDto, request: RequestContext): Promise<void> {
    await this.write({ kind: 'heartbeat', device, body, clock: toInstant(body.sent_at), request });
  }

  /** @throws Problem 409 if the event id was used for a different event. */
  async action(device: DeviceIdentity, body: ActionDto, request: RequestContext): Promise<ActionResultDto> {
    const clock = toInstant(body.sent_at);
    const { report, duplicate } = await this.write({ kind: 'action', device, body, clock, request });
    return { id: report.document._id.toHexString(), duplicate };
  }

  private async write(incoming: IncomingReport): Promise<Stored> {
    const pending = new PendingReport(incoming);
    await this.writer.write([pending], { kind: 'bottle', client: incoming.device });
    const result = pending.result!;
    if (result.kind === 'erased') throw tokenOfErased();
    if (result.kind === 'refused') throw result.problem;
    return result;
  }
}

function toInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
