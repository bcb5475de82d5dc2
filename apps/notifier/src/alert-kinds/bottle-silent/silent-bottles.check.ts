import {
  backlogGrace,
  heldLast,
  heldUntil,
  judgeSilenceAgain,
  onContactFound,
  onNeverSeen,
  onOrphanedSilentAlert,
  onSilenceEnd,
  onSilenceHeld,
  onSilencePostponed,
  onSilentAlert,
  periodAt,
  silenceAlert,
  silenceEnd,
  silentSince,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  type BottleState,
  CoverageRepository,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { FleetIncidents } from '../fleet-incident/fleet-incidents.js';
import { NotifierConfig } from '../../config.js';
import { Check, type CheckResult, totalOf, type Finding } from '../../alerts/check.js';
import { type SilenceEvidence, SilenceEvidenceReader } from './silence-evidence.js';

type SilentAlert = Alert<'bottle_silent'>;

/**
 * Finds bottles that have become silent, and those that report again. Only time in which we were accepting reports
 * counts: our own outage must not look like theirs.
 */
@Injectable()
export class SilentBottlesCheck extends Check {
  private readonly silentAfter: number;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly storedAlerts: AlertsRepository,
    private readonly evidence: SilenceEvidenceReader,
    private readonly coverage: CoverageRepository,
    private readonly incidents: FleetIncidents,
    config: NotifierConfig,
  ) {
    super('silent', deadlines, alerts, clock);
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const orphaned = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimOrphaned('silent', now, lease, limit, skip),
        prepare: (states) => this.openAlerts(states),
        judge: (state, _now, openAlerts) => this.learnOrphaned(state, openAlerts),
      },
      stopping,
    );
    const ended = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimSilenceEnded(now, lease, limit, skip),
        prepare: (states) => this.openAlerts(states),
        judge: (state, now, openAlerts) => this.reportedAgain(state, now, openAlerts),
      },
      stopping,
    );
    const dueBy = await this.coverage.findDueBy(this.clock.now(), this.silentAfter);
    await this.incidents.detect(dueBy);
    const overdue = await this.sweepPages(
      {
        claim: (now, lease, limit, skip) =>
          this.deadlines.claimOverdue('silent', now, lease, limit, skip, dueBy),
        prepare: (states, now) => this.evidence.read(states, now),
        judge: (state, now, page) => this.overdue(state, now, page),
      },
      stopping,
    );
    await this.incidents.endIfOver(this.clock.now());
    return totalOf(orphaned, ended, overdue);
  }

  private openAlerts(states: BottleState[]): Promise<Map<string, SilentAlert>> {
    return this.storedAlerts.findOpenByBottle(
      states.map(({ _id }) => _id),
      'bottle_silent',
    );
  }

  /**
   * A notifier was killed between the alert and the state, and the bottle has reported since: the state learns of
   * the alert, so that the next step ends it.
   */
  private learnOrphaned(state: BottleState, openAlerts: Map<string, SilentAlert>): Finding {
    const alert = openAlerts.get(state._id.toHexString());
    const since = alert && silentSince(alert);
    return { release: () => onOrphanedSilentAlert(state, since) };
  }

  private reportedAgain(state: BottleState, now: Date, openAlerts: Map<string, SilentAlert>): Finding {
    const alert = openAlerts.get(state._id.toHexString());
    const at = state.last_heard_at ?? now;
    return {
      end: alert ? [silenceEnd(alert, at, now)] : [],
      release: () => onSilenceEnd(state, at, backlogGrace(this.silentAfter)),
    };
  }

  private overdue(
    state: BottleState,
    now: Date,
    { coverage, laterContacts, hidden, periods }: SilenceEvidence,
  ): Finding {
    const since = state.last_heard_at;
    // in a cupboard nobody waits for its reports (LIFE-2)
    if (!since || state.life) return { release: () => onNeverSeen(state) };
    const id = state._id.toHexString();
    const own = periods.get(id) ?? [];
    const period = periodAt(own, now);
    if (period) return { release: () => onSilenceHeld(state, heldUntil(period, this.silentAfter, now)) };
    const held = heldLast(own, state.silence_counts_from, now);
    const counts_from = held && held > since ? held : undefined;
    const listened = coverage.since(counts_from ?? since);
    if (listened < this.silentAfter) {
      const postponed = coverage.after(this.silentAfter - listened);
      return { release: () => onSilencePostponed(state, postponed) };
    }
    // the lab's query: a state that lagged behind the log raises no false alarm
    const later = laterContacts.get(id);
    if (later) return { release: () => onContactFound(state, later, this.silentAfter) };
    const alert = silenceAlert(state, since, this.silentAfter, {
      counts_from,
      listened_ms: listened,
      ...(hidden.get(id) ?? { unconfirmed_doses: [] }),
    });
    return {
      raise: [alert],
      judgeAgain: judgeSilenceAgain(state, since),
      release: (standing) => onSilentAlert(state, since, standing.has(alertId(alert).toHexString())),
    };
  }
}
