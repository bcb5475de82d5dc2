import type { SlotJudgement } from '#domain';
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
import { type AlertEnding, AlertsService, type Trouble } from '../alerts/alerts.service.js';
import { Check, type CheckResult, type Verdict } from './check.js';
import { DoseJudgement, type JudgedDoses, lateDoses } from './dose-judgement.js';

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
      this.recorded.findOpen(ids, 'missed_dose'),
    ]);
    return { bottles: new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle])), openAlerts };
  }

  private async judge(state: BottleState, now: Date, page: Page): Promise<Verdict> {
    const bottle = page.bottles.get(state._id.toHexString());
    if (!bottle) return { release: () => settle(state, undefined) };
    const judged = await this.doses.judge(state, bottle, now);
    await this.outcomes.upsert(
      judged.slots.filter(({ phase }) => phase === 'judged').map((dose) => toOutcome(bottle, dose, now)),
    );
    const open = page.openAlerts.filter(({ bottle_id }) => bottle_id.equals(state._id));
    return {
      troubles: lateDoses(judged).map((dose) => lateDose(bottle, dose)),
      endings: open.flatMap((alert) => ending(alert, judged, now) ?? []),
      release: () => settle(state, judged),
    };
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

function lateDose(bottle: Bottle, { slot, pills_taken, confirmed_by }: SlotJudgement): Trouble {
  return {
    bottle,
    kind: 'missed_dose',
    subject: slot.scheduled_at.toISOString(),
    cause: slot.scheduled_at,
    deadline: slot.late_at,
    evidence: {
      rule: 'late_after',
      scheduled_at: slot.scheduled_at,
      late_at: slot.late_at,
      missed_at: slot.missed_at,
      pills_scheduled: slot.pills,
      pills_taken,
      heard_at: confirmed_by,
    },
  };
}

/** How an open alert ends, now that its dose is settled: taken after all, never late at all, or missed. */
function ending(alert: Alert, judged: JudgedDoses, now: Date): AlertEnding | undefined {
  const dose = judged.slots.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
  if (dose?.phase !== 'judged') return undefined;
  const evidence = {
    outcome: dose.outcome,
    pills_taken: dose.pills_taken,
    ...(dose.taken_at ? { taken_at: dose.taken_at } : {}),
  };
  const end = { at: now, by: 'notifier', evidence };
  switch (dose.outcome!) {
    case 'taken_early':
    case 'taken_on_time':
      return { alert, end: { ...end, state: 'retracted' } };
    case 'missed':
      return { alert, end: { ...end, state: 'resolved' }, message: 'missed' };
    case 'taken_late':
    case 'partial':
    case 'unknown':
      return { alert, end: { ...end, state: 'resolved' } };
  }
}

/** Arms the next look, unless something arrived while we were judging: then the bottle is judged again. */
function settle(state: BottleState, judged: JudgedDoses | undefined): Release {
  const late = judged !== undefined && lateDoses(judged).length > 0;
  const waiting = judged?.awaiting_contact === true;
  const set = {
    ...(judged ? { judged_until: judged.judged_until } : {}),
    ...(judged?.dose_due_at ? { dose_due_at: judged.dose_due_at } : {}),
    ...(late ? { late: true as const } : {}),
    ...(waiting ? { dose_waiting: true as const, unheard: true as const } : {}),
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
