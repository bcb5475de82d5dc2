import type { LowSupplyState } from '../alerts/kinds/low-supply/low-supply.js';
import type { BottleState, Id, JudgeAgain, Release, StateChange, UnjudgedRemoval } from './bottle-state.js';
import { type CauseField, type DeadlineField } from './deadlines.js';
import { onContact } from './on-reports.js';

type Fact = 'user_id' | 'medication';

/** The state of a bottle that has just been registered. @param dosesFrom present if it has a schedule */
export function onRegistration<I extends Id>(
  { _id, user_id, medication }: { _id: I } & Pick<BottleState, Fact>,
  dosesFrom?: Date,
): BottleState & { _id: I } {
  const armed = dosesFrom && { dose_due_at: dosesFrom, next_dose_at: dosesFrom };
  return { _id, user_id, medication, quiet: 'never_heard', ...armed };
}

/** The registry changed what is copied from it. */
export function onRegistryChange(facts: Partial<Pick<BottleState, Fact>>): StateChange {
  return { set: facts };
}

/** The schedule or its periods changed: the doses are judged again. */
export function onScheduleChange(at: Date): StateChange {
  return { lower: { dose_due_at: at }, set: { schedule_changed_at: at, next_dose_at: at } };
}

/** The bottle in use has another user: what is open about it is looked at, and is theirs from now on. */
export function onHandedOver(user_id: string, at: Date): StateChange {
  const { lower, set } = onScheduleChange(at);
  return { lower: { ...lower, open_overdue_at: at, battery_low_at: at }, set: { ...set, user_id } };
}

/** Other reminders of doses hold: the doses are judged again, for the first of them. */
export function onRemindersChange(at: Date): StateChange {
  return { lower: { dose_due_at: at } };
}

/**
 * It left use: its doses are settled at once, and what was armed or followed is over. A change that is made again changes
 * nothing more.
 */
export function onLeftUse(life: NonNullable<BottleState['life']>, at: Date): StateChange {
  return {
    lower: { dose_due_at: at },
    set: { life, schedule_changed_at: at },
    clear: [
      'quiet',
      'silent_at',
      'alerted_silence',
      'silent_since',
      'silence_counts_from',
      'open_overdue_at',
      'alerted_opening',
      'open_alerted_for',
      'open_inhibited',
      'battery_low_at',
      'battery_low_since',
      'battery_percent',
      'dose_wait',
      'late',
      'low_supply',
      'next_dose_at',
    ],
  };
}

/** It came into use again: it is not known to report until it does. @param silentAfter milliseconds */
export function onUsedAgain(
  facts: Partial<Pick<BottleState, Fact>>,
  at: Date,
  silentAfter: number,
): StateChange {
  const { lower, set } = onScheduleChange(at);
  return {
    ...(lower && { lower }),
    set: {
      ...set,
      ...facts,
      quiet: 'never_heard',
      silent_at: new Date(at.getTime() + silentAfter),
      // a silence of before is another one
      silence_counts_from: at,
    },
    clear: ['life'],
  };
}

/**
 * A period without monitoring was entered, changed or removed: the doses from its beginning on are judged again, and a lid
 * that is left open is looked at again.
 */
export function onPeriodChange(from: Date, at: Date): StateChange {
  return {
    lower: { dose_due_at: at, open_overdue_at: at, judge_again_from: from < at ? from : at },
    set: { schedule_changed_at: at, next_dose_at: at },
  };
}

/** The same of a further bottle of its plan: the doses of the plan are judged again. */
export function onPlanPeriodChange(from: Date, at: Date): StateChange {
  return { lower: { dose_due_at: at, judge_again_from: from < at ? from : at } };
}

/** The next dose by the schedule; undefined if there is none. */
export function onNextDose(at: Date | undefined): StateChange {
  return at ? { set: { next_dose_at: at } } : { clear: ['next_dose_at'] };
}

/** The first report of the bottle. */
export function onFirstContact(at: Date): StateChange {
  return { set: { first_heard_at: at } };
}

/** The battery of the last heartbeat. */
export function onBattery(percent: number): StateChange {
  return { set: { battery_percent: Math.round(percent) } };
}

/** Somebody attested a dose, or withdrew what was attested: the check of doses looks at it at once. */
export function onAttestation(slot: Date, at: Date): StateChange {
  return { lower: { dose_due_at: at }, add: { attested_slots: [slot] } };
}

