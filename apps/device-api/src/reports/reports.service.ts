import type { DeviceIdentity } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { ActionDto, ActionResultDto } from '../actions/action.dto.js';
import type { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';
import type { Said } from './report-reader.js';
import { type Stored, tokenOfErased } from './report-log.js';
import { ReportWriter } from './report-writer.js';

/** One report a request. */
@Injectable()
export class ReportsService {
  constructor(private readonly writer: ReportWriter) {}

  async heartbeat(device: DeviceIdentity, body: HeartbeatDto): Promise<void> {
    await this.writeOne({ kind: 'heartbeat', device, body, clock: instant(body.sent_at) });
  }

  /** @throws Problem 409 when the event id was used for another event. */
  async action(device: DeviceIdentity, body: ActionDto): Promise<ActionResultDto> {
    const clock = instant(body.sent_at);
    const { report, duplicate } = await this.writeOne({ kind: 'action', device, body, clock });
    return { id: report.document._id.toHexString(), duplicate };
  }

  private async writeOne(said: Said): Promise<Stored> {
    const result = (await this.writer.write([said]))[0]!;
    if (result.kind === 'erased') throw tokenOfErased();
    if (result.kind === 'refused') throw result.problem;
    return result;
  }
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
