import type { DeviceIdentity } from '#persistence';
import type { RequestContext } from '#platform';
import { Injectable } from '@nestjs/common';
import { type IncomingReport, type Stored, tokenOfErased } from './report.js';
import { ReportProblems } from './report-problems.js';
import { ActionDto, type ActionResultDto, HeartbeatDto, type HeartbeatResultDto } from './report.dto.js';
import { ReportWriter } from './report-writer.js';
import { ignoredIn, understandAction, understandHeartbeat } from './understand.js';

/** Stores one report per request. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly writer: ReportWriter,
    private readonly problems: ReportProblems,
  ) {}

  /** @returns what was left out of it; undefined if nothing was. */
  async heartbeat(
    device: DeviceIdentity,
    sent: object,
    request: RequestContext,
  ): Promise<HeartbeatResultDto | undefined> {
    const { body, ignored } = understandHeartbeat(sent);
    this.problems.noteIgnored(device, HeartbeatDto, ignored);
    await this.write({ kind: 'heartbeat', device, body, clock: toInstant(body.sent_at), request });
    return ignored.length > 0 ? (ignoredIn(ignored) as HeartbeatResultDto) : undefined;
  }

  /** @throws Problem 400 if its action or time is not understood, 409 if the event id was used for a different event. */
  async action(device: DeviceIdentity, sent: object, request: RequestContext): Promise<ActionResultDto> {
    const { body, ignored } = understandAction(sent);
    this.problems.noteIgnored(device, ActionDto, ignored);
    const clock = toInstant(body.sent_at);
    const { report, duplicate } = await this.write({ kind: 'action', device, body, clock, request });
    return { id: report.document._id.toHexString(), duplicate, ...ignoredIn(ignored) };
  }

  private async write(incoming: IncomingReport): Promise<Stored> {
    const results = await this.writer.write([incoming], { kind: 'bottle', client: incoming.device });
    const result = results[0]!;
    if (result.kind === 'erased') throw tokenOfErased();
    if (result.kind === 'refused') throw result.problem;
    return result;
  }
}

function toInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
