import {
  type Alert,
  AlertsRepository,
  BottleActionsRepository,
  type BottleState,
  DeadlinesRepository,
  type Release,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService, type Trouble } from '../alerts/alerts.service.js';
import { NotifierConfig } from '../config.js';
import { StateRepair } from '../reconcile/state-repair.js';
import { Check, type CheckResult, totalOf, type Verdict } from './check.js';

/** While it is not known whether the bottle is silent, an open one is looked at again after this. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Bottles that stand open, and those that no longer do. A silent bottle is only "last known open". */
@Injectable()
export class OpenBottlesCheck extends Check {
  private readonly openAfter: number;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly recorded: AlertsRepository,
    private readonly actions: BottleActionsRepository,
    private readonly repair: StateRepair,
    config: NotifierConfig,
  ) {
    super('open', deadlines, alerts, clock);
    this.openAfter = config.OPEN_BOTTLE_AFTER;
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const left = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimLeftBehind('open', now, lease, limit),
      (states) => this.openAlerts(states),
      (state, _now, openAlerts) => this.leftBehind(state, openAlerts),
      stopping,
    );
    const changed = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimOpenChanged(now, lease, limit),
      (states) => this.openAlerts(states),
      (state, now, openAlerts) => this.changed(state, now, openAlerts),
      stopping,
    );
    const overdue = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimOverdue('open', now, lease, limit),
      async () => undefined,
      (state, now) => this.overdue(state, now),
      stopping,
    );
    return totalOf(left, changed, overdue);
  }

  private openAlerts(states: BottleState[]): Promise<Map<string, Alert>> {
    return this.recorded.findOpenByBottle(
      states.map(({ _id }) => _id),
      'bottle_open',
    );
  }

  /**
   * A notifier was killed between the alert and the state, and the bottle was closed since: the state learns of
   * the alert, so that the next step ends it.
   */
  private async leftBehind(state: BottleState, openAlerts: Map<string, Alert>): Promise<Verdict> {
    const alert = openAlerts.get(state._id.toHexString());
    const openedAt = alert?.evidence['opened_at'] as Date | undefined;
    const learn = openedAt && !state.open_alerted;
    return {
      release: () => ({
        id: state._id,
        seen: { open_alerted: state.open_alerted },
        update: learn ? { $set: { open_alerted: true, open_alerted_for: openedAt } } : {},
      }),
    };
  }

  private async changed(state: BottleState, now: Date, openAlerts: Map<string, Alert>): Promise<Verdict> {
    const alert = openAlerts.get(state._id.toHexString());
    const action = state.last_action!;
    // late news: it had been closed before it was overdue, so nobody should have been told
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
      endings: alert ? [{ alert, end }] : [],
      release: () => ({
        id: state._id,
        seen: { open_alerted_for: state.open_alerted_for },
        update: { $unset: { open_alerted: '', open_alerted_for: '', open_unchanged: '' } },
      }),
    };
  }

  private async overdue(state: BottleState, now: Date): Promise<Verdict> {
    const opened = state.last_action;
    if (!state.open || !opened) return { release: () => rearm(state, { $unset: { open_overdue_at: '' } }) };
    if (state.silent && !state.silent_at) {
      await this.recorded.addSuppressed(state._id, {
        kind: 'bottle_open',
        reason: 'the bottle is silent',
        at: now,
      });
      const inhibited = { $set: { open_inhibited: true }, $unset: { open_overdue_at: '' } } as const;
      return { release: () => rearm(state, inhibited) };
    }
    if (!state.silent_at || state.silent_at <= now) {
      const later = new Date(now.getTime() + LOOK_AGAIN_MS);
      return { release: () => rearm(state, { $set: { open_overdue_at: later } }) };
    }
    // the lab's query: a state that lagged behind the log raises no false alarm
    const last = await this.actions.findLastAction(state._id);
    if (last?.action !== 'opened' || last.time.getTime() !== opened.time.getTime()) {
      await this.repair.present(state);
      return { release: () => ({ id: state._id, seen: {}, update: {} }) };
    }
    return this.standsOpen(state, opened.time);
  }

  private standsOpen(state: BottleState, openedAt: Date): Verdict {
    const trouble: Trouble = {
      bottle: state,
      kind: 'bottle_open',
      subject: '',
      cause: openedAt,
      deadline: new Date(openedAt.getTime() + this.openAfter),
      evidence: {
        rule: 'open_after',
        open_after_ms: this.openAfter,
        opened_at: openedAt,
        last_heard_at: state.last_heard_at,
      },
    };
    const raised = { open_alerted: true, open_alerted_for: openedAt } as const;
    return {
      troubles: [trouble],
      release: (standing) =>
        standing.has(alertId(trouble).toHexString())
          ? {
              id: state._id,
              seen: { open_overdue_at: state.open_overdue_at },
              update: { $set: { ...raised, open_unchanged: true }, $unset: { open_overdue_at: '' } },
              // it was closed while we were busy: without `open_unchanged` the next run ends the alert
              otherwise: { $set: raised },
            }
          : // an alert that the state does not know of stands in the way: the next run ends it first
            rearm(state, { $set: { open_alerted: true } }),
    };
  }
}

function rearm(state: BottleState, update: Release['update']): Release {
  return { id: state._id, seen: { open_overdue_at: state.open_overdue_at }, update };
}
