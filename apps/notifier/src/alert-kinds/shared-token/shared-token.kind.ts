import { alertsOf, judgeSharedToken } from '#domain';
import { Injectable } from '@nestjs/common';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** Two bottles that report under one token, as their counts show. */
@Injectable()
export class SharedTokenKind implements DoseKind {
  judge(
    { state: { report_problems: problems = [] }, bottle, doubts, open }: JudgedBottle,
    _page: unknown,
    now: Date,
  ): DoseFinding {
    const { check_at, ...found } = judgeSharedToken(
      { bottle, doubts, problems, open: alertsOf(open, 'shared_token')[0] },
      now,
    );
    return { ...found, ...(check_at && { state: { check_at } }) };
  }
}
