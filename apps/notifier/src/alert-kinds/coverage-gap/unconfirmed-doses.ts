import {
  type AlertToRaise,
  doseInGapAlert,
  dosesInGap,
  earliest,
  groupBy,
  askedAt,
  reportsBySlot,
  type Slot,
  unconfirmedDoses,
  unsettled,
  wasLateByGrace,
} from '#domain';
import {
  AlertsRepository,
  AttestationsRepository,
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  CoverageGapsRepository,
  CoverageRepository,
  DoseOutcomesRepository,
  type PlanMember,
  type RecordedGap,
  SharedPlansRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { NotifierConfig } from '../../config.js';

const PAGE = 500;

type EndedGap = RecordedGap & { until: Date };

/** The doses of a bottle that fall in a gap, and were late by the end of its grace. */
interface Affected {
  bottle: Bottle;
  slots: Slot[];
}

/**
 * Notifies people of doses that a coverage gap left unconfirmed, when the bottles have had the grace to send what they
 * stored. Every dose is an alert that ends when it is raised, so any number of notifiers may do this at once.
 */
@Injectable()
export class UnconfirmedDoses {
  constructor(
    private readonly gaps: CoverageGapsRepository,
    private readonly coverage: CoverageRepository,
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly storedAlerts: AlertsRepository,
    private readonly alerts: AlertsService,
    private readonly plans: SharedPlansRepository,
    private readonly clock: Clock,
    private readonly config: NotifierConfig,
  ) {}

  /** Walks the fleet once for each gap whose grace is over; a walk that was cut short is repeated. */
  async run(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    for (const gap of await this.gaps.findUnsettled()) {
      if (!isOver(gap)) continue;
      const rule = {
        coverage: await this.coverage.read(gap.until, now, this.config.SILENT_BOTTLE_AFTER),
        // time in which reports were accepted
        graceMs: this.config.COVERAGE_GRACE,
      };
      if (rule.coverage.since(gap.until) < rule.graceMs) continue;
      const dosesOf = (bottle: Bottle): Slot[] =>
        slotsOf(bottle, gap).filter((slot) => wasLateByGrace(slot, gap, rule));
      for await (const page of this.bottles.pages(PAGE)) {
        if (stopping()) return;
        const affected = page.map((bottle) => ({ bottle, slots: dosesOf(bottle) }));
        await this.alerts.raise(await this.find(affected, gap, now), now);
      }
      // what one recipient is owed is one message: it waits for this
      await this.gaps.record({ ...gap, settled_at: this.clock.now() });
    }
  }

  private async find(all: readonly Affected[], gap: EndedGap, now: Date): Promise<AlertToRaise[]> {
    const affected = all.filter(({ slots }) => slots.length > 0);
    if (affected.length === 0) return [];
    const ids = affected.map(({ bottle }) => bottle._id);
    const members = await this.plans.findMembers(affected.map(({ bottle }) => bottle));
    const membersOf = (bottle: Bottle, at: Date): PlanMember[] =>
      askedAt(members.get(bottle._id.toHexString()) ?? [], at);
    const first = Math.min(...affected.map(({ slots }) => slots[0]!.scheduled_at.getTime()));
    const [states, outcomes, statements, silent] = await Promise.all([
      this.states.findByIds(ids),
      this.outcomes.findOfBottles(ids, new Date(first), gap.until),
      this.attestations.findSince(ids, new Date(first)),
      this.storedAlerts.findSilentAt(
        [
          ...ids,
          ...affected.flatMap(({ bottle }) => membersOf(bottle, gap.from)).map((one) => one.bottle._id),
        ],
        gap.from,
      ),
    ]);
    const judged = groupBy(outcomes, ({ bottle_id }) => bottle_id.toHexString());
    const lastSeen = new Map(states.map(({ _id, last_heard_at }) => [_id.toHexString(), last_heard_at]));
    return affected.flatMap(({ bottle, slots }: Affected) => {
      const id = bottle._id.toHexString();
      const own = judged.get(id) ?? [];
      const further = membersOf(bottle, gap.from);
      const seen = [lastSeen.get(id), ...further.map(({ state }) => state.last_heard_at)];
      const known = {
        slots,
        outcomes: new Map(own.map(({ scheduled_at, outcome }) => [scheduled_at.getTime(), outcome])),
        // a dose may have been taken from any bottle of the plan
        lastSeen: seen.includes(undefined) ? undefined : earliest(...seen),
        wasSilent: [id, ...further.map((one) => one.bottle._id.toHexString())].some((one) => silent.has(one)),
      };
      const reports = reportsBySlot(statements.get(id) ?? []);
      return unsettled(
        unconfirmedDoses(known, gap).map((slot) => ({ slot })),
        reports,
      ).map(({ slot }) => doseInGapAlert(bottle, slot, gap, now));
    });
  }
}

function isOver(gap: RecordedGap): gap is EndedGap {
  return gap.until !== undefined;
}

/** None of a bottle whose schedule cannot be read: the check of doses quarantines it. */
function slotsOf({ schedule_versions, pauses: periods }: Bottle, gap: EndedGap): Slot[] {
  try {
    return dosesInGap(schedule_versions, periods, gap);
  } catch {
    return [];
  }
}
