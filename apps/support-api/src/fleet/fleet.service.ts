import {
  ALERT_KINDS,
  type AlertKind,
  AlertsRepository,
  BottleHeartbeatsRepository,
  BottleStatesRepository,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { ActionRate } from './action-rate.js';
import type { FleetDto } from './fleet.dto.js';

const MINUTE = 60_000;

/** The whole fleet in numbers; nothing here walks it. */
@Injectable()
export class FleetService {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly alerts: AlertsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly actions: ActionRate,
    private readonly deadlines: DeadlinesRepository,
    private readonly clock: Clock,
  ) {}

  async overview(): Promise<FleetDto> {
    const now = this.clock.now();
    const [by_status, open, heartbeats_per_minute, actions_per_minute, silent, openLag, dose] =
      await Promise.all([
        this.states.countByStatus(),
        this.alerts.countOpen(),
        this.heartbeats.countSince(new Date(now.getTime() - MINUTE)),
        this.actions.perMinute(),
        this.deadlines.lag('silent', now),
        this.deadlines.lag('open', now),
        this.deadlines.lag('dose', now),
      ]);
    const total = Object.values(by_status).reduce((sum, count) => sum + count, 0);
    return {
      bottles: { total, by_status },
      open_alerts: Object.fromEntries(ALERT_KINDS.map((kind) => [kind, open[kind] ?? 0])) as Record<
        AlertKind,
        number
      >,
      ingest: { heartbeats_per_minute, actions_per_minute },
      notifier: { lag_ms: { silent, open: openLag, dose } },
    };
  }
}
