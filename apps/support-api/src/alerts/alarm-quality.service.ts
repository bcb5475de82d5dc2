import {
  type Alarm,
  type AlarmCounts,
  alarmQuality,
  type AlertKind,
  bottleDays,
  DAY_MS,
  groupOf,
  isStaff,
  noAlarms,
  withAlarm,
} from '#domain';
import {
  type Delivery,
  DeliveryListsRepository,
  type RaisedAlert,
  RaisedAlertsRepository,
  RegisteredBottlesRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { readRange } from '../http/time-range.js';
import type { AlarmQualityDto, AlarmQualityQuery } from './alarm-quality.dto.js';

const DEFAULT_SPAN = 30 * DAY_MS;
/** Notifications are kept for so long. */
const LONGEST_AGO = 90 * DAY_MS;
const PAGE = 1_000;

/** What alerts were worth, from the records: alerts of a time, page by page, with the notifications about them. */
@Injectable()
export class AlarmQualityService {
  constructor(
    private readonly alerts: RaisedAlertsRepository,
    private readonly deliveries: DeliveryListsRepository,
    private readonly bottles: RegisteredBottlesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range */
  async get({ by = 'fleet', ...query }: AlarmQualityQuery): Promise<AlarmQualityDto> {
    const now = this.clock.now();
    const { from, to: asked } = readRange(query, now, DEFAULT_SPAN);
    if (now.getTime() - from.getTime() > LONGEST_AGO)
      throw Problem.field('from', 'invalid_range', 'from must be at most 90 days ago');
    const to = asked < now ? asked : now;
    const counts = new Map<string | null, Map<AlertKind, AlarmCounts>>();
    for await (const page of this.alerts.pages(from, to, PAGE)) {
      const sent = await this.deliveries.findOfAlerts(page.map(({ _id }) => _id));
      for (const alert of page) {
        const alarm = alarmOf(alert, sent.get(alert._id.toHexString()) ?? []);
        const group = groupOf(alarm, by);
        const ofGroup = counts.get(group) ?? new Map<AlertKind, AlarmCounts>();
        counts.set(group, ofGroup);
        const counted = withAlarm(ofGroup.get(alarm.kind) ?? noAlarms(), alarm);
        if (counted.alerts > 0) ofGroup.set(alarm.kind, counted);
      }
    }
    const registered = await this.bottles.countByMedication(from, to);
    const retired = await this.bottles.countRetiredByMedication(from, to);
    return { from, to, rows: alarmQuality(counts, bottleDays(registered, retired, { from, to }, by)) };
  }
}

function alarmOf(
  { kind, medication, raised_at, state, closing, history }: RaisedAlert,
  deliveries: readonly Pick<Delivery, 'recipient' | 'event' | 'status' | 'created_at'>[],
): Alarm {
  const acknowledged_at = history.find(({ event }) => event === 'acknowledged')?.at;
  return {
    kind,
    medication,
    raised_at,
    state,
    ...(closing && { closing }),
    ...(acknowledged_at && { acknowledged_at }),
    // how many browsers staff have says nothing of the alerts
    messages: deliveries
      .filter((one) => !isStaff(one))
      .map(({ event, status, created_at }) => ({
        event,
        sent: status === 'delivered',
        created_at,
      })),
  };
}
