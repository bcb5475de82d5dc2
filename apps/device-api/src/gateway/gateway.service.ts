import type { DeviceIdentity, GatewayIdentity } from '#persistence';
import { checkBody, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { asObject, type BatchItem, orProblem, readItem } from '../batch/batch-item.js';
import type { BatchResultDto } from '../batch/batch.dto.js';
import { BatchWriter } from '../batch/batch-writer.js';
import type { Said } from '../reports/report-reader.js';
import { BottleDirectory } from './bottle-directory.js';
import { type GatewayBatchDto, GatewayItemDto } from './gateway-batch.dto.js';

type GatewayItem = BatchItem & { bottle: string };

/** Reads a gateway's batch; what is right, and of a bottle that it may speak for, is stored as one group. */
@Injectable()
export class GatewayService {
  constructor(
    private readonly bottles: BottleDirectory,
    private readonly writer: BatchWriter,
  ) {}

  async store({ _id }: GatewayIdentity, batch: GatewayBatchDto): Promise<BatchResultDto> {
    const clock = batch.sent_at === undefined ? undefined : new Date(batch.sent_at);
    const read = batch.items.map((item) => orProblem(() => readGatewayItem(item)));
    const asked = read.flatMap((item) => (item instanceof Problem ? [] : item.bottle));
    const devices = await this.bottles.spokenFor(_id.toHexString(), asked);
    return this.writer.write(
      read.map((item) => saidBy(devices, item, clock)),
      notAssigned,
    );
  }
}

function readGatewayItem(item: unknown): GatewayItem {
  const { bottle_id, ...report } = asObject(item);
  const { bottle_id: bottle } = checkBody(GatewayItemDto, { bottle_id });
  return { ...readItem(report), bottle: bottle.toLowerCase() };
}

function saidBy(
  devices: Map<string, DeviceIdentity>,
  item: GatewayItem | Problem,
  clock: Date | undefined,
): Said | Problem {
  if (item instanceof Problem) return item;
  const device = devices.get(item.bottle);
  return device ? ({ kind: item.kind, body: item.body, device, clock } as Said) : notAssigned();
}

/** The same for a bottle of somebody else and for one that does not exist: a gateway learns nothing of others. */
function notAssigned(): Problem {
  return Problem.field('bottle_id', 'bottle_not_assigned', 'You do not speak for this bottle.', 403);
}
