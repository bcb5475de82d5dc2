import type { SlotJudgement } from '#domain';
import { AlertsRepository, type Bottle, type DoseOutcome, DoseOutcomesRepository } from '#persistence';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../alerts/alerts.service.js';
import { correctedEnd } from '../alert-kinds/missed-dose/missed-dose.js';
import type { JudgedDoses } from './dose-judgement.js';

/** What a check concluded about one bottle's doses. */
export interface FoundDoses {
  bottle: Bottle;
  judged: JudgedDoses;
  /** Removals arrived that no judgement has seen: earlier outcomes may have been wrong. */
  lateData: boolean;
  /** The schedule changed since the last judgement: from this time on, other doses may be due. */
  scheduleChangedAt?: Date;
}

/** Writes the outcomes of doses, a page of bottles at once. */
@Injectable()
export class DoseRecords {
  constructor(
    private readonly outcomes: DoseOutcomesRepository,
    private readonly recorded: AlertsRepository,
    private readonly alerts: AlertsService,
    private readonly dirtyBuckets: DirtyBuckets,
  ) {}

  /** Writes the outcomes; doses whose outcome is unknown are added to the evidence of `bottle_silent`. */
  async write(page: FoundDoses[], now: Date): Promise<void> {
    const settled = page.flatMap(({ bottle, judged }) => settledOf(judged).map((dose) => ({ bottle, dose })));
    await this.dirtyBuckets.add(
      'doses',
      settled.map(({ dose }) => dose.slot.scheduled_at),
      now,
    );
    await this.outcomes.upsert(settled.map(({ bottle, dose }) => toOutcome(bottle, dose, now)));
    const unknown = settled.filter(({ dose }) => dose.outcome === 'unknown');
    await this.recorded.addUnconfirmedDoses(
      unknown.map(({ bottle, dose }) => ({ bottle_id: bottle._id, dose: dose.slot.scheduled_at })),
    );
    await this.forgetDropped(page, now);
    await this.correct(
      // a part that came with a backlog is judged when the grace of the backlog is over
      page.filter(
        ({ lateData, judged }) => lateData || judged.slots.some(({ outcome }) => outcome === 'partial'),
      ),
      now,
    );
  }

  /** Deletes the outcomes of slots that a changed schedule no longer has. */
  private async forgetDropped(page: FoundDoses[], now: Date): Promise<void> {
    for (const { bottle, judged, scheduleChangedAt } of page) {
      if (!scheduleChangedAt) continue;
      const due = judged.slots.map(({ slot }) => slot.scheduled_at);
      const dropped = await this.outcomes.findAllBut(bottle._id, due, scheduleChangedAt);
      if (dropped.length === 0) continue;
      await this.dirtyBuckets.add('doses', dropped, now);
      await this.outcomes.deleteSlots(bottle._id, dropped);
    }
  }

  /** Corrects the ends of alerts that late data proves wrong or incomplete. */
  private async correct(page: FoundDoses[], now: Date): Promise<void> {
    const judgedOf = new Map(
      page.flatMap(({ bottle, judged }) =>
        settledOf(judged).map(({ slot }) => {
          const id = alertId({ bottle, kind: 'missed_dose', cause: slot.scheduled_at });
          return [id.toHexString(), { id, judged }] as const;
        }),
      ),
    );
    if (judgedOf.size === 0) return;
    const ended = await this.recorded.findByIds([...judgedOf.values()].map(({ id }) => id));
    await this.alerts.correctEnds(
      ended.flatMap((alert) => correctedEnd(alert, judgedOf.get(alert._id.toHexString())!.judged, now) ?? []),
      now,
    );
  }
}

const settledOf = ({ slots }: JudgedDoses): SlotJudgement[] =>
  slots.filter(({ phase }) => phase === 'judged');

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
