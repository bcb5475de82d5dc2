import {
  alertsOf,
  DAY_MS,
  earliest,
  endForAnother,
  findNeverReported,
  heldUntil,
  hidesDose,
  isNeverReported,
  isOfAnother,
  isUnknownInSilence,
  NOTIFIED_SINGLY_MS,
  askedAt,
  ownedSince,
  periodAt,
  reasonOf,
  reportsBySlot,
  sharedPlanAt,
  silenceNotMonitored,
  type Slot,
  type SlotJudgement,
  unsettled,
} from '#domain';
import {
  AlertsRepository,
  AttestationsRepository,
  BottlesRepository,
  DoseOutcomesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { alertId } from '../../alerts/alerts.service.js';
import { NotifierConfig } from '../../config.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';
import { judgementsOf } from '../../doses/statements.js';

/** Of a bottle that has never reported, earlier doses are not looked for. Milliseconds. */
const LOOKED_BACK_MS = 30 * DAY_MS;

/** By the id of a bottle that has never reported: the earlier doses, of its own or of the plan that it is for, that no statement settles. */
type Unseen = ReadonlyMap<string, readonly SlotJudgement[]>;

/** What doses say of silences: that a bottle has never reported, and which doses an open silence hides. */
@Injectable()
export class DosesOfSilences implements DoseKind<Unseen> {
  constructor(
    private readonly storedAlerts: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly config: NotifierConfig,
  ) {}

  async prepare(bottles: readonly JudgedBottle[], now: Date): Promise<Unseen> {
    const unseen = bottles.flatMap(({ bottle, state, open }) => {
      // what an open alert names is added where the plan is judged
      const isLooked = !state.last_heard_at && alertsOf(open, 'bottle_silent').length === 0;
      const own = { of: bottle._id, from: bottle.registered_at };
      const plan = sharedPlanAt(bottle.shared_plans, now) ?? own;
      return isLooked ? [{ id: bottle._id.toHexString(), plan }] : [];
    });
    if (unseen.length === 0) return new Map();
    const leaders = unseen.map(({ plan }) => plan.of);
    const first = Math.max(
      now.getTime() - LOOKED_BACK_MS,
      Math.min(...unseen.map(({ plan }) => plan.from.getTime())),
    );
    const [found, outcomes, entries] = await Promise.all([
      this.bottles.findByIds(leaders),
      this.outcomes.findOfBottles(leaders, new Date(first), now),
      this.attestations.findSince(leaders, new Date(first)),
    ]);
    const planOf = new Map(found.map((bottle) => [bottle._id.toHexString(), bottle]));
    return new Map(
      unseen.map(({ id, plan }) => {
        const leader = planOf.get(plan.of.toHexString());
        const own = outcomes.filter(
          ({ bottle_id, scheduled_at }) => bottle_id.equals(plan.of) && scheduled_at >= plan.from,
        );
        const doses = leader ? own.flatMap((outcome) => judgementsOf(outcome, leader)) : [];
        return [id, unsettled(doses, reportsBySlot(entries.get(plan.of.toHexString()) ?? []))];
      }),
    );
  }

  judge(
    { bottle, state, judged, unsettled: own, open }: JudgedBottle,
    unseen: Unseen,
    now: Date,
  ): DoseFinding {
    const period = periodAt(bottle.pauses, now);
    const { SILENT_BOTTLE_AFTER: silentAfter } = this.config;
    const held = period && { silenceHeldUntil: heldUntil(period, silentAfter, now) };
    const [silent] = alertsOf(open, 'bottle_silent');
    if (period && silent) return { end: [silenceNotMonitored(silent, reasonOf(period), now)], state: held };
    if (silent && isOfAnother(silent, bottle))
      return { end: [endForAnother(silent, now)], state: { silenceHeldUntil: now } };
    const judgedNow = new Set(judged.slots.map(({ slot }) => +slot.scheduled_at));
    const earlier = unseen.get(bottle._id.toHexString()) ?? [];
    const doses = [...earlier.filter(({ slot }) => !judgedNow.has(+slot.scheduled_at)), ...own];
    const found = findNeverReported(bottle, state, doses, judged.coverage, silentAfter);
    if (held && found.length > 0) return { state: held };
    // one that is open lasts, whatever is entered about the time before it
    const raise = found.filter((alert) => !silent || alertId(alert).equals(silent._id));
    const neverReported = raise.length > 0 || open.some(isNeverReported);
    if (raise.length === 0) return { state: { neverReported } };
    // it may end before anybody is notified of it
    const unsettled_from = earliest(
      ...doses
        .filter(({ slot }) => now.getTime() - slot.missed_at.getTime() <= NOTIFIED_SINGLY_MS)
        .map(({ slot }) => slot.scheduled_at),
    );
    return {
      raise,
      state: { neverReported, awaiting_contact: true, ...(unsettled_from && { unsettled_from }) },
    };
  }

  async record(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    await this.storedAlerts.addUnconfirmedDoses(
      bottles.flatMap((one) => {
        const { bottle, state, members, judged } = one;
        // also of which a statement was withdrawn
        const unknown = one.unsettled.filter(isUnknownInSilence);
        const silent = members.filter(({ silence }) => silence);
        // the report that ends the silence says that its pills were put back
        const untaken = new Set(judged.untaken.map((slot) => +slot));
        return unknown.flatMap(({ slot }) =>
          [{ bottle, state }, ...askedAt(silent, slot.missed_at)]
            .filter(
              (each) =>
                (hidesDose(each.state, slot) || untaken.has(+slot.scheduled_at)) &&
                slot.scheduled_at >= ownedSince(bottle),
            )
            .map((each) => ({
              bottle_id: each.bottle._id,
              dose: slot.scheduled_at,
              late_at: slot.late_at,
              since: unconfirmedSince(slot, one, now),
              ...(each.bottle !== bottle && { plan_of: bottle._id.toHexString() }),
            })),
        );
      }),
      now,
    );
  }
}

/**
 * Since when nobody can confirm a dose: since its end, or since no statement settles it any more. One that is judged again
 * was known until now.
 */
function unconfirmedSince(
  { scheduled_at, missed_at }: Slot,
  { state: { judged_until }, statements, judged }: JudgedBottle,
  now: Date,
): Date {
  const unsettledAt = statements.reports.get(scheduled_at.getTime())?.unsettledAt;
  if (unsettledAt) return unsettledAt > missed_at ? unsettledAt : missed_at;
  const wasKnown =
    (judged_until !== undefined && scheduled_at < judged_until) || judged.monitored_again.has(+scheduled_at);
  return wasKnown ? now : missed_at;
}
