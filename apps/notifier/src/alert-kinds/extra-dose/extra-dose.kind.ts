import {
  alertsOf,
  type CountedClosing,
  DAY_MS,
  type ExtraDose,
  extraAfterStatements,
  extraDoseAlertIds,
  findChangedExtra,
  findDisproved,
  findExtraDoses,
  fillingOf,
  findPutBack,
  groupBy,
  isCritical,
  togetherByRemoval,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottleActionsRepository,
  ContactsRepository,
  DeliveriesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** Nothing waits longer for the end of quiet hours. Milliseconds. */
const LONGEST_QUIET_HOURS_MS = DAY_MS;

/** What is read for the bottles that have extra pills, or open alerts of them. By the bottle's id. */
interface Page {
  /** The alerts of these removals, also those that staff have closed. */
  raised: ReadonlyMap<string, Alert<'extra_dose'>[]>;
  /** The closings from each removal of an open alert until pills of it may be put back. */
  closings: ReadonlyMap<string, CountedClosing[]>;
  /** The users who are known to fill a pillbox every week. */
  fillPillbox: ReadonlySet<string>;
}

/** Pills beyond the plan: their alerts to raise, and those that later reports or statements end. */
@Injectable()
export class ExtraDoseKind implements DoseKind<Page> {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly actions: BottleActionsRepository,
    private readonly contacts: ContactsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async prepare(bottles: readonly JudgedBottle[]): Promise<Page> {
    const found = bottles
      .map((one) => ({ bottle: one.bottle, extra: extraOf(one) }))
      .filter(({ extra }) => extra.length > 0);
    const [raised, fillPillbox, closings] = await Promise.all([
      this.alerts.findOfBottles(
        bottles.map(({ bottle }) => bottle._id),
        found
          .flatMap(({ bottle, extra }) => extraDoseAlertIds(bottle, extra))
          .map((id) => new Types.ObjectId(id)),
      ),
      this.contacts.findFillingPillbox(found.map(({ bottle }) => bottle.user_id)),
      this.actions.findPuttingBack(bottles.flatMap(openRemovalsOf)),
    ]);
    return {
      raised: groupBy(alertsOf(raised, 'extra_dose'), ({ bottle_id }) => bottle_id.toHexString()),
      fillPillbox,
      closings,
    };
  }

  judge(one: JudgedBottle, page: Page, now: Date): DoseFinding {
    const { bottle, judged, again_from: again } = one;
    const extra = extraOf(one);
    const open = openOf(one);
    if (extra.length === 0 && open.length === 0) return {};
    const id = bottle._id.toHexString();
    const from = removalsReadFrom(judged.slots);
    // pills are put back into the bottle that they were removed from
    const closings = idsOf(one).map((each) => page.closings.get(each.toHexString()) ?? []);
    const putBack = closings.flatMap((own) => findPutBack(open, extra, own, { from, again }, now));
    const others = open.filter((alert) => putBack.every((each) => each.alert !== alert));
    return {
      raise: findExtraDoses(bottle, extra, page.raised.get(id) ?? [], now, from, {
        fillingOf: (time, pills) =>
          fillingOf({ versions: bottle.schedule_versions, periods: bottle.pauses }, time, pills),
        isFilledWeekly: page.fillPillbox.has(bottle.user_id),
      }),
      end: [...putBack, ...findDisproved(others, extra, from, bottle.pauses, now)],
    };
  }

  async record(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    // most have none: what is extra need not be found out for them
    const raised = bottles.filter((one) => openOf(one).length > 0);
    const changed = raised.flatMap((one) =>
      findChangedExtra(openOf(one), extraOf(one), removalsReadFrom(one.judged.slots)),
    );
    await this.alerts.recordLearned(changed);
    // also if a notifier was killed after it recorded what is known
    const known = new Map(changed.map(({ alert, evidence }) => [alert, evidence]));
    const waking = raised
      .flatMap(openOf)
      .filter(({ raised_at }) => now.getTime() - raised_at.getTime() <= LONGEST_QUIET_HOURS_MS)
      .map((alert) => ({ ...alert, evidence: { ...alert.evidence, ...known.get(alert) } }))
      .filter(isCritical);
    await this.deliveries.passQuietHours(
      waking.map(({ _id }) => _id),
      now,
    );
  }
}

const openOf = ({ open }: JudgedBottle): Alert<'extra_dose'>[] => alertsOf(open, 'extra_dose');

/** From when on all removals were read: for doses that are not monitored none are. */
function removalsReadFrom(slots: JudgedBottle['judged']['slots']): Date | undefined {
  return slots.find(({ outcome }) => outcome !== 'not_monitored')?.slot.early_from;
}

/** What is extra by what is known now. */
const extraOf = ({ judged, statements }: JudgedBottle): ExtraDose[] =>
  togetherByRemoval(extraAfterStatements(judged.slots, judged.very_late, statements.reports), judged.extra);

/** The removals of open alerts, which may be from any bottle of the plan. */
const openRemovalsOf = (one: JudgedBottle): { bottle_id: Types.ObjectId; time: Date }[] =>
  openOf(one).flatMap(({ evidence }) =>
    idsOf(one).map((bottle_id) => ({ bottle_id, time: evidence.removed_at })),
  );

/** The bottles of the plan. */
const idsOf = ({ bottle, members }: JudgedBottle): Types.ObjectId[] => [
  bottle._id,
  ...members.map((member) => member.bottle._id),
];
