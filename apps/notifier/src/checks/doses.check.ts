import type { LowSupplyState, SlotJudgement } from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Bottle,
  BottlesRepository,
  type BottleState,
  DeadlinesRepository,
  type DoseOutcome,
  DoseOutcomesRepository,
  type Release,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../alerts/alerts.service.js';
import { NotifierConfig } from '../config.js';
import { Check, type CheckResult, type Verdict } from './check.js';
import { disproof, doseEndings, extraTroubles, lateTroubles, missedUnseen } from './dose-alerts.js';
import { DoseJudgement, type JudgedDoses, lateDoses } from './dose-judgement.js';
import { judgeSupply } from './low-supply.js';

/** What a page of bottles needs: their registry entries and open alerts. */
interface Page {
  bottles: Map<string, Bottle>;
  openAlerts: Alert[];
}

/**
 * Doses that have become due, removals that nobody has judged yet, and judgements that waited for a contact.
 * Each writes the outcomes that it settles and arms the next look.
 */
@Injectable()
export class DosesCheck extends Check {
  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly recorded: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly doses: DoseJudgement,
    private readonly config: NotifierConfig,
  ) {
    super('dose', deadlines, alerts, clock);
  }

  async run(stopping = () => false): Promise<CheckResult> {
    const prepare = (states: BottleState[]): Promise<Page> => this.readPage(states);
    const judge = (state: BottleState, now: Date, page: Page): Promise<Verdict> =>
      this.judge(state, now, page);
    const heard = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimWaitingHeard(now, lease, limit),
      prepare,
      judge,
      stopping,
    );
    const due = await this.eachPage(
      (now, lease, limit) => this.deadlines.claimOverdue('dose', now, lease, limit),
      prepare,
      judge,
      stopping,
    );
    return { checked: heard.checked + due.checked, failed: heard.failed + due.failed };
  }

  private async readPage(states: BottleState[]): Promise<Page> {
    const ids = states.map(({ _id }) => _id);
    const [bottles, openAlerts] = await Promise.all([
      this.bottles.findByIds(ids),
      this.recorded.findOpen(ids),
    ]);
    return { bottles: new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle])), openAlerts };
  }

  private async judge(state: BottleState, now: Date, page: Page): Promise<Verdict> {
    const bottle = page.bottles.get(state._id.toHexString());
    if (!bottle) return { release: () => settle(state, undefined) };
    const judged = await this.doses.judge(state, bottle, now);
    await this.record(bottle, judged, now);
    if (state.unjudged_removals) await this.takeBack(state, judged, now);
    const open = page.openAlerts.filter(({ bottle_id }) => bottle_id.equals(state._id));
    const supply = judgeSupply(
      {
        state,
        bottle,
        open: open.find(({ kind }) => kind === 'low_supply'),
        days: this.config.LOW_SUPPLY_DAYS,
      },
      now,
    );
    const told = {
      settledUntil: state.judged_until ?? bottle.registered_at,
      open: open.filter(({ kind }) => kind === 'missed_dose'),
    };
    const troubles = [
      ...lateTroubles(bottle, judged),
      ...missedUnseen(bottle, judged, told, now),
      ...[...extraTroubles(bottle, judged.extra, now), ...supply.troubles].filter(
        ({ kind }) => !this.config.disables(kind),
      ),
    ];
    return {
      troubles,
      endings: [...doseEndings(told.open, judged, now), ...supply.endings],
      release: () => settle(state, judged, supply.state),
    };
  }

  /** Writes the outcomes; doses that nobody can know of are added to what `bottle_silent` says. */
  private async record(bottle: Bottle, judged: JudgedDoses, now: Date): Promise<void> {
    const settled = judged.slots.filter(({ phase }) => phase === 'judged');
    await this.outcomes.upsert(settled.map((dose) => toOutcome(bottle, dose, now)));
    const unknown = settled
      .filter(({ outcome }) => outcome === 'unknown')
      .map(({ slot }) => slot.scheduled_at);
    if (unknown.length > 0) await this.recorded.addUnconfirmedDoses(bottle._id, unknown);
  }

  /** Late data can prove wrong what was said of a dose: whoever was told hears the correction. */
  private async takeBack(state: BottleState, judged: JudgedDoses, now: Date): Promise<void> {
    const ids = judged.slots
      .filter(({ phase }) => phase === 'judged')
      .map(({ slot }) => alertId({ bottle: state, kind: 'missed_dose', cause: slot.scheduled_at }));
    const disproved = (await this.recorded.findByIds(ids)).flatMap((alert) => disproof(alert, judged) ?? []);
    await this.alerts.retract(disproved, now);
  }
}

function toOutcome(bottle: Bottle, dose: SlotJudgement, now: Date): Omit<DoseOutcome, '_id'> {
  return {
    bottle_id: bottle._id,
    scheduled_at: dose.slot.scheduled_at,
    outcome: dose.outcome!,
    ...(dose.taken_at ? { taken_at: dose.taken_at } : {}),
    pills_scheduled: dose.slot.pills,
    pills_taken: dose.pills_taken,
    judged_at: now,
  };
}

/** Arms the next look, unless something arrived while we were judging: then the bottle is judged again. */
function settle(state: BottleState, judged: JudgedDoses | undefined, low_supply?: LowSupplyState): Release {
  const late = judged !== undefined && lateDoses(judged).length > 0;
  const waiting = judged?.awaiting_contact === true;
  const set = {
    ...(judged ? { judged_until: judged.judged_until } : {}),
    ...(judged?.dose_due_at ? { dose_due_at: judged.dose_due_at } : {}),
    ...(late ? { late: true as const } : {}),
    ...(waiting ? { dose_waiting: true as const, unheard: true as const } : {}),
    ...(low_supply ? { low_supply } : {}),
  };
  const { unjudged_removals, schedule_changed_at, dose_due_at, last_heard_at } = state;
  return {
    id: state._id,
    seen: { unjudged_removals, schedule_changed_at, dose_due_at, ...(waiting ? { last_heard_at } : {}) },
    update: {
      $set: set,
      $unset: {
        unjudged_removals: '',
        schedule_changed_at: '',
        ...(judged?.dose_due_at ? {} : { dose_due_at: '' }),
        ...(late ? {} : { late: '' }),
        ...(waiting ? {} : { dose_waiting: '', unheard: '' }),
      },
    },
  };
}
