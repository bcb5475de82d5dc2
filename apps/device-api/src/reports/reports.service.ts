import type { DeviceIdentity } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { ActionDto, ActionResultDto } from '../actions/action.dto.js';
import type { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';
import { type Report, ReportReader } from './report-reader.js';
import { type ReportResult, ReportWriter } from './report-writer.js';

/** One report a request. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reader: ReportReader,
    private readonly writer: ReportWriter,
    private readonly clock: Clock,
  ) {}

  async heartbeat(device: DeviceIdentity, body: HeartbeatDto): Promise<void> {
    const now = this.clock.now();
    await this.writeOne(this.reader.heartbeat(device, body, now, instant(body.sent_at)), now);
  }

  /** @throws Problem 409 when the event id was used for another event. */
  async action(device: DeviceIdentity, body: ActionDto): Promise<ActionResultDto> {
    const now = this.clock.now();
    const result = await this.writeOne(this.reader.action(device, body, now, instant(body.sent_at)), now);
    if (result.kind !== 'action') throw new Error('an action was stored as something else');
    return { id: result.id, duplicate: result.duplicate };
  }

  private async writeOne(report: Report, now: Date): Promise<ReportResult> {
    const result = (await this.writer.write([report], now))[0]!;
    if (result.kind === 'refused') throw result.problem;
    return result;
  }
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
