import type { DeviceIdentity, GatewayIdentity } from '#persistence';
import { checkBody, Problem, type RequestContext } from '#platform';
import { Injectable } from '@nestjs/common';
import type { BatchResultDto } from '../batch/batch.dto.js';
import { asObject, type BatchItem, BatchService, orProblem, readItem } from '../batch/batch.service.js';
import type { IncomingReport } from '../reports/report.js';
import { BottleDirectory } from './bottle-directory.js';
import { type GatewayBatchDto, GatewayItemDto } from './gateway-batch.dto.js';

type GatewayItem = BatchItem & { bottle: string };

/** Stores a gateway's batch: the valid items of bottles that are assigned to it, as one group. */
@Injectable()
export class GatewayService {
  constructor(
    private readonly bottles: BottleDirectory,
    private readonly batches: BatchService,
  ) {}

  async store(
    gateway: GatewayIdentity,
    batch: GatewayBatchDto,
    request: RequestContext,
  ): Promise<BatchResultDto> {
    const clock = batch.sent_at === undefined ? undefined : new Date(batch.sent_at);
    const items = batch.items.map((item) => orProblem(() => readGatewayItem(item), request));
    const ids = items.flatMap((item) => (item instanceof Problem ? [] : item.bottle));
    const devices = await this.bottles.findAssigned(gateway._id.toHexString(), ids);
    return this.batches.write(
      items.map((item) => (item instanceof Problem ? item : toReport(item, devices, { clock, request }))),
      { kind: 'gateway', client: gateway },
      notAssigned,
    );
  }
}

function readGatewayItem(item: unknown): GatewayItem {
  const { bottle_id, ...report } = asObject(item);
  const { bottle_id: bottle } = checkBody(GatewayItemDto, { bottle_id });
  return { ...readItem(report), bottle };
}

function toReport(
  { bottle, ...item }: GatewayItem,
  devices: Map<string, DeviceIdentity>,
  sent: Pick<IncomingReport, 'clock' | 'request'>,
): IncomingReport | Problem {
  const device = devices.get(bottle);
  return device ? { ...item, device, ...sent } : notAssigned();
}

/** The same for another gateway's bottle and for one that does not exist: a gateway learns nothing of others. */
function notAssigned(): Problem {
  return Problem.field(
    'bottle_id',
    'bottle_not_assigned',
    'This bottle is not assigned to the gateway.',
    403,
  );
}
