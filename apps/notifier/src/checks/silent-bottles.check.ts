import { backlogGrace, listenedFor, listeningBeat, type Span } from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type BottleState,
  contactUpdate,
  DeadlinesRepository,
  ListeningRepository,
  type Release,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService, type Trouble } from '../alerts/alerts.service.js';
import { FleetIncidents } from '../alerts/fleet-incidents.js';
import { NotifierConfig } from '../config.js';
import { Check, type CheckResult, isInfrastructure, totalOf, type Verdict } from './check.js';
import { DoseJudgement } from './dose-judgement.js';

/**
 * Bottles that have gone silent, and those that speak again. Only time in which we were listening counts:
 * our own outage must not look like theirs.
 */
@Injectable()
export class SilentBottlesCheck extends Check {
  private readonly silentAfter: number;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly recorded: AlertsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly spans: ListeningRepository,
    private readonly bottles: BottlesRepository,
    private readonly doses: DoseJudgement,
    private readonly incidents: FleetIncidents,
    config: NotifierConfig,
  ) {
    super('silent', deadlines, alerts, clock);
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const left = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimLeftBehind('silent', now, lease, limit),
      (states) => this.openAlerts(states),
      (state, _now, openAlerts) => this.leftBehind(state, openAlerts),
      stopping,
    );
    const ended = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimHeardAgain(now, lease, limit),
      (states) => this.openAlerts(states),
      (state, now, openAlerts) => this.spokeAgain(state, now, openAlerts),
      stopping,
    );
    await this.incidents.detect(this.clock.now());
    const overdue = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimOverdue('silent', now, lease, limit),
      (states) => this.listening(states),
      (state, now, listening) => this.overdue(state, now, listening),
      stopping,
    );
    await this.incidents.endIfOver(this.clock.now());
    return totalOf(left, ended, overdue);
  }

  private openAlerts(states: BottleState[]): Promise<Map<string, Alert>> {
    return this.recorded.findOpenByBottle(
      states.map(({ _id }) => _id),
      'bottle_silent',
    );
  }

  private async listening(states: BottleState[]): Promise<Span[]> {
    // a bad record must not stop the page: it is set aside when it is judged
    const heard = states.flatMap(({ last_heard_at }) =>
      last_heard_at instanceof Date ? last_heard_at.getTime() : [],
    );
    return heard.length === 0 ? [] : await this.spans.findSince(new Date(Math.min(...heard)));
  }

  /**
   * A notifier was killed between the alert and the state, and the bottle has spoken since: the state learns of
   * the alert, so that the next step ends it.
   */
  private async leftBehind(state: BottleState, openAlerts: Map<string, Alert>): Promise<Verdict> {
    const alert = openAlerts.get(state._id.toHexString());
    const since = alert?.evidence['last_heard_at'] as Date | undefined;
    const learn = since && state.silent_at && !state.silent;
    return {
      release: () => ({
        id: state._id,
        seen: { silent: state.silent },
        update: learn ? { $set: { silent: true, silent_since: since } } : {},
      }),
    };
  }

  private async spokeAgain(state: BottleState, now: Date, openAlerts: Map<string, Alert>): Promise<Verdict> {
    const alert = openAlerts.get(state._id.toHexString());
    const at = state.last_heard_at ?? now;
    return {
      endings: alert
        ? [
            {
              alert,
              end: {
                state: 'resolved',
                owed: 'resolved',
                at: now,
                by: 'notifier',
                evidence: { heard_again_at: at },
              },
            },
          ]
        : [],
      release: () => ({
        id: state._id,
        seen: { silent_since: state.silent_since },
        update: afterSilence(state, at, backlogGrace(this.silentAfter)),
      }),
    };
  }

  private async overdue(state: BottleState, now: Date, listening: Span[]): Promise<Verdict> {
    const since = state.last_heard_at;
    if (!since) return { release: () => disarm(state) };
    const listened = listenedFor(listening, since, now, listeningBeat(this.silentAfter));
    if (listened < this.silentAfter) {
      const later = new Date(now.getTime() + this.silentAfter - listened);
      return {
        release: () => ({
          id: state._id,
          seen: { silent_at: state.silent_at },
          update: { $set: { silent_at: later } },
        }),
      };
    }
    // the lab's query: a state that lagged behind the log raises no false alarm
    const newer = await this.heartbeats.findLastHeartbeat(state._id, new Date(since.getTime() + 1));
    if (newer) {
      const update = contactUpdate(newer.time, this.silentAfter);
      return { release: () => ({ id: state._id, seen: { silent_at: state.silent_at }, update }) };
    }
    return this.silence(state, since, {
      listened_ms: listened,
      unconfirmed_doses: await this.unconfirmed(state, now),
    });
  }

  /** The doses that fell into the silence: nobody can say whether they were taken. */
  private async unconfirmed(state: BottleState, now: Date): Promise<Date[]> {
    if (state.dose_due_at === undefined && !state.dose_waiting) return [];
    const bottle = await this.bottles.findById(state._id);
    if (!bottle) return [];
    try {
      const { slots } = await this.doses.judge(state, bottle, now);
      const unknown = slots.filter(
        ({ phase, outcome }) => phase === 'awaiting_contact' || outcome === 'unknown',
      );
      return unknown.map(({ slot }) => slot.scheduled_at);
    } catch (error) {
      if (isInfrastructure(error)) throw error;
      // a schedule that cannot be read is for the doses check to set aside: the silence is told all the same
      return [];
    }
  }

  private silence(
    state: BottleState,
    since: Date,
    found: { listened_ms: number; unconfirmed_doses: Date[] },
  ): Verdict {
    const trouble: Trouble = {
      bottle: state,
      kind: 'bottle_silent',
      subject: '',
      cause: since,
      deadline: state.silent_at!,
      evidence: { rule: 'silent_after', silent_after_ms: this.silentAfter, last_heard_at: since, ...found },
    };
    const raised = { silent: true, silent_since: since } as const;
    return {
      troubles: [trouble],
      release: (standing) =>
        standing.has(alertId(trouble).toHexString())
          ? {
              id: state._id,
              seen: { silent_at: state.silent_at },
              update: { $set: raised, $unset: { silent_at: '' } },
              // it spoke while we were busy: the next run finds silent_at armed and ends the alert
              otherwise: { $set: raised },
            }
          : // an alert that the state does not know of stands in the way: the next run ends it first
            { id: state._id, seen: { silent_at: state.silent_at }, update: { $set: { silent: true } } },
    };
  }
}

function disarm(state: BottleState): Release {
  return { id: state._id, seen: { silent_at: state.silent_at }, update: { $unset: { silent_at: '' } } };
}

/** The silence is over; an opening that it kept back is looked at when the backlog had time to come. */
function afterSilence(state: BottleState, heardAt: Date, grace: number): Release['update'] {
  const resume = state.open && state.open_inhibited;
  return {
    $unset: { silent: '', silent_since: '', open_inhibited: '' },
    ...(resume ? { $set: { open_overdue_at: new Date(heardAt.getTime() + grace) } } : {}),
  };
}
