import type { AlertKind, SlotJudgement, StatedDose } from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Bottle,
  type DoseOutcome,
  DoseOutcomesRepository,
} from '#persistence';
import { DirtyBuckets } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../alerts/alerts.service.js';
import type { AlertToEnd } from '../alerts/findings.js';
import { settledLater } from '../alert-kinds/coverage-gap/settled-later.js';
import {
  correctedByStatement,
  correctedEnd,
  findChangedParts,
  unsettled,
} from '../alert-kinds/missed-dose/missed-dose.js';
import type { JudgedDoses } from './dose-judgement.js';
import type { DoseStatements } from './statements.js';

/** What a check concluded about one bottle's doses. */
export interface FoundDoses {
  bottle: Bottle;
  judged: JudgedDoses;
  /** Its open alerts of late doses. */
  open: readonly Alert[];
  /** What people say about its doses. */
  statements: DoseStatements;
  /** The doses that are judged now, or stated about since, as people are notified of them. */
  stated: readonly StatedDose[];
  /** Earlier outcomes may have been wrong: removals arrived that no judgement has seen, or a lease was lost. */
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
    const unknown = page.flatMap(({ bottle, judged, statements }) =>
      unsettled(settledOf(judged), statements.reports)
        .filter(({ outcome, unreported }) => outcome === 'unknown' && !unreported)
        .map(({ slot }) => ({ bottle_id: bottle._id, dose: slot.scheduled_at })),
    );
    await this.recorded.addUnconfirmedDoses(unknown);
    await this.recorded.recordParts(page.flatMap(({ open, judged }) => findChangedParts(open, judged.slots)));
    await this.forgetDropped(page, now);
    await this.correct(page.filter(mayCorrect), now);
    await this.correctGaps(
      page.filter(({ judged }) => judged.followsGap),
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

  /** Corrects the ends of alerts that late data, or what people say, proves wrong or incomplete. */
  private async correct(page: FoundDoses[], now: Date): Promise<void> {
    const foundOf = new Map(
      page.flatMap((found) =>
        correctableSlots(found).map((cause) => {
          const id = alertId({ bottle: found.bottle, kind: 'missed_dose', cause });
          return [id.toHexString(), { id, found }] as const;
        }),
      ),
    );
    if (foundOf.size === 0) return;
    const ended = await this.recorded.findByIds([...foundOf.values()].map(({ id }) => id));
    await this.alerts.correctEnds(
      ended.flatMap((alert) => correctionOf(alert, foundOf.get(alert._id.toHexString())!.found, now) ?? []),
      now,
    );
  }

  /** Corrects what people were notified of doses that a coverage gap had left unconfirmed. */
  private async correctGaps(page: FoundDoses[], now: Date): Promise<void> {
    const doses = page.flatMap(({ bottle, judged }) =>
      settledOf(judged).map((dose) => {
        const cause = dose.slot.scheduled_at;
        const idOf = (kind: AlertKind) => alertId({ bottle, kind, cause });
        return { dose, own: idOf('missed_dose'), ofGap: idOf('coverage_gap') };
      }),
    );
    if (doses.length === 0) return;
    const found = await this.recorded.findByIds(doses.flatMap(({ own, ofGap }) => [own, ofGap]));
    const alerts = new Map(found.map((alert) => [alert._id.toHexString(), alert]));
    const corrected = doses.flatMap(({ dose, own, ofGap }) => {
      const alert = alerts.get(ofGap.toHexString());
      return (alert && settledLater(alert, dose, alerts.has(own.toHexString()), now)) ?? [];
    });
    await this.alerts.correctEnds(corrected, now);
  }
}

/** A part that came with a backlog is judged when the grace of the backlog is over. */
const mayCorrect = ({ lateData, judged, statements }: FoundDoses): boolean =>
  lateData || statements.reports.size > 0 || judged.slots.some(({ outcome }) => outcome === 'partial');

/** The slots whose alerts may have to be corrected. */
function correctableSlots({ judged, statements }: FoundDoses): Date[] {
  return [...settledOf(judged).map(({ slot }) => slot.scheduled_at), ...statements.attested];
}

function correctionOf(
  alert: Alert,
  { stated, statements: { reports } }: FoundDoses,
  now: Date,
): AlertToEnd | undefined {
  const dose = stated.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
  return correctedByStatement(alert, dose, reports, now) ?? correctedEnd(alert, stated, now);
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
    ...(dose.unreported ? { unreported: dose.unreported } : {}),
    judged_at: now,
  };
}
