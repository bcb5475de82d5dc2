import { alertsOf, endForAnother, isOfAnother, judgeSupply, membersAt } from '#domain';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** Fewer pills than the doses of the next days still need. */
@Injectable()
export class LowSupplyKind implements DoseKind {
  constructor(private readonly config: NotifierConfig) {}

  judge(
    { state, bottle, members, judged, open: alerts }: JudgedBottle,
    _page: unknown,
    now: Date,
  ): DoseFinding {
    const open = alertsOf(alerts, 'low_supply')[0];
    const isFormers = open && isOfAnother(open, bottle);
    const {
      state: low_supply,
      low_at: check_at,
      raise,
      end,
    } = judgeSupply(
      {
        state,
        bottle,
        judged,
        others: membersAt(members, now),
        open: isFormers ? undefined : open,
        days: this.config.LOW_SUPPLY_DAYS,
      },
      now,
    );
    if (isFormers) end.push(endForAnother(open, now));
    return { raise, end, state: { ...(low_supply && { low_supply }), ...(check_at && { check_at }) } };
  }
}
