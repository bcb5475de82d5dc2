import { type AlertKind, settledLater } from '#domain';
import { AlertsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { settledOf } from '../../doses/dose-judgement.js';
import type { DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** Corrects what people were notified of doses that a coverage gap had left unconfirmed. */
@Injectable()
export class DosesOfGaps implements DoseKind {
  constructor(
    private readonly storedAlerts: AlertsRepository,
    private readonly alerts: AlertsService,
  ) {}

  async record(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    const doses = bottles
      .filter(({ judged }) => judged.followsGap)
      .flatMap(({ bottle, judged }) =>
        settledOf(judged).map((dose) => {
          const cause = dose.slot.scheduled_at;
          const idOf = (kind: AlertKind) => alertId({ bottle, kind, cause });
          return { dose, own: idOf('missed_dose'), ofGap: idOf('coverage_gap') };
        }),
      );
    if (doses.length === 0) return;
    const found = await this.storedAlerts.findByIds(doses.flatMap(({ own, ofGap }) => [own, ofGap]));
    const alerts = new Map(found.map((alert) => [alert._id.toHexString(), alert]));
    const corrected = doses.flatMap(({ dose, own, ofGap }) => {
      const alert = alerts.get(ofGap.toHexString());
      if (alert?.kind !== 'coverage_gap') return [];
      return settledLater(alert, dose, alerts.has(own.toHexString()), now) ?? [];
    });
    await this.alerts.correctEnds(corrected, now);
  }
}
