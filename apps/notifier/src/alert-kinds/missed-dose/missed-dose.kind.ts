import {
  alertsOf,
  type AlertToEnd,
  correctedByStatement,
  correctedEnd,
  DAY_MS,
  earliest,
  findUnknownUnseen,
  findChangedParts,
  findEndedDoses,
  findEndedUnseen,
  findLateDoses,
  findRanOut,
  findSilenceUnseen,
  groupBy,
  hasNotified,
  hidesDose,
  isUndecided,
  nextCheckAt,
  type OpenSilence,
  silencesOver,
  namesDose,
  type SlotJudgement,
  askedAt,
  openSince,
  ownerAt,
  unlistedUnknown,
  wasToFormerCarer,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  type Contact,
  DeliveriesRepository,
  type Delivery,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { NotifierConfig } from '../../config.js';
import { lateDoses, settledOf } from '../../doses/dose-judgement.js';
import { Recipients } from '../../delivery/recipients.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** Silences that began earlier are not looked for. Milliseconds. */
const LONGEST_SILENCE_MS = 30 * DAY_MS;

/** The silences of bottles that have reported since, which name doses, and what was sent of them. */
interface Silences {
  /** By the bottle's id. */
  over: ReadonlyMap<string, readonly Alert[]>;
  /** By the alert's id. */
  notifications: ReadonlyMap<string, readonly Delivery[]>;
  /** Of the users of the silences. */
  contacts: ReadonlyMap<string, Contact>;
}

/** Doses that are late, and how they end. */
@Injectable()
export class MissedDoseKind implements DoseKind<Silences> {
  constructor(
    private readonly storedAlerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsService,
    private readonly recipients: Recipients,
    private readonly config: NotifierConfig,
  ) {}

  /**
   * Of bottles that are not silent any more and have unknown doses: the silence that is over may have named them, if its
   * start reached anybody.
   */
  async prepare(bottles: readonly JudgedBottle[], now: Date): Promise<Silences> {
    const back = bottles.filter(
      ({ unsettled, open }) =>
        unsettled.some(({ outcome }) => outcome === 'unknown') &&
        !open.some(({ kind }) => kind === 'bottle_silent'),
    );
    const found = await this.storedAlerts.findListingDoses(
      back.flatMap(({ bottle, members }) => [bottle._id, ...members.map((member) => member.bottle._id)]),
      new Date(now.getTime() - LONGEST_SILENCE_MS),
    );
    const unknown = back.flatMap(({ unsettled }) => unsettled.filter(({ outcome }) => outcome === 'unknown'));
    const over = found.filter((alert) => !alert.open && unknown.some(({ slot }) => namesDose(alert, slot)));
    if (over.length === 0) return { over: new Map(), notifications: new Map(), contacts: new Map() };
    const [notifications, contacts] = await Promise.all([
      this.deliveries.findByAlerts(over.map(({ _id }) => _id)),
      this.recipients.contactsOf(over.map(({ user_id }) => user_id)),
    ]);
    return {
      over: groupBy(over, ({ bottle_id }) => bottle_id.toHexString()),
      notifications: groupBy(notifications, ({ alert_id }) => alert_id.toHexString()),
      contacts,
    };
  }

  judge(one: JudgedBottle, silences: Silences, now: Date): DoseFinding {
    const { state, bottle, judged, unsettled, stated, statements } = one;
    const settledUntil = state.judged_until ?? bottle.registered_at;
    const open = openOf(one);
    const silent = openSilences(one);
    // of a bottle that has never reported only what its alert names
    const isSeen = state.last_heard_at !== undefined || silent.length > 0;
    const unlisted = unlistedUnknown(
      isSeen ? unsettled : [],
      {
        settledUntil,
        attested: statements.attested,
        untaken: judged.untaken,
        coverage: judged.coverage,
        longGap: this.config.COVERAGE_GAP_AFTER,
        graceMs: this.config.COVERAGE_GRACE,
        over: [bottle, ...one.members.map((member) => member.bottle)]
          .flatMap(({ _id }) => silences.over.get(_id.toHexString()) ?? [])
          .filter((alert) => this.isKnown(alert, silences, now)),
      },
      now,
    );
    const before = {
      settledUntil,
      open,
      unjudged: (state.unjudged_removals ?? []).map(({ time }) => time),
      attested: statements.attested,
      untaken: judged.untaken,
      judgedAgainFrom: one.again_from,
    };
    const pending = stated.filter((dose) => dose.phase !== 'judged' || mayCountBack(dose, now));
    const isOpen = (dose: SlotJudgement): boolean =>
      isUndecided(dose) || silencesOver(dose, silent).length > 0;
    const undecided = unlisted.filter(isOpen);
    const check_at = earliest(
      ...pending.map(({ next_look_at }) => next_look_at),
      ...undecided.flatMap((dose) => silencesOver(dose, silent)).map((silence) => nextCheckAt(silence, now)),
    );
    const unsettled_from = earliest(...[...pending, ...undecided].map(({ slot }) => slot.scheduled_at));
    const raise = [
      ...findSilenceUnseen(
        bottle,
        unlisted.filter((dose) => !isOpen(dose)),
        now,
      ),
      ...findLateDoses(bottle, unsettled, openSince(state)),
      ...findEndedUnseen(bottle, unsettled, before, now),
      ...findUnknownUnseen(bottle, unsettled, before, now),
      ...findRanOut(bottle, stated, statements.reports, before, now),
    ];
    return {
      // a dose is the person's who had the bottle when it was due
      raise: raise.map((alert) => ({
        ...alert,
        bottle: { ...bottle, user_id: ownerAt(bottle, new Date(alert.subject)) },
      })),
      end: findEndedDoses(open, stated, statements.reports, now, openSince(state)),
      state: {
        late: lateDoses(unsettled).length > 0,
        awaiting_contact: undecided.some(({ back_at, next_look_at }) => !back_at || !next_look_at),
        ...(check_at && { check_at }),
        ...(unsettled_from && { unsettled_from }),
      },
    };
  }

  /** Whether people know of a silence that is over: its start reached somebody who is in the plan, or staff closed it. */
  private isKnown(alert: Alert, { notifications, contacts }: Silences, now: Date): boolean {
    if (alert.closing) return true;
    const addressees = this.recipients.addresseesOf(alert, contacts, now);
    const ofAlert = notifications.get(alert._id.toHexString()) ?? [];
    return hasNotified(ofAlert.filter((one) => !wasToFormerCarer(one, addressees)));
  }

  async record(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    await this.storedAlerts.recordLearned(
      bottles.flatMap((one) => findChangedParts(openOf(one), one.judged.slots)),
    );
    await this.correct(bottles.filter(mayCorrect), now);
  }

  /** Corrects the ends of alerts that late data, or what people say, proves wrong or incomplete. */
  private async correct(bottles: readonly JudgedBottle[], now: Date): Promise<void> {
    const judgedOf = new Map(
      bottles.flatMap((one) =>
        correctableSlots(one).map((cause) => {
          const id = alertId({ bottle: one.bottle, kind: 'missed_dose', cause });
          return [id.toHexString(), { id, one }] as const;
        }),
      ),
    );
    if (judgedOf.size === 0) return;
    const ended = await this.storedAlerts.findByIds([...judgedOf.values()].map(({ id }) => id));
    await this.alerts.correctEnds(
      alertsOf(ended, 'missed_dose').flatMap(
        (alert) => correctionOf(alert, judgedOf.get(alert._id.toHexString())!.one, now) ?? [],
      ),
      now,
    );
  }
}

/** The open silences of a bottle and of the further bottles of its plan: an unknown dose is added to those that hide it. */
function openSilences({ open, state, members }: JudgedBottle): OpenSilence[] {
  const own = alertsOf(open, 'bottle_silent').map((alert) => ({ alert, state, getsDose: () => true }));
  const further = members.flatMap((member) => {
    const { silence: alert, state: of } = member;
    const getsDose = ({ slot }: SlotJudgement): boolean =>
      hidesDose(of, slot) && askedAt([member], slot.missed_at).length > 0;
    return alert ? [{ alert, state: of, getsDose }] : [];
  });
  return [...own, ...further];
}

const openOf = ({ open }: JudgedBottle): Alert<'missed_dose'>[] => alertsOf(open, 'missed_dose');

/**
 * Earlier outcomes may have been wrong: removals arrived that no judgement has seen, or a lease was lost. A part that came
 * with a backlog is judged when the grace of the backlog is over.
 */
const mayCorrect = (one: JudgedBottle): boolean =>
  one.state.unjudged_removals !== undefined ||
  one.again_from !== undefined ||
  one.statements.reports.size > 0 ||
  one.judged.slots.some(({ outcome }) => outcome === 'partial') ||
  isWithoutAlert(one);

/**
 * A dose that is late, or was and has ended now, has an open alert, unless that ended before: by a period that was removed
 * since, or because the dose could not be confirmed.
 */
function isWithoutAlert(one: JudgedBottle): boolean {
  const { judged, state, bottle } = one;
  const settledUntil = state.judged_until ?? bottle.registered_at;
  const known = new Set(openOf(one).map(({ subject }) => subject));
  return [...settledOf(judged), ...lateDoses(judged.slots)].some(
    ({ slot, outcome }) =>
      slot.scheduled_at >= settledUntil &&
      outcome !== 'taken_early' &&
      outcome !== 'taken_on_time' &&
      !known.has(slot.scheduled_at.toISOString()),
  );
}

/** Whether a dose that cannot be confirmed by the count may prove to be late: it is back before the dose is over (DOSE-42). */
function mayCountBack({ unreported, slot }: SlotJudgement, now: Date): boolean {
  return unreported !== undefined && now < slot.missed_at;
}

/** The slots whose alerts may have to be corrected: also of late doses that had ended before. */
function correctableSlots({ judged, statements }: JudgedBottle): Date[] {
  return [
    ...settledOf(judged).map(({ slot }) => slot.scheduled_at),
    ...lateDoses(judged.slots).map(({ slot }) => slot.scheduled_at),
    ...statements.attested,
  ];
}

function correctionOf(
  alert: Alert<'missed_dose'>,
  { stated, statements: { reports } }: JudgedBottle,
  now: Date,
): AlertToEnd | undefined {
  const dose = stated.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
  return correctedByStatement(alert, dose, reports, now) ?? correctedEnd(alert, stated, now);
}
