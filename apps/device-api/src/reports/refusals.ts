import { isCanary } from '#domain';
import type { DeviceIdentity } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { Activity } from './activity.js';
import { ReportCounters, type ReportType } from './report-counters.js';
import { ReportProblems } from './report-problems.js';
import { kindOf } from './understand.js';

/** Statuses by which a report is refused for what it is; for the others nothing is wrong with it. */
const FOR_WHAT_IT_IS: ReadonlySet<number> = new Set([400, 409, 413, 415]);

/** A report that was refused, alone or as an item. */
export interface Refusal {
  status: number;
  /** The code of the answer. */
  code: string;
  /** The wrong field, if it is one. */
  field?: string;
  /** Unknown if it could not be read. */
  type: ReportType;
  /** The bottle that it is of, as far as that is known. */
  device?: DeviceIdentity;
  /** As it was sent. */
  sent: unknown;
}

/** Makes refusals visible: in the live chart, in the metrics, and on the bottle. Canaries are in none of them. */
@Injectable()
export class Refusals {
  constructor(
    private readonly activity: Activity,
    private readonly counters: ReportCounters,
    private readonly problems: ReportProblems,
    private readonly clock: Clock,
  ) {}

  /** @param reports that were refused together */
  note({ status, code, field = '', type, device, sent }: Refusal, reports = 1): void {
    if (device && isCanary(device._id)) return;
    this.activity.refused(code, this.clock.now(), reports);
    this.counters.countRefused(type, code, reports);
    if (!device || !FOR_WHAT_IT_IS.has(status)) return;
    const kind = field === '' ? 'report' : kindOf((sent as Record<string, unknown> | undefined)?.[field]);
    this.problems.note(device, 'refused', { field, reason: code, kind });
  }
}
