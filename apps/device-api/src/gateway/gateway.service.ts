import type { DeviceIdentity, GatewayIdentity } from '#persistence';
import { checkBody, Problem, type RequestContext } from '#platform';
import { Injectable } from '@nestjs/common';
import type { BatchResultDto } from '../batch/batch.dto.js';
import {
  asObject,
  type BatchItem,
  BatchService,
  orProblem,
  readItem,
  RefusedItem,
} from '../batch/batch.service.js';
import type { BatchClock } from '../reports/device-times.js';
import { ReportCounters } from '../reports/report-counters.js';
import type { IncomingReport } from '../reports/report.js';
import { assertNotRetired } from '../auth/retired.js';
import { ignoredIn, type UnderstoodBatch } from '../reports/understand.js';
import { BottleDirectory } from './bottle-directory.js';
import { GatewayBatchDto, GatewayItemDto } from './gateway-batch.dto.js';

/** An item as it was sent, what it says, and of which bottle (hex), if it says that. */
interface GatewayItem {
  sent: unknown;
  item: BatchItem | Problem;
  bottle?: string;
}

/** Stores a gateway's batch: the valid items of bottles that are assigned to it, as one group. */
@Injectable()
export class GatewayService {
  constructor(
    private readonly bottles: BottleDirectory,
    private readonly batches: BatchService,
    private readonly counters: ReportCounters,
  ) {}

  async store(
    gateway: GatewayIdentity,
    { body, clock, ignored }: UnderstoodBatch<GatewayBatchDto>,
    request: RequestContext,
  ): Promise<BatchResultDto> {
    this.counters.countIgnored(GatewayBatchDto, ignored);
    const items = body.items.map((sent) => readGatewayItem(sent, clock, request));
    const ids = items.flatMap(({ bottle }) => bottle ?? []);
    const devices = await this.bottles.findAssigned(gateway._id.toHexString(), ids);
    const result = await this.batches.write(
      items.map((item) => toReport(item, devices.get(item.bottle ?? ''), request)),
      { kind: 'gateway', client: gateway },
      notAssigned,
    );
    return { ...result, ...ignoredIn(ignored) };
  }
}

function readGatewayItem(sent: unknown, clock: BatchClock, request: RequestContext): GatewayItem {
  const read = orProblem(() => {
    const { bottle_id, ...report } = asObject(sent);
    return { ...checkBody(GatewayItemDto, { bottle_id }), report };
  }, request);
  if (read instanceof Problem) return { sent, item: read };
  return { sent, item: orProblem(() => readItem(read.report, clock), request), bottle: read.bottle_id };
}

function toReport(
  { sent, item }: GatewayItem,
  device: DeviceIdentity | undefined,
  request: RequestContext,
): IncomingReport | RefusedItem {
  if (item instanceof Problem) return new RefusedItem(item, sent, device);
  const retired = device && orProblem(() => assertNotRetired(device), request);
  if (retired) return new RefusedItem(retired, sent);
  return device ? { ...item, device, request } : new RefusedItem(notAssigned(), sent);
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