/**
 * A check failed on the bottle: the check's deadline is disarmed, and staff see the error (500 characters).
 *
 * @param deadline absent when it is an alert of the bottle that could not be read
 */
export function onQuarantine(
  deadline: DeadlineField | undefined,
  { check, error, at }: NonNullable<BottleState['set_aside']>,
): StateChange {
  return {
    set: { set_aside: { check, error: error.slice(0, 500), at } },
    ...(deadline && { clear: [deadline] }),
  };
}

/** The claim ends, and nothing else changes. */
export function unchanged({ _id }: BottleState): Release {
  return { id: _id, seen: {}, change: {} };
}

/**
 * A notifier was killed between the alert `bottle_silent` and the state, and the bottle has reported since: the state
 * learns of the alert, so that the next step ends it.
 *
 * @param since `last_heard_at` as the open alert has it; undefined when no alert is open.
 */
export function onOrphanedSilentAlert(state: BottleState, since: Date | undefined): Release {
  if (!since || !state.silent_at || state.alerted_silence) return unchanged(state);
  return judgeSilenceAgain(state, since);
}

/**
 * The bottle reports again. An opening whose alert the silence inhibited is checked when the backlog has had time to
 * arrive; if it was inhibited meanwhile, the silence ends at the next check.
 *
 * @param backlogGrace milliseconds
 */
export function onSilenceEnd(state: BottleState, seenAt: Date, backlogGrace: number): Release {
  const resume = state.open && state.open_inhibited;
  return {
    id: state._id,
    seen: { silent_since: state.silent_since, open_inhibited: state.open_inhibited },
    change: {
      clear: ['alerted_silence', 'silent_since', 'open_inhibited'],
      ...(resume && { set: { open_overdue_at: new Date(seenAt.getTime() + backlogGrace) } }),
    },
  };
}

/** Nothing is known of a bottle whose silence is due: it has never reported. */
export function onNeverSeen(state: BottleState): Release {
  return fromSilence(state, { clear: ['silent_at'] });
}

/** Part of the silence was a coverage gap of ours: it is checked again later. */
export function onSilencePostponed(state: BottleState, until: Date): Release {
  return fromSilence(state, { set: { silent_at: until } });
}

/** The silence does not count in a period without monitoring. @param until when it is checked again, and begins at the earliest */
export function onSilenceHeld(state: BottleState, until: Date): Release {
  return fromSilence(state, { set: { silent_at: until, silence_counts_from: until } });
}

/** The log has a later contact than the state. */
export function onContactFound(state: BottleState, at: Date, silentAfter: number): Release {
  return fromSilence(state, onContact(at, silentAfter));
}

/**
 * The bottle is silent. @param stands false when another alert, that the state does not know of, is in the way: the
 * next run ends that one first.
 */
export function onSilentAlert(state: BottleState, since: Date, stands: boolean): Release {
  if (!stands) return fromSilence(state, { set: { alerted_silence: 'over' } });
  return {
    ...fromSilence(state, {
      set: { alerted_silence: 'lasting', silent_since: since, quiet: 'silent' },
      clear: ['silent_at'],
    }),
    // it reported meanwhile: the next run ends the alert
    otherwise: { set: { alerted_silence: 'over', silent_since: since } },
  };
}

/** `bottle_silent` was raised when the claim had ended: it ends if the bottle has reported since. */
export function judgeSilenceAgain({ _id }: BottleState, since: Date): JudgeAgain {
  const change = { set: { alerted_silence: 'over', silent_since: since } } as const;
  return { id: _id, seen: { alerted_silence: undefined }, change };
}

function fromSilence({ _id, silent_at }: BottleState, change: StateChange): Release {
  return { id: _id, seen: { silent_at }, change };
}

/**
 * A notifier was killed between the alert `bottle_open` and the state, and the bottle was closed since: the state
 * learns of the alert, so that the next step ends it.
 *
 * @param openedAt the opening that the open alert is about; undefined when no alert is open.
 */
export function onOrphanedOpenAlert(state: BottleState, openedAt: Date | undefined): Release {
  if (!openedAt || state.alerted_opening) return unchanged(state);
  return judgeOpeningAgain(state, openedAt);
}

