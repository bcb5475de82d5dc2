import {
  coverageInterval,
  incidentAlert,
  incidentEnd,
  isIncident,
  isIncidentOver,
  isSilenceHeld,
  RecordedCoverage,
  type SilentShare,
} from '#domain';
import {
  AlertsRepository,
  BottlesRepository,
  BottleStatesRepository,
  CoverageRepository,
  DeadlinesRepository,
  FLEET,
  FLEET_ID,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import { AlertsService } from '../../alerts/alerts.service.js';

/** Counting stops here: more than this is an incident for a fleet of any size. */
const COUNT_LIMIT = 1_000_000;

/**
 * Many bottles that fall silent at once have one common cause (uptime-kuma#774): that is one alert for the staff, of
 * kind `fleet_incident`. While it is open, notifications of the silences wait. Confirming it releases them; so does
 * its end, for the bottles that are still silent. When staff dismiss it, because the fault is ours, they wait until it
 * ends and are cancelled then. Acknowledging it, snoozing it and closing it releases nothing.
 */
@Injectable()
export class FleetIncidents {
  constructor(
    private readonly deadlines: DeadlinesRepository,
    private readonly states: BottleStatesRepository,
    private readonly bottles: BottlesRepository,
    private readonly storedAlerts: AlertsRepository,
    private readonly coverage: CoverageRepository,
    private readonly alerts: AlertsService,
    private readonly config: NotifierConfig,
  ) {}

  /** Raises an incident if too many bottles are overdue. Called before a sweep of the silent check. */
  async detect(now: Date): Promise<void> {
    const overdue = await this.deadlines.countOverdue('silent', now, COUNT_LIMIT);
    if (overdue < this.config.FLEET_INCIDENT_BOTTLES || !(await this.hasFullCoverage(now))) return;
    const { FLEET_INCIDENT_PERCENT: percent } = this.config;
    const fleet = await this.silentShare();
    const isIncidentOf = (silent: number): boolean =>
      silent >= this.config.FLEET_INCIDENT_BOTTLES && isIncident({ ...fleet, silent }, percent);
    if (!isIncidentOf(overdue)) return;
    const silent = overdue - (await this.countHeld(now, isIncidentOf));
    if (!isIncidentOf(silent)) return;
    await this.alerts.raise([incidentAlert(FLEET, { ...fleet, silent }, percent, now)], now);
  }

  /**
   * How many of the overdue bottles a period without monitoring holds: they are only looked at again (PERIOD-4). No more
   * of them are counted once enough are found that none holds.
   */
  private async countHeld(now: Date, isEnough: (silent: number) => boolean): Promise<number> {
    let [held, seen] = [0, 0];
    for await (const page of this.deadlines.overduePages('silent', now)) {
      seen += page.length;
      const periods = await this.bottles.findPeriods(page.map(({ _id }) => _id));
      held += page.filter(({ _id, silence_counts_from }) =>
        isSilenceHeld(
          periods.get(_id.toHexString()) ?? [],
          silence_counts_from,
          this.config.SILENT_BOTTLE_AFTER,
          now,
        ),
      ).length;
      if (isEnough(seen - held)) break;
    }
    return held;
  }

  /** Ends the incident once less than half of the share is silent. Called after a sweep. */
  async endIfOver(now: Date): Promise<void> {
    const open = await this.storedAlerts.findOpen([FLEET_ID], 'fleet_incident');
    if (open.length === 0) return;
    const share = await this.silentShare();
    if (!isIncidentOver(share, this.config.FLEET_INCIDENT_PERCENT)) return;
    const end = incidentEnd(share, now);
    await this.alerts.end(
      open.map((alert) => ({ alert, end })),
      now,
    );
  }

  /**
   * After a maintenance outage every bottle seems silent; the check itself gives them time. A device-api that is in
   * doubt beside others is no such outage: what ends it may be what silences the fleet.
   */
  private async hasFullCoverage(now: Date): Promise<boolean> {
    const silentAfter = this.config.SILENT_BOTTLE_AFTER;
    const before = (moment: Date): Date => new Date(moment.getTime() - silentAfter);
    const since = before(now);
    // without the processes that they belong to, spans leave no doubt
    const spans = (await this.coverage.findSince(since)).map(({ from, until }) => ({ from, until }));
    const coverage = new RecordedCoverage(spans, { since, now }, coverageInterval(silentAfter));
    return coverage.since(before(coverage.until)) >= silentAfter;
  }

  private async silentShare(): Promise<SilentShare> {
    const { unknown: _unknown, silent, ...others } = await this.states.countByStatus();
    return { silent, total: silent + others.late + others.open + others.ok };
  }
}
