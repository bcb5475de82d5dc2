import {
  type AlertToRaise,
  type RecordedCoverage,
  type CountedHeartbeat,
  judgeOpeningAgain,
  type LastAction,
  onClosingLost,
  onNotOpen,
  onOpenAlert,
  onOpenAlertEnd,
  onOpenInhibited,
  onOpenPostponed,
  onOrphanedOpenAlert,
  onStillCountedOpen,
  onStillOpen,
  openOverdueAt,
  silencePhase,
  type Thresholds,
  thresholdsOf,
  unchanged,
  unreportedIn,
  type UnreportedPills,
  unreportedPills,
} from '#domain';
import {
  type ActionSeen,
  type Alert,
  AlertsRepository,
  BottleLogsRepository,
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
  openAlerts: Map<string, Alert>;
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
    private readonly recorded: AlertsRepository,
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
    return this.recorded.findOpenByBottle(
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
    // late data: it had been closed before it was overdue, so nobody should have been notified
    const wrong = alert !== undefined && action.action === 'closed' && action.time <= alert.deadline;
    const outcome = wrong ? 'retracted' : 'resolved';
    const end = {
      state: outcome,
      owed: outcome,
      at: now,
      by: 'notifier',
      evidence: { ended_by: action },
    } as const;
    return {
      end: alert ? [{ alert, end, clearSince: action.received_at }] : [],
      release: () => onOpenAlertEnd(state),
    };
  }

  private async confirm(states: BottleState[], now: Date): Promise<Confirmation> {
    const known = states
      .flatMap(({ last_action, last_heard_at }) => [last_action?.time, last_heard_at])
      // a bad record must not stop the page: it is quarantined when it is judged
      .filter((moment) => moment instanceof Date);
    const first = Math.min(now.getTime(), ...known.map((moment) => moment.getTime()));
    const [coverage, lastActions, counts, openAlerts] = await Promise.all([
      this.coverage.read(new Date(first), now, this.thresholds.silentAfter),
      this.lastActions(states),
      this.readCounts(states, now),
      // a lost closing shows only in counts
      this.openAlerts(states.filter(({ last_action }) => last_action?.number_of_pills !== undefined)),
    ]);
    return { coverage, lastActions, counts, openAlerts };
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
    { coverage, lastActions, counts, openAlerts }: Confirmation,
  ): Promise<Finding> {
    const opened = state.last_action;
    if (!state.open || !opened) return { release: () => onNotOpen(state) };
    const id = state._id.toHexString();
    const lost = this.findLost(opened, counts.get(id) ?? [], now);
    if (lost.length > 0) return closingLost(state, lost, openAlerts.get(id), now);
    if (state.open_unchanged) return { release: () => onStillCountedOpen(state, this.nextCheckAt(now)) };
    if (silencePhase(state) === 'lasting') {
      await this.recorded.addSuppressed(state._id, {
        kind: 'bottle_open',
        reason: 'the bottle is silent',
        at: now,
      });
      return { release: () => onOpenInhibited(state) };
    }
    const { silentAfter, backlogGrace } = this.thresholds;
    // the check of silent bottles comes first
    if (coverage.since(state.last_heard_at ?? opened.received_at) >= silentAfter)
      return { release: () => undefined };
    const due = openOverdueAt(opened, this.thresholds);
    const missing = coverage.missingGrace(opened.time, due, backlogGrace);
    if (missing > 0) return { release: () => onOpenPostponed(state, coverage.after(missing)) };
    // a state that lagged behind the log raises no false alarm
    const openedAt = opened.time.getTime();
    const last = lastActions.get(id);
    if (last?.action !== 'opened' || last.time.getTime() !== openedAt) {
      await this.repair.present(state, last);
      return { release: () => unchanged(state) };
    }
    return this.standsOpen(state, opened.time, now);
  }

  /** A count from before the alert is due may be that of a bottle that is still open. */
  private findLost(opened: LastAction, heartbeats: CountedHeartbeat[], now: Date): UnreportedPills[] {
    const due = opened.time.getTime() + this.thresholds.openAfter;
    const isRecent = heartbeats.some(({ time }) => time.getTime() >= due);
    return isRecent ? unreportedPills({ actions: [opened], heartbeats }, now) : [];
  }

  private nextCheckAt(now: Date): Date {
    return new Date(now.getTime() + this.thresholds.silentAfter / 2);
  }

  private standsOpen(state: BottleState, openedAt: Date, now: Date): Finding {
    const { openAfter } = this.thresholds;
    const found: AlertToRaise = {
      bottle: state,
      kind: 'bottle_open',
      subject: '',
      cause: openedAt,
      deadline: new Date(openedAt.getTime() + openAfter),
      evidence: {
        rule: 'open_after',
        open_after_ms: openAfter,
        opened_at: openedAt,
        last_heard_at: state.last_heard_at,
      },
    };
    return {
      raise: [found],
      judgeAgain: judgeOpeningAgain(state, openedAt),
      release: (standing) =>
        onOpenAlert(
          state,
          openedAt,
          standing.has(alertId(found).toHexString()),
          state.last_action?.number_of_pills === undefined ? undefined : this.nextCheckAt(now),
        ),
    };
  }
}

/** Pills left the bottle since it was opened, by its count: it was closed, and that report was lost. */
function closingLost(
  state: BottleState,
  lost: readonly UnreportedPills[],
  alert: Alert | undefined,
  now: Date,
): Finding {
  const pills = lost.reduce((sum, one) => sum + one.pills, 0);
  const evidence = unreportedIn({ pills, from: lost[0]!.from, until: lost.at(-1)!.until });
  const end = { state: 'resolved', owed: 'resolved', at: now, by: 'notifier', evidence } as const;
  return { end: alert ? [{ alert, end }] : [], release: () => onClosingLost(state) };
}
