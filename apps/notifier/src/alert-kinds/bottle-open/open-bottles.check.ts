import {
  type CountedHeartbeat,
  endForAnother,
  isOfAnother,
  judgeOpeningAgain,
  judgeOverdueOpening,
  onClosingLost,
  onNotOpen,
  onOpenAlert,
  onOpenAlertEnd,
  onOpenInhibited,
  onOpenPostponed,
  onOrphanedOpenAlert,
  onStillCountedOpen,
  onStillOpen,
  openBottleAlert,
  openBottleClosingLost,
  openBottleEnd,
  openBottleNotMonitored,
  onOpenHeld,
  type UnmonitoredPeriod,
  type RecordedCoverage,
  type Thresholds,
  thresholdsOf,
  unchanged,
} from '#domain';
import {
  type ActionSeen,
  type Alert,
  AlertsRepository,
  BottleLogsRepository,
  BottlesRepository,
  CoverageRepository,
  type BottleState,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { NotifierConfig } from '../../config.js';
import { StateRepair } from '../../states/state-repair.js';
import { Check, type CheckResult, totalOf, type Finding } from '../../alerts/check.js';

/** What confirms a page of open bottles. */
interface Confirmation {
  /** Since the earliest opening, or last contact, of the page. */
  coverage: RecordedCoverage;
  /** The last action in the log, by bottle. */
  lastActions: Map<string, ActionSeen>;
  /** What the bottles have counted by themselves since they were opened, of the last checks. */
  counts: Map<string, CountedHeartbeat[]>;
  openAlerts: Map<string, Alert<'bottle_open'>>;
  /** The periods without monitoring. */
  periods: Map<string, readonly UnmonitoredPeriod[]>;
}

/**
 * Raises alerts for bottles that are left open, and ends them. A silent bottle is only "last known open". So is every
 * bottle during a maintenance outage, and until the closings that the outage delayed have had time to arrive.
 */
@Injectable()
export class OpenBottlesCheck extends Check {
  private readonly thresholds: Thresholds;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly storedAlerts: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly logs: BottleLogsRepository,
    private readonly coverage: CoverageRepository,
    private readonly repair: StateRepair,
    config: NotifierConfig,
  ) {
    super('open', deadlines, alerts, clock);
    this.thresholds = thresholdsOf(config);
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const orphaned = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimOrphaned('open', now, lease, limit, skip),
        prepare: (states) => this.openAlerts(states),
        judge: (state, _now, openAlerts) => this.learnOrphaned(state, openAlerts),
      },
      stopping,
    );
    const changed = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimOpenChanged(now, lease, limit, skip),
        prepare: (states) => this.openAlerts(states),
        judge: (state, now, openAlerts) => this.changed(state, now, openAlerts),
      },
      stopping,
    );
    const dueBy = await this.coverage.findDueBy(this.clock.now(), this.thresholds.silentAfter);
    const overdue = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) =>
          this.deadlines.claimOverdue('open', now, lease, limit, skip, dueBy),
        prepare: (states, now) => this.confirm(states, now),
        judge: (state, now, confirmation) => this.overdue(state, now, confirmation),
      },
      stopping,
    );
    return totalOf(orphaned, changed, overdue);
  }

  private openAlerts(states: BottleState[]): Promise<Map<string, Alert<'bottle_open'>>> {
    return this.storedAlerts.findOpenByBottle(
      states.map(({ _id }) => _id),
      'bottle_open',
    );
  }

  /** The lab's query for the page: each bottle's last action, at or after the opening in its state. */
  private lastActions(states: BottleState[]): Promise<Map<string, ActionSeen>> {
    const wanted = states.flatMap(({ _id, last_action }) =>
      // a bad record must not stop the page: it is quarantined when it is judged
      last_action?.time instanceof Date ? { bottle_id: _id, since: last_action.time } : [],
    );
    return this.logs.findLastActions(wanted);
  }

  /**
   * A notifier was killed between the alert and the state, and the bottle was closed since: the state learns of
   * the alert, so that the next step ends it.
   */
  private learnOrphaned(state: BottleState, openAlerts: Map<string, Alert<'bottle_open'>>): Finding {
    const alert = openAlerts.get(state._id.toHexString());
    const openedAt = alert?.evidence.opened_at;
    return { release: () => onOrphanedOpenAlert(state, openedAt) };
  }

  private changed(state: BottleState, now: Date, openAlerts: Map<string, Alert<'bottle_open'>>): Finding {
    const alert = openAlerts.get(state._id.toHexString());
    const action = state.last_action!;
    if (state.open && action.time.getTime() === state.open_alerted_for?.getTime())
      return { release: () => onStillOpen(state) };
    const end =
      alert && (isOfAnother(alert, state) ? endForAnother(alert, now) : openBottleEnd(alert, action, now));
    return { end: end ? [end] : [], release: () => onOpenAlertEnd(state) };
  }

  private async confirm(states: BottleState[], now: Date): Promise<Confirmation> {
    const known = states
      .flatMap(({ last_action, last_heard_at }) => [last_action?.time, last_heard_at])
      // a bad record must not stop the page: it is quarantined when it is judged
      .filter((moment) => moment instanceof Date);
    const first = Math.min(now.getTime(), ...known.map((moment) => moment.getTime()));
    const [coverage, lastActions, counts, openAlerts, bottles] = await Promise.all([
      this.coverage.read(new Date(first), now, this.thresholds.silentAfter),
      this.lastActions(states),
      this.readCounts(states, now),
      this.openAlerts(states),
      this.bottles.findByIds(states.map(({ _id }) => _id)),
    ]);
    const periods = new Map(bottles.map(({ _id, pauses }) => [_id.toHexString(), pauses]));
    return { coverage, lastActions, counts, openAlerts, periods };
  }

  private readCounts(states: BottleState[], now: Date): Promise<Map<string, CountedHeartbeat[]>> {
    const wanted = states.flatMap(({ _id, last_action }) => {
      if (!(last_action?.time instanceof Date) || last_action.number_of_pills === undefined) return [];
      const since = Math.max(last_action.time.getTime(), now.getTime() - 2 * this.thresholds.silentAfter);
      return { bottle_id: _id, since: new Date(since) };
    });
    return this.logs.findHeartbeatCounts(wanted, now);
  }

  private async overdue(
    state: BottleState,
    now: Date,
    { coverage, lastActions, counts, openAlerts, periods }: Confirmation,
  ): Promise<Finding> {
    if (state.life) return { release: () => onNotOpen(state) };
    const id = state._id.toHexString();
    const open = openAlerts.get(id);
    if (open && isOfAnother(open, state))
      return { end: [endForAnother(open, now)], release: () => onOpenHeld(state, undefined) };
    const facts = {
      coverage,
      counts: counts.get(id) ?? [],
      periods: periods.get(id) ?? [],
      lastAction: lastActions.get(id),
    };
    const found = judgeOverdueOpening(state, facts, this.thresholds, now);
    switch (found.result) {
      case 'not_open':
        return { release: () => onNotOpen(state) };
      case 'held':
        return {
          end: open ? [openBottleNotMonitored(open, found.reason, now)] : [],
          release: () => onOpenHeld(state, open ? undefined : found.until),
        };
      case 'closing_lost':
        return {
          end: open ? [openBottleClosingLost(open, found.lost, now)] : [],
          release: () => onClosingLost(state),
        };
      case 'still_open':
        return { release: () => onStillCountedOpen(state, this.nextCheckAt(now)) };
      case 'inhibited':
        await this.storedAlerts.addSuppressed(state._id, {
          kind: 'bottle_open',
          reason: 'the bottle is silent',
          at: now,
        });
        return { release: () => onOpenInhibited(state) };
      case 'silence_first':
        return { release: () => undefined };
      case 'postponed':
        return { release: () => onOpenPostponed(state, found.until) };
      case 'state_lags':
        await this.repair.present(state, facts.lastAction);
        return { release: () => unchanged(state) };
      case 'too_long':
        return this.tooLong(state, found.openedAt, now);
    }
  }

  private nextCheckAt(now: Date): Date {
    return new Date(now.getTime() + this.thresholds.silentAfter / 2);
  }

  private tooLong(state: BottleState, openedAt: Date, now: Date): Finding {
    const alert = openBottleAlert(state, openedAt, this.thresholds.openAfter);
    return {
      raise: [alert],
      judgeAgain: judgeOpeningAgain(state, openedAt),
      release: (standing) =>
        onOpenAlert(
          state,
          openedAt,
          standing.has(alertId(alert).toHexString()),
          state.last_action?.number_of_pills === undefined ? undefined : this.nextCheckAt(now),
        ),
    };
  }
}
