import type { DeviceIdentity } from '#persistence';
import { Injectable } from '@nestjs/common';
import { tokenOfErased } from '../reports/report-log.js';
import { orProblem, readItem } from './batch-item.js';
import { BatchWriter } from './batch-writer.js';
import type { BatchDto, BatchResultDto } from './batch.dto.js';

/** Reads a bottle's batch item by item, and stores what is right. */
@Injectable()
export class BatchService {
  constructor(private readonly writer: BatchWriter) {}

  async store(device: DeviceIdentity, batch: BatchDto): Promise<BatchResultDto> {
    const clock = batch.sent_at === undefined ? undefined : new Date(batch.sent_at);
    const read = batch.items.map((item) => orProblem(() => ({ ...readItem(item), device, clock })));
    return this.writer.write(read, tokenOfErased);
  }
}
