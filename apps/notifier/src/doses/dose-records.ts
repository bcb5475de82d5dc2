import { isTaken, type SlotJudgement } from '#domain';
import { type Bottle, type BottleState, type DoseOutcome, DoseOutcomesRepository } from '#persistence';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { settledOf } from './dose-judgement.js';
import type { JudgedBottle } from './dose-kind.js';

/** Writes the outcomes of doses, a page of bottles at once. */
@Injectable()
export class DoseRecords {
  constructor(
    private readonly outcomes: DoseOutcomesRepository,
    private readonly dirtyBuckets: DirtyBuckets,
  ) {}

  async write(page: readonly JudgedBottle[], now: Date): Promise<void> {
    const settled = page.flatMap(({ state, bottle, judged }) =>
      settledOf(judged).map((dose) => ({ bottle, dose, isFirst: isFirst(dose, state) })),
    );
    await this.dirtyBuckets.add(
      'doses',
      settled.map(({ dose }) => dose.slot.scheduled_at),
      now,
    );
    const outcomesOf = (some: typeof settled): Omit<DoseOutcome, '_id'>[] =>
      some.map(({ bottle, dose }) => toOutcome(bottle, dose, now));
    await this.outcomes.upsert(
      outcomesOf(settled.filter((one) => !one.isFirst)),
      outcomesOf(settled.filter((one) => one.isFirst)),
    );
    await this.forgetDropped(page, now);
    await this.forgetPutBack(page, now);
  }

  /** Deletes the outcomes of doses that were taken by what was known, and may still be taken: their pills were put back. */
  private async forgetPutBack(page: readonly JudgedBottle[], now: Date): Promise<void> {
    const again = page.filter(({ again_from }) => again_from);
    const recorded = await this.outcomes.findOfDoses(
      again.flatMap(({ bottle, judged }) =>
        judged.slots
          .filter(({ phase, slot }) => phase !== 'judged' && slot.early_from <= now)
          .map(({ slot }) => ({ bottle_id: bottle._id, scheduled_at: slot.scheduled_at })),
      ),
    );
    for (const { bottle, judged } of again) {
      const open = new Set(
        judged.slots.filter(({ phase }) => phase !== 'judged').map(({ slot }) => +slot.scheduled_at),
      );
      const undone = recorded
        .filter(({ bottle_id, outcome }) => bottle_id.equals(bottle._id) && isTaken(outcome))
        .flatMap(({ scheduled_at }) => (open.has(+scheduled_at) ? [scheduled_at] : []));
      if (undone.length === 0) continue;
      await this.dirtyBuckets.add('doses', undone, now);
      await this.outcomes.deleteSlots(bottle._id, undone);
    }
  }

  /** Deletes the outcomes of slots that a changed schedule no longer has. */
  private async forgetDropped(page: readonly JudgedBottle[], now: Date): Promise<void> {
    for (const { bottle, judged, state } of page) {
      if (!state.schedule_changed_at) continue;
      const due = judged.slots.map(({ slot }) => slot.scheduled_at);
      const dropped = await this.outcomes.findAllBut(bottle._id, due, state.schedule_changed_at);
      if (dropped.length === 0) continue;
      await this.dirtyBuckets.add('doses', dropped, now);
      await this.outcomes.deleteSlots(bottle._id, dropped);
    }
  }
}

/** Whether nobody has judged the dose before, unless a notifier was killed meanwhile. */
function isFirst({ slot }: SlotJudgement, { judged_until }: BottleState): boolean {
  return judged_until === undefined || slot.scheduled_at >= judged_until;
}

function toOutcome(bottle: Bottle, dose: SlotJudgement, now: Date): Omit<DoseOutcome, '_id'> {
  return {
    bottle_id: bottle._id,
    scheduled_at: dose.slot.scheduled_at,
    outcome: dose.outcome!,
    ...(dose.taken_at ? { taken_at: dose.taken_at } : {}),
    pills_scheduled: dose.slot.pills,
    pills_taken: dose.pills_taken,
    ...(dose.unreported ? { unreported: dose.unreported } : {}),
    ...(dose.unclear_closing ? { unclear_closing: dose.unclear_closing } : {}),
    ...(dose.period ? { period: dose.period } : {}),
    judged_at: now,
  };
}
