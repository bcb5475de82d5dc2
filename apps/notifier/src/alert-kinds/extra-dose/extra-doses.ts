import {
  type AlertToEnd,
  type AlertToRaise,
  type CountedClosing,
  type ExtraDose,
  extraDoseAlertIds,
  findDisproved,
  findExtraDoses,
  findPutBack,
  PUT_BACK_WITHIN_MS,
  putBackAt,
  type SlotJudgement,
} from '#domain';
import { type Alert, AlertsRepository, type Bottle, BottleActionsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';

/** Pills beyond the plan: their alerts to raise, and those that later reports or statements end. */
@Injectable()
export class ExtraDoses {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly actions: BottleActionsRepository,
  ) {}

  /**
   * A bottle without any costs no read.
   *
   * @param extra what is extra by what is known now
   * @param open the bottle's open alerts of this kind
   * @param doses those that are judged now
   */
  async judge(
    bottle: Bottle,
    extra: readonly ExtraDose[],
    open: readonly Alert<'extra_dose'>[],
    doses: readonly SlotJudgement[],
    now: Date,
  ): Promise<{ raise: AlertToRaise<'extra_dose'>[]; end: AlertToEnd<'extra_dose'>[] }> {
    if (extra.length === 0 && open.length === 0) return { raise: [], end: [] };
    const [raised, closings] = await Promise.all([
      // also those that staff have closed
      this.alerts.findOfBottle<'extra_dose'>(
        bottle._id,
        extraDoseAlertIds(bottle, extra).map((id) => new Types.ObjectId(id)),
      ),
      this.readClosings(bottle, extra, open),
    ]);
    const kept = extra.filter((one) => putBackAt(one, closings) === undefined);
    return {
      raise: findExtraDoses(bottle, kept, raised, now),
      end: [
        ...findPutBack(open, closings, now),
        ...findDisproved(open, extra, doses[0]?.slot.early_from, now),
      ],
    };
  }

  private async readClosings(
    { _id }: Bottle,
    extra: readonly ExtraDose[],
    open: readonly Alert<'extra_dose'>[],
  ): Promise<CountedClosing[]> {
    const removed = [
      ...extra.map(({ time }) => time),
      ...open.map(({ evidence }) => evidence.removed_at),
    ].map((time) => time.getTime());
    const until = new Date(Math.max(...removed) + PUT_BACK_WITHIN_MS + 1);
    const actions = await this.actions.findOfBottles([_id], new Date(Math.min(...removed)), until);
    return actions.filter(({ action }) => action === 'closed');
  }
}