/** `bottle_open` was raised when the claim had ended: it ends if there is a newer action. */
export function judgeOpeningAgain({ _id }: BottleState, openedAt: Date): JudgeAgain {
  const change = { set: { alerted_opening: 'over', open_alerted_for: openedAt } } as const;
  return { id: _id, seen: { alerted_opening: undefined }, change };
}

/** The alert `bottle_open` is about the newest action. */
export function onStillOpen({ _id, last_action }: BottleState): Release {
  return { id: _id, seen: { last_action }, change: { set: { alerted_opening: 'lasting' } } };
}

/** A newer action has ended the alert `bottle_open`. */
export function onOpenAlertEnd({ _id, open_alerted_for }: BottleState): Release {
  const change: StateChange = { clear: ['alerted_opening', 'open_alerted_for'] };
  return { id: _id, seen: { open_alerted_for }, change };
}

/** By its count the bottle was closed, and that report was lost: nobody knows it to be open. */
export function onClosingLost({ _id, last_action }: BottleState): Release {
  const change: StateChange = {
    clear: ['open', 'open_overdue_at', 'alerted_opening', 'open_alerted_for'],
  };
  return { id: _id, seen: { last_action }, change };
}

/** The alert `bottle_open` stands. @param next when to look again whether a closing was lost */
export function onStillCountedOpen(state: BottleState, next: Date): Release {
  return fromOpening(state, { set: { open_overdue_at: next } });
}

/** A bottle whose opening is due is not open. */
export function onNotOpen(state: BottleState): Release {
  return fromOpening(state, { clear: ['open_overdue_at'] });
}

/**
 * A silent bottle is only "last known open": it is checked again when it reports. If its silence has ended meanwhile, that
 * is at once, since nothing else would arm the deadline again.
 */
export function onOpenInhibited(state: BottleState): Release {
  const { id, seen, change } = fromOpening(state, {
    set: { open_inhibited: true },
    clear: ['open_overdue_at'],
  });
  return { id, seen: { ...seen, alerted_silence: state.alerted_silence }, change };
}

/**
 * In a period without monitoring the lid says nothing. @param until when it is checked again; undefined if an alert ended:
 * the same opening raises no other
 */
export function onOpenHeld(state: BottleState, until: Date | undefined): Release {
  if (until) return onOpenPostponed(state, until);
  return fromOpening(state, { clear: ['open_overdue_at', 'alerted_opening', 'open_alerted_for'] });
}

/** It is not known whether the bottle was closed: it is checked again later. */
export function onOpenPostponed(state: BottleState, until: Date): Release {
  return fromOpening(state, { set: { open_overdue_at: until } });
}

/**
 * The bottle has been open for too long. @param stands false when another alert, that the state does not know of, is
 * in the way: the next run ends that one first. @param next when to look whether a closing was lost; undefined if the
 * opening has no count
 */
export function onOpenAlert(state: BottleState, openedAt: Date, stands: boolean, next?: Date): Release {
  if (!stands) return fromOpening(state, { set: { alerted_opening: 'over' } });
  return {
    ...fromOpening(state, {
      set: {
        alerted_opening: 'lasting',
        open_alerted_for: openedAt,
        ...(next && { open_overdue_at: next }),
      },
      clear: next ? [] : ['open_overdue_at'],
    }),
    // it was closed meanwhile: the next run ends the alert
    otherwise: { set: { alerted_opening: 'over', open_alerted_for: openedAt } },
  };
}

function fromOpening({ _id, open_overdue_at }: BottleState, change: StateChange): Release {
  return { id: _id, seen: { open_overdue_at }, change };
}

/** What a judgement of a bottle's doses means for its state. */
export interface JudgedState {
  /** Every slot before this has its outcome. */
  judged_until: Date;
  /** When to check again; absent when only a contact or a new schedule can change anything. */
  dose_due_at?: Date;
  /** A dose is late now. */
  late: boolean;
  /** A dose cannot be judged before the bottle reports. */
  awaiting_contact: boolean;
  /** `bottle_silent` is open because the bottle has never reported: its first report ends it. */
  neverReported: boolean;
  /** `bottle_silent` ended without a report: until when a silence does not count. */
  silenceHeldUntil?: Date | undefined;
  low_supply?: LowSupplyState;
}

/**
 * The doses were judged: arms the next check, unless something arrived meanwhile. Then the bottle is judged again.
 *
 * @param judged undefined for a bottle that is not in the registry.
 * @param handsOver whether the bottle is, or was, for the plan of another one, which waits for its contacts
 */
