import {
  alertsOf,
  findNeverReported,
  heldUntil,
  isNeverReported,
  periodAt,
  reasonOf,
  silenceNotMonitored,
  unsettled,
} from '#domain';
import { AlertsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../../config.js';
import { settledOf } from '../../doses/dose-judgement.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** What doses say of silences: that a bottle has never reported, and which doses an open silence hides. */
@Injectable()
export class DosesOfSilences implements DoseKind {
  constructor(
    private readonly storedAlerts: AlertsRepository,
    private readonly config: NotifierConfig,
  ) {}

  judge(
    { bottle, state, judged, unsettled: doses, open }: JudgedBottle,
    _page: unknown,
    now: Date,
  ): DoseFinding {
    const period = periodAt(bottle.pauses, now);
    const [silent] = alertsOf(open, 'bottle_silent');
    if (period && silent)
      return {
        end: [silenceNotMonitored(silent, reasonOf(period), now)],
        state: { silenceHeldUntil: heldUntil(period, this.config.SILENT_BOTTLE_AFTER, now) },
      };
    const raise = findNeverReported(bottle, state, doses, judged.coverage, this.config.SILENT_BOTTLE_AFTER);
    return { raise, state: { neverReported: raise.length > 0 || open.some(isNeverReported) } };
  }

  async record(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    await this.storedAlerts.addUnconfirmedDoses(
      bottles.flatMap(({ bottle, state, judged, statements }) =>
        unsettled(settledOf(judged), statements.reports)
          .filter(({ outcome, unreported }) => outcome === 'unknown' && !unreported)
          // an earlier silence hid the others
          .filter(({ slot }) => !state.last_heard_at || slot.missed_at >= state.last_heard_at)
          .map(({ slot }) => ({ bottle_id: bottle._id, dose: slot.scheduled_at })),
      ),
      now,
    );
  }
}
