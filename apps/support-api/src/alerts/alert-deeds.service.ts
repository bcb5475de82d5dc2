import { alertKindFacts } from '#domain';
import { type Alert, AlertsRepository, type Deed as StoredDeed } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Staff } from '../auth/staff.js';
import { toObjectId } from '../http/object-id.js';
import type { AcknowledgeDto, DecideDto, ResolveDto, SnoozeDto } from './alert-requests.dto.js';
import { type AlertResultDto, type AlertResultsDto, lastStep } from './alert-views.dto.js';

const LONGEST_SNOOZE = 7 * 24 * 60 * 60_000;

/** What somebody asks to be done about alerts. */
export type AlertRequest =
  | ({ verb: 'acknowledge' } & AcknowledgeDto)
  | ({ verb: 'snooze' } & SnoozeDto)
  | ({ verb: 'resolve' } & ResolveDto)
  | ({ verb: 'confirm' | 'dismiss' } & DecideDto);

const RULES: Record<AlertRequest['verb'], string> = {
  acknowledge: 'only an open one can be acknowledged',
  snooze: 'only one that has not ended can be snoozed',
  resolve: 'only one that has not ended can be resolved',
  confirm: 'only an open fleet incident can be confirmed',
  dismiss: 'only an open fleet incident can be dismissed',
};

/** Somebody does something about alerts. Of two who do it at once, one is told who was first. */
@Injectable()
export class AlertDeedsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for a time that is not ahead, 404, or 409 `alert_not_open` saying how it stands, who brought it there and when. */
  async act(id: Types.ObjectId, caller: Staff, request: AlertRequest): Promise<Alert> {
    const done = await this.carryOut(id, caller, request);
    if (done) return done;
    const alert = await this.alerts.findById(id);
    if (!alert) throw Problem.notFound('alert');
    if (!alertKindFacts(alert.kind).aboutFleet && ['confirm', 'dismiss'].includes(request.verb)) {
      throw new Problem(409, 'not_an_incident', `This alert is ${alert.kind}; ${RULES[request.verb]}.`);
    }
    const refusal = `This alert is ${standing(alert)}; ${refusedBy(alert, request)}.`;
    throw new Problem(409, 'alert_not_open', refusal, [
      { field: 'state', code: 'alert_not_open', message: alert.state },
    ]);
  }

  /** Each alert by itself: one that is refused holds up no other. @throws Problem 400 for a time that is not ahead. */
  async actOnMany(ids: string[], caller: Staff, request: AlertRequest): Promise<AlertResultsDto> {
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    const results = await Promise.all(
      distinct.map(async (id): Promise<AlertResultDto> => {
        const done = await this.carryOut(toObjectId(id, 'ids'), caller, request);
        if (done) return resultOf(id, 200, null, done);
        const alert = await this.alerts.findById(toObjectId(id, 'ids'));
        return alert ? resultOf(id, 409, 'alert_not_open', alert) : resultOf(id, 404, 'alert_not_found');
      }),
    );
    return { results };
  }

  private carryOut(id: Types.ObjectId, { name }: Staff, request: AlertRequest): Promise<Alert | null> {
    const at = this.clock.now();
    const deed: StoredDeed = { by: name, at, note: request.note };
    switch (request.verb) {
      case 'acknowledge':
        return this.alerts.acknowledge(id, deed);
      case 'snooze':
        return this.alerts.snooze(id, readEnd(request.until, at), { ...deed, seen: request.seen_state });
      case 'resolve':
        return this.alerts.resolve(id, { ...deed, seen: request.seen_state });
      case 'confirm':
        return this.alerts.decide(id, 'confirmed', deed);
      case 'dismiss':
        return this.alerts.decide(id, 'dismissed', deed);
    }
  }
}

/** @throws Problem 400 `out_of_range` */
function readEnd(until: string, now: Date): Date {
  const end = new Date(until);
  if (end <= now || end.getTime() - now.getTime() > LONGEST_SNOOZE) {
    throw Problem.field('until', 'out_of_range', 'until must lie ahead, at most 7 days');
  }
  return end;
}

/** `acknowledged, by Carol Smith at 2026-03-01T12:00:00.000Z`: for whoever comes second. */
function standing(alert: Alert): string {
  const step = lastStep(alert);
  return step ? `${alert.state}, by ${step.by} at ${step.at.toISOString()}` : alert.state;
}

function refusedBy(alert: Alert, request: AlertRequest): string {
  const changed = 'seen_state' in request && request.seen_state !== undefined && alert.open;
  return changed ? `it was ${request.seen_state} when you saw it` : RULES[request.verb];
}

function resultOf(id: string, status: number, code: string | null, alert?: Alert): AlertResultDto {
  const step = alert && lastStep(alert);
  const bottle_id = alert?.bottle_id.toHexString() ?? null;
  return {
    id,
    bottle_id,
    status,
    code,
    state: alert?.state ?? null,
    by: step?.by ?? null,
    at: step?.at ?? null,
  };
}
