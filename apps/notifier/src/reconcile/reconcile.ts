import {
  judgeDosesAgain,
  lifeOf,
  onFirstContact,
  onLeftUse,
  onRegistration,
  onScheduleChange,
  onUsedAgain,
  resolvedEnd,
  slotDueAt,
  toJudge,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Bottle,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  type Claim,
  type ClaimedPartition,
  FirstContactsRepository,
  ReconcileRunsRepository,
} from '#persistence';
import { Clock, Metrics } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { AlertsService } from '../alerts/alerts.service.js';
import { NotifierConfig } from '../config.js';
import { NextDoses } from '../doses/next-doses.js';
import { type LogExcerpt, StateRepair } from '../states/state-repair.js';

const PAGE = 200;
/** How long a page may take, its pause included, before another notifier takes over the partition. Milliseconds. */
const LEASE_MS = 60_000;
/** A report on its way between log and state is not a difference yet. Milliseconds. */
const IN_FLIGHT_MS = 10_000;

/** What this notifier has compared. In a healthy system `repaired` is 0. */
export interface ReconcileResult {
  bottles: number;
  repaired: number;
}

/**
 * The lab's own hourly check: walks the fleet with the lab's three covered queries, compares the log with the states,
 * and repairs the states. A crash between log and state would otherwise stay unnoticed if the device never retries.
 *
 * A run is divided into partitions, which are stored in the database. Any number of notifiers claim partitions. If a
 * notifier stops, another one takes over its partition at the next sweep, from where it stopped.
 */