export function onDosesJudged(
  state: BottleState,
  judged: JudgedState | undefined,
  handsOver = false,
): Release {
  const { unjudged_removals, attested_slots, schedule_changed_at, judge_again_from, plan_report } = state;
  const { dose_due_at, last_action, last_heard_at, dose_wait } = state;
  const { late = false, awaiting_contact: waiting = false, silenceHeldUntil: held } = judged ?? {};
  return {
    id: state._id,
    seen: {
      unjudged_removals,
      attested_slots,
      schedule_changed_at,
      judge_again_from,
      plan_report,
      dose_due_at,
      last_action, // a refill
      ...(waiting || held || handsOver ? { last_heard_at } : {}),
      ...(handsOver ? { dose_wait } : {}),
    },
    change: {
      set: {
        ...(judged && { judged_until: judged.judged_until }),
        ...(judged?.dose_due_at && { dose_due_at: judged.dose_due_at }),
        ...(judged?.neverReported && { alerted_silence: 'lasting' as const }),
        ...(held && { silence_counts_from: held }),
        ...(held && last_heard_at && { silent_at: held }),
        ...(late && { late }),
        ...(waiting && { dose_wait: 'lasting' as const }),
        ...(judged?.low_supply && { low_supply: judged.low_supply }),
      },
      clear: [
        'unjudged_removals',
        'attested_slots',
        'schedule_changed_at',
        'judge_again_from',
        'plan_report',
        ...(held ? (['alerted_silence', 'silent_since'] as const) : []),
        ...(held && last_heard_at ? (['quiet'] as const) : []),
        ...(judged?.dose_due_at ? [] : (['dose_due_at'] as const)),
        ...(late ? [] : (['late'] as const)),
        ...(waiting ? [] : (['dose_wait'] as const)),
      ],
    },
  };
}

/**
 * A further bottle of the plan has reported: the doses of the plan are judged at once, with what was removed from it.
 *
 * @param report another one with each report that is handed over
 * @param again from when on its doses are judged again, if any are
 */
export function onPlanReport(
  removals: readonly UnjudgedRemoval[],
  report: Id,
  at: Date,
  again?: Date,
): StateChange {
  return {
    set: { plan_report: report },
    lower: { dose_due_at: at, ...(again && { judge_again_from: again }) },
    ...(removals.length > 0 && { add: { unjudged_removals: removals } }),
  };
}

/**
 * A dose of the plan cannot be judged before this further bottle of it reports: its next contact, or one that has come
 * meanwhile, is handed over.
 */
export function onPlanWaits({ _id, last_heard_at }: BottleState): Release {
  return {
    id: _id,
    seen: { last_heard_at },
    change: { set: { dose_wait: 'lasting' } },
    otherwise: { set: { dose_wait: 'over' } },
  };
}

/** Doses from this slot on were judged, and written when the claim had ended: they are judged again. */
export function judgeDosesAgain({ _id }: BottleState, from: Date, now: Date): JudgeAgain {
  return { id: _id, seen: {}, change: { lower: { dose_due_at: now, judge_again_from: from } } };
}

/** What a check concluded of a condition that it follows until it clears. */
export interface FollowedCondition {
  /** When to check again; undefined disarms the deadline. */
  next: Date | undefined;
  /** The cause of the alert that was raised for it; undefined while there is none. */
  cause: Date | undefined;
}

/** A condition was checked; if the bottle reported meanwhile, it is checked again at once. */
export function onConditionChecked(
  state: BottleState,
  fields: { deadline: DeadlineField; cause: CauseField },
  { next, cause }: FollowedCondition,
): Release {
  const { deadline } = fields;
  return {
    id: state._id,
    seen: { [deadline]: state[deadline], last_heard_at: state.last_heard_at },
    change: {
      set: { ...(next && { [deadline]: next }), ...(cause && { [fields.cause]: cause }) },
      clear: [...(next ? [] : [deadline]), ...(cause ? [] : [fields.cause])],
    },
  };
}

/** The alert of a condition was raised when the claim had ended: it is followed until it clears. */
export function judgeConditionAgain(
  { _id }: BottleState,
  { deadline, cause }: { deadline: DeadlineField; cause: CauseField },
  since: Date,
  now: Date,
): JudgeAgain {
  return { id: _id, seen: { [cause]: undefined }, change: { set: { [deadline]: now, [cause]: since } } };
}