@Injectable()
export class Reconcile {
  private readonly logger = new Logger(Reconcile.name);
  private readonly repairs: Counter<'what'>;

  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly runs: ReconcileRunsRepository,
    private readonly storedAlerts: AlertsRepository,
    private readonly alerts: AlertsService,
    private readonly repair: StateRepair,
    private readonly nextDoses: NextDoses,
    private readonly firstContacts: FirstContactsRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.repairs = new Counter({
      name: 'pillwatch_reconcile_repairs_total',
      help: 'States that differed from the log and were repaired',
      labelNames: ['what'],
      registers: [metrics],
    });
  }

  /** Continues the current run, or begins the next one if there is none. */
  async run(stopping = () => false): Promise<ReconcileResult> {
    const found = await this.resume(stopping);
    if (found.bottles > 0 || stopping()) return found;
    await this.runs.begin(await this.bottles.findPartitions(), this.clock.now());
    return this.resume(stopping);
  }

  /** Claims one partition of the current run after another until none is left. */
  async resume(stopping = () => false): Promise<ReconcileResult> {
    const result: ReconcileResult = { bottles: 0, repaired: 0 };
    await this.runs.finishRun(this.clock.now());
    while (!stopping()) {
      const partition = await this.runs.claimPartition(this.clock.now(), LEASE_MS);
      if (!partition) break;
      await this.walk(partition, result, stopping);
    }
    await this.runs.finishRun(this.clock.now());
    if (result.repaired > 0) this.logger.warn(`repaired ${result.repaired} of ${result.bottles} bottles`);
    return result;
  }

  private async walk(
    partition: ClaimedPartition,
    result: ReconcileResult,
    stopping: () => boolean,
  ): Promise<void> {
    const limit = Math.min(PAGE, this.config.RECONCILE_RATE);
    for (let after = partition.after; ;) {
      const begun = performance.now();
      const page = await this.bottles.findPageAfter({ ...partition, ...(after && { after }) }, limit);
      const progress = { bottles: page.length, repaired: await this.reconcilePage(page) };
      result.bottles += progress.bottles;
      result.repaired += progress.repaired;
      if (page.length < limit) return this.runs.finishPartition(partition, progress);
      after = page.at(-1)!._id;
      const until = new Date(this.clock.now().getTime() + LEASE_MS);
      if (!(await this.runs.advance(partition, after, progress, until))) return;
      if (stopping()) return this.runs.releasePartition(partition);
      // no faster than the operator wants, however quick the database answers
      const pause = (1_000 * page.length) / this.config.RECONCILE_RATE - (performance.now() - begun);
      if (pause > 0) await sleep(pause);
    }
  }

  private async reconcilePage(page: Bottle[]): Promise<number> {
    const ids = page.map(({ _id }) => _id);
    const states = new Map(
      (await this.states.findByIds(ids)).map((state) => [state._id.toHexString(), state]),
    );
    const now = this.clock.now();
    const logs = await this.repair.readLogs(ids, states, now);
    const differing = await Promise.all(
      page.map((bottle) => this.reconcileBottle(bottle, states.get(bottle._id.toHexString()), logs, now)),
    );
    const open = await this.storedAlerts.findOpen(ids);
    await this.endOrphanedAlerts(open, states);
    await this.judgeAgain(open, page, states);
    await this.endLeftBehind(open, states, now);
    await this.nextDoses.repair(page, states, logs.lastHeartbeat, now);
    await this.noteFirstContacts(page, states, now);
    return differing.filter(Boolean).length;
  }

  private async reconcileBottle(
    bottle: Bottle,
    known: BottleState | undefined,
    logs: LogExcerpt,
    now: Date,
  ): Promise<boolean> {
    const state = known ?? (await this.create(bottle));
    if (state.last_heard_at && now.getTime() - state.last_heard_at.getTime() < IN_FLIGHT_MS) return false;
    const found = {
      state: known === undefined,
      removals: await this.repair.removals(state, logs),
      present: await this.repair.present(state, logs.lastAction.get(state._id.toHexString())),
      contact: await this.repair.contact(state, logs),
      doses: await this.armDoses(bottle, state, now),
      life: await this.repairLife(bottle, state, now),
    };
    for (const [what, differed] of Object.entries(found)) this.repairs.inc({ what }, differed ? 1 : 0);
    return Object.values(found).includes(true);
  }

  /** Support-api was killed between the registry and the state. */
  private async repairLife(bottle: Bottle, state: BottleState, now: Date): Promise<boolean> {
    const life = lifeOf(bottle);
    if ((state.life ?? 'in_use') === life) return false;
    const change =
      life === 'in_use'
        ? onUsedAgain({ user_id: bottle.user_id }, now, this.config.SILENT_BOTTLE_AFTER)
        : onLeftUse(life, now);
    await this.states.change(state._id, change);
    return true;
  }

  /** Of a bottle that is not in use: a check had read it before it left use. */
  private async endLeftBehind(open: Alert[], states: Map<string, BottleState>, now: Date): Promise<void> {
    for (const alert of open) {
      const state = states.get(alert.bottle_id.toHexString());
      if (!state?.life || state.set_aside || isRecent(alert, now)) continue;
      this.repairs.inc({ what: 'alert' });
      await this.states.change(state._id, toJudge(now));
    }
  }

  /** Once for each bottle, while the log still has its first report. */
  private async noteFirstContacts(
    page: readonly Bottle[],
    states: ReadonlyMap<string, BottleState>,
    now: Date,
  ): Promise<void> {
    const since = new Date(now.getTime() - this.config.HEARTBEAT_RETENTION);
    const reporting = page.filter(({ _id }) => {
      const state = states.get(_id.toHexString());
      return state?.last_heard_at && !state.first_heard_at;
    });
    const first = await this.firstContacts.find(reporting, since);
    for (const { _id, registered_at } of reporting)
      await this.states.change(_id, onFirstContact(first.get(_id.toHexString()) ?? registered_at));
  }

  private async create(bottle: Bottle): Promise<BottleState> {
    const state = onRegistration(bottle);
    await this.states.insert(state);
    return state;
  }

  /** A bottle with a schedule always has a deadline for its next dose, or waits for a contact. */
  private async armDoses({ schedule_versions }: Bottle, state: BottleState, now: Date): Promise<boolean> {
    const armed =
      state.dose_due_at !== undefined || state.dose_wait !== undefined || state.judged_until !== undefined;
    if (schedule_versions.length === 0 || armed || state.set_aside) return false;
    await this.states.change(state._id, onScheduleChange(now));
    return true;
  }

  /** An alert whose bottle's state does not know of it would never end. */
  private async endOrphanedAlerts(open: Alert[], states: Map<string, BottleState>): Promise<void> {
    const now = this.clock.now();
    const orphaned = open.filter((alert) => {
      const state = states.get(alert.bottle_id.toHexString());
      if (!state || alert.clears_at || isRecent(alert, now)) return false;
      if (alert.kind === 'bottle_silent')
        return !state.alerted_silence && !isClaimed(state.silent_claim, now);
      return alert.kind === 'bottle_open' && !state.alerted_opening && !isClaimed(state.open_claim, now);
    });
    this.repairs.inc({ what: 'alert' }, orphaned.length);
    if (orphaned.length === 0) return;
    const end = resolvedEnd(now, { note: 'ended by the hourly reconcile' });
    await this.alerts.end(
      orphaned.map((alert) => ({ alert, end })),
      now,
    );
  }

  /**
   * An alert of a dose that has its outcome is open: a notifier that hung raised it after another had judged the dose, and
   * was killed.
   */
  private async judgeAgain(open: Alert[], page: Bottle[], states: Map<string, BottleState>): Promise<void> {
    const now = this.clock.now();
    const bottles = new Map(page.map((bottle) => [bottle._id.toHexString(), bottle]));
    for (const alert of open) {
      const { kind, subject, bottle_id } = alert;
      const state = states.get(bottle_id.toHexString());
      if (kind !== 'missed_dose' || !state?.judged_until || state.set_aside) continue;
      const slot = new Date(subject);
      if (slot >= state.judged_until || isRecent(alert, now) || isClaimed(state.dose_claim, now)) continue;
      const { schedule_versions, pauses: periods } = bottles.get(bottle_id.toHexString())!;
      // not one that a change of the schedule took away
      if (!slotDueAt(schedule_versions, periods, slot)) continue;
      this.repairs.inc({ what: 'alert' });
      await this.states.change(state._id, judgeDosesAgain(state, slot, now).change);
    }
  }
}

/** The notifier that raised it may not have released its bottle yet. */
function isRecent({ raised_at }: Alert, now: Date): boolean {
  return now.getTime() - raised_at.getTime() < 6 * IN_FLIGHT_MS;
}

/** A claim whose lease has run out belongs to nobody. */
function isClaimed(claim: Claim | undefined, now: Date): boolean {
  return claim !== undefined && claim.until > now;
}
