import type { DueDose } from '../generate/oracle/due-doses.js';
import { DAY, type DosePause, HOUR, MINUTE, SECOND } from '../generate/oracle/facts.js';
import type { DoseIntake } from '../generate/oracle/intakes.js';
import { knownAt } from '../facts/prescribed.js';
import { type BottleStory, periodsKnownAt } from '../facts/scenario-facts.js';
import { type About, CHECK_MS, isOpenEvent } from './about.js';
import {
  type Allowed,
  type AllowedFields,
  exactly,
  fields,
  matching,
  oneOf,
  optional,
  timeBetween,
  timeOf,
} from './allowed.js';
import { mayBeUnreported, unclearClosings } from './count-claims.js';
import { amountsUpTo } from './pill-amounts.js';

/** The outcome that goes with each end of `missed_dose`. */
const OUTCOMES: Record<string, string[]> = {
  missed: ['missed'],
  partial: ['partial'],
  corrected: ['partial'],
  summary: ['missed', 'partial'],
  unknown: ['unknown'],
  resolved: ['taken_late'],
  retracted: ['taken_early', 'taken_on_time', 'taken_late'],
};

/** The ends that say what became of the dose, as the bottle measured. */
const KNOWN = ['missed', 'partial', 'corrected', 'summary', 'resolved', 'retracted', 'not_taken_yet'];

/** The dose that an alert is about, as prescribed by the time of the message; undefined if there is none. */
export function doseOf(about: About): DueDose | undefined {
  const { facts, story, subject, at } = about;
  if (!story) return undefined;
  const isIt = (dose: DueDose): boolean => dose.at === Date.parse(subject);
  return facts.doses(story, at).find(isIt) ?? (periodOf(about) && facts.allDoses(story, at).find(isIt));
}

/** The period without monitoring in which the dose is due, as it is known by the time of the message. */
function periodOf({ story, subject, at }: About): DosePause | undefined {
  const due = Date.parse(subject);
  return periodsKnownAt(story?.pauses ?? [], at).find(({ from, to }) => from <= due && due < to);
}

/** What evidence may say of the period in which a dose was due, also if it was changed since. */
function period({ story, at }: About): Allowed {
  return periodOfThese(story!.pauses, at);
}

/** The same of a period of any bottle of the plan. */
function planPeriod({ facts, story, at }: About): Allowed {
  return periodOfThese(
    story!.bottlesOfPlan.flatMap((key) => facts.story(key)!.pauses),
    at,
  );
}

/**
 * When a period of a bottle of the plan was entered, changed or removed, a report of the dose's time came late, a count was
 * back, or somebody stated something, and the dose was judged again: up to the message.
 */
function judgedAgain(about: About, { lateAt, missedAt }: DueDose): Allowed {
  const { facts, story, at } = about;
  const late = story!.ofPlan.filter(({ time, known }) =>
    [lateAt, missedAt].some((end) => time <= end && end < known),
  );
  const counts = story!.bottlesOfPlan.map((key) => facts.story(key)!.counts);
  const back = counts.flatMap((own) =>
    own.filter(({ pills }, index) => pills > (own[index - 1]?.pills ?? pills)),
  );
  const changes = story!.bottlesOfPlan
    .flatMap((key) => facts.story(key)!.pauses)
    .flatMap(({ orderedAt, changedAt }) => [orderedAt, changedAt ?? Infinity])
    .concat(late.map(({ known }) => known))
    .concat(back.map((count) => count.at))
    .concat(statementsAbout(about).map((statement) => statement.at))
    // what was put back was not taken
    .concat(
      story!.ofPlan
        .filter(({ action, pillsTaken }) => action === 'closed' && pillsTaken === 0)
        .map(({ known }) => known),
    )
    .filter((change) => change <= at);
  return changes.length === 0 ? oneOf([]) : timeBetween(Math.min(...changes), at);
}

function periodOfThese(pauses: readonly DosePause[], at: number): Allowed {
  const known = pauses.filter(({ orderedAt }) => orderedAt <= at);
  return fields({
    reason: oneOf(known.map(({ reason }) => reason ?? 'pause')),
    at: optional(timeOf(...known.map(({ orderedAt }) => orderedAt))),
  });
}

/** What `missed_dose` may say, by the dose, what was removed of it and what people state. */
export function missedDose(about: About): AllowedFields {
  const { facts, story, event, at } = about;
  const dose = doseOf(about);
  if (!story || !dose)
    return { scheduled_at: { allows: () => false, text: 'a time at which a dose is due' } };
  const taken = takenOf(about);
  const outcomes = OUTCOMES[event];
  // what was a part at first is the whole dose in the end
  const ofWhole = event === 'resolved' || event === 'retracted';
  const isUnmonitored = event === 'retracted' && periodOf(about) !== undefined;
  const isStated = event.startsWith('reported_') || event === 'statement_withdrawn';
  const opened = openings(about);
  const bottles = story.bottlesOfPlan.map((key) => facts.story(key)!);
  return {
    // an unknown dose that was never late to anybody (DOSE-26)
    rule: oneOf(['late_after', 'silence_unseen', 'closing_lost', 'unclear_closing', 'plan_not_monitored']),
    scheduled_at: timeOf(dose.at),
    late_at: timeOf(dose.lateAt),
    missed_at: timeOf(dose.missedAt),
    pills_scheduled: exactly(dose.pills),
    period: isUnmonitored ? period(about) : optional(planPeriod(about)),
    judged_again_at:
      event === 'not_taken_yet' ? judgedAgain(about, dose) : optional(judgedAgain(about, dose)),
    pills_taken: isUnmonitored ? optional(exactly(0)) : pillsTaken(about),
    ...(!ofWhole && {
      part_taken_at: optional(timeOf(...taken.map(({ lastAt, wholeAt }) => (wholeAt ? undefined : lastAt)))),
    }),
    heard_at: optional(timeOf(...contactsOf(about).filter((each) => each >= dose.lateAt && each <= at))),
    open_since: optional(timeOf(...opened)),
    for_later_by: optional(oneOf(keptForLaterBy(about))),
    open_at_end_since: optional(timeOf(...opened)),
    // what is known of the dose stands for it
    ...(!isOpenEvent(event) &&
      !KNOWN.includes(event) && {
        ...mayBeUnreported(bottles, at),
        unclear_closing: optional(unclearClosings(bottles, at)),
      }),
    ...(outcomes && { outcome: oneOf(isUnmonitored ? ['not_monitored'] : outcomes) }),
    ...((isStated || event === 'closed_by_staff') && {
      outcome: optional(oneOf([...Object.values(OUTCOMES).flat(), 'not_monitored'])),
    }),
    ...((event === 'resolved' || event === 'retracted') &&
      !isUnmonitored && {
        taken_at: timeOf(...taken.map(({ wholeAt }) => wholeAt)),
      }),
    ...(!isOpenEvent(event) && { reported: isStated ? reported(about) : optional(reported(about)) }),
  };
}

/** What a reminder may say, by the dose, what was removed of it, and whether its bottles report. */
export function doseReminder(about: About): AllowedFields {
  const { facts, story, at } = about;
  const dose = doseOf(about);
  if (!story || !dose || at >= dose.lateAt)
    return { scheduled_at: { allows: () => false, text: 'a time at which a dose is due, and not late' } };
  const taken = takenOf(about);
  const contacts = story.bottlesOfPlan.map((key) =>
    facts.story(key)!.contacts.findLast((each) => each <= at),
  );
  // to the person who has it
  const isNew = (key: string, index: number): boolean => {
    const since = facts.handovers(key).findLast((handover) => handover.at <= at)?.at ?? 0;
    return (contacts[index] ?? -1) < since;
  };
  const silent = contacts.filter(
    (last) => last !== undefined && at - last >= facts.span('SILENT_BOTTLE_AFTER'),
  );
  return {
    rule: exactly('remind'),
    scheduled_at: timeOf(dose.at),
    late_at: timeOf(dose.lateAt),
    pills_scheduled: exactly(dose.pills),
    pills_taken: pillsTaken(about),
    part_taken_at: optional(timeOf(...taken.map(({ lastAt, wholeAt }) => (wholeAt ? undefined : lastAt)))),
    // a mail names whole seconds
    offline_since: optional(timeOf(...silent.flatMap((last) => [last, last! - (last! % SECOND)]))),
    never_reported: optional(oneOf(story.bottlesOfPlan.some(isNew) ? [true] : [])),
  };
}

/** What `help_requested` may say: its dose, and a person of the plan. */
export function helpRequested({ facts, story, at }: About): AllowedFields {
  return {
    rule: exactly('asked'),
    scheduled_at: timeOf(...facts.allDoses(story!, at).map((dose) => dose.at)),
    asked_by: matching(/^(user|[a-z0-9_-]+)$/),
  };
}

/** When the first reminder of the dose is due, by the contact of its user when it was raised. */
export function firstReminderAt({ facts, story, subject, raisedAt }: About): number | undefined {
  const user = facts.userOf(story, raisedAt)!;
  const policy = facts.contactBody(user, raisedAt)?.['escalation'];
  const steps = Array.isArray(policy) ? (policy as { remind?: string }[]) : [];
  const offsets = steps.flatMap(({ remind }) => {
    const [, sign, count, unit] = /^(-?)(\d+)([smh])$/.exec(remind ?? '') ?? [];
    if (unit === undefined) return [];
    return (sign ? -1 : 1) * Number(count) * { s: SECOND, m: MINUTE, h: HOUR }[unit as 's' | 'm' | 'h'];
  });
  return Date.parse(subject) + Math.min(...offsets);
}

/** When the bottles of the plan were in contact. */
function contactsOf({ facts, story }: About): number[] {
  return story!.bottlesOfPlan.flatMap((key) => facts.story(key)!.contacts);
}

/** What can have been known to be taken of the dose when the message was composed. */
function takenOf({ facts, story, subject, event, at, queuedAt, endedAt, raisedAt }: About): DoseIntake[] {
  // a closing says nothing of the dose: what was known before a check looked stands in its evidence (ALERT-6)
  const composedAt = event === 'closed_by_staff' ? raisedAt : Math.min(endedAt ?? queuedAt, queuedAt);
  // nothing is known before the scenario begins
  const from = Math.max(composedAt - CHECK_MS, +facts.scenario.start);
  const moments = [
    from,
    ...[
      ...story!.ofPlan.map(({ known }) => known),
      ...story!.pauses.flatMap(({ orderedAt, changedAt = orderedAt }) => [orderedAt, changedAt]),
      ...facts.handovers(story!.spec.key).map((handover) => handover.at),
    ].filter((known) => from < known && known <= at),
  ];
  return [...new Set(moments)].flatMap((moment) =>
    facts.intakes(story!, moment).intakes.filter(({ dose }) => dose.at === Date.parse(subject)),
  );
}

/** When the bottle was opened and, as far as was known then, not closed again. */
function openings({ story, raisedAt, at }: About): number[] {
  return story!.actions
    .filter(({ action, known }) => action === 'opened' && known <= at)
    .filter(
      (opening) =>
        !story!.actions.some(
          ({ action, time, known }) =>
            action === 'closed' && opening.time <= time && time <= raisedAt && known <= raisedAt,
        ),
    )
    .map(({ time }) => time);
}

/** What people state of the dose; whose word it is, when, and what they add. */
function reported(claimed: About): Allowed {
  const { facts, story, subject, event, at } = claimed;
  const about = facts.scenario.events.flatMap((each) => {
    if (each.type !== 'staff' || each.at.getTime() > at || each.action.bottle !== story!.spec.key) return [];
    const { action } = each;
    if (action.action !== 'attest' && action.action !== 'withdraw') return [];
    return Date.parse(action.scheduled_at) === Date.parse(subject) ? [{ at: each.at.getTime(), action }] : [];
  });
  const bodies = about.flatMap(({ action }) => (action.action === 'attest' ? [action.body] : []));
  const pressed = pressedAbout(claimed);
  const optionalOf = (name: string, value: (text: string) => unknown = (text) => text): Allowed =>
    optional(
      oneOf(bodies.flatMap((body) => (body[name] === undefined ? [] : [value(body[name] as string)]))),
    );
  const settled = event === 'statement_withdrawn' ? ['withdrawn'] : [event.replace('reported_', '')];
  return fields({
    settled:
      isOpenEvent(event) || !event.includes('_') ? oneOf(['taken', 'skipped', 'withdrawn']) : oneOf(settled),
    by: oneOf([
      STAFF,
      ...bodies.map(({ attested_by: by }) => ATTESTORS[String(by)] ?? STAFF),
      ...(pressed.length > 0 ? ['the patient', 'the carer'] : []),
    ]),
    at: timeOf(...[...about, ...pressed].map((each) => each.at)),
    entry: matching(/^[0-9a-f]{24}$/),
    was: optional(oneOf(['taken', 'skipped'])),
    taken_at: optionalOf('taken_at', (text) => new Date(text).toISOString()),
    reason: optional(
      oneOf([
        ...bodies.flatMap(({ reason }) => reason ?? []),
        ...pressed.flatMap(({ button }) => /^skipped-(.*)$/.exec(button)?.[1] ?? []),
      ]),
    ),
  });
}

/** What people answered by a link about a dose by a moment. */
function pressedAbout({ facts, story, subject, at }: About): { at: number; button: string }[] {
  return facts.scenario.events.flatMap((each) => {
    if (each.type !== 'press' || each.at.getTime() > at) return [];
    const { bottle, button, scheduled_at } = each.press;
    const isAbout = bottle === story!.spec.key && Date.parse(scheduled_at ?? '') === Date.parse(subject);
    return isAbout ? [{ at: each.at.getTime(), button }] : [];
  });
}

/** What was removed of a dose; nothing of one that was removed for later. */
const pillsTaken = (about: About): Allowed =>
  oneOf([...takenOf(about).map(({ pills }) => pills), ...keptForLaterBy(about).map(() => 0)]);

/** Whose word it is that the dose was removed for later (ATTEST-14). */
export function keptForLaterBy(about: About): string[] {
  return statementsAbout(about).flatMap(({ body }) =>
    body['kind'] === 'not_taken' ? [ATTESTORS[String(body['attested_by'])] ?? STAFF] : [],
  );
}

/** What staff have stated of a dose by the time of the message. */
function statementsAbout({
  facts,
  story,
  subject,
  at,
}: About): { at: number; body: Record<string, unknown> }[] {
  return facts.scenario.events.flatMap((each) => {
    if (each.type !== 'staff' || each.action.action !== 'attest' || each.at.getTime() > at) return [];
    const { bottle, scheduled_at, body } = each.action;
    const isAbout = bottle === story!.spec.key && Date.parse(scheduled_at) === Date.parse(subject);
    return isAbout ? [{ at: each.at.getTime(), body }] : [];
  });
}

/** The name of the only member of staff, and whose word staff pass on. */
const STAFF = 'ADMIN_TOKEN';
const ATTESTORS: Record<string, string> = {
  user: `the patient (recorded by ${STAFF})`,
  carer: `the carer (recorded by ${STAFF})`,
};

/** What `extra_dose` may say, by the removals of its moment and the doses around it. */
export function extraDose(
  { facts, story, event, at, raisedAt }: About,
  shown: Record<string, unknown>,
): AllowedFields {
  if (!story) return {};
  const removedAt = Date.parse(String(shown['removed_at']));
  const removals = story.ofPlan.filter(({ pillsTaken, known }) => pillsTaken > 0 && known <= at);
  const together = removals.filter(({ time }) => time === removedAt);
  const pills = together.reduce((sum, { pillsTaken }) => sum + pillsTaken, 0);
  const surplusAt = (moment: number) =>
    facts.intakes(story, moment).surplus.filter(({ time }) => time === removedAt);
  // what another schedule made a dose was extra when the alert was raised
  const surpluses = [surplusAt(raisedAt), surplusAt(at)];
  const all = Math.max(...surpluses.map((each) => each.reduce((sum, { pills }) => sum + pills, 0)));
  const isBeside = surpluses.flat().some(({ dueThen }) => dueThen);
  // a period or a schedule may have been entered within the second that a mail names
  const moments = together.map(({ happenedAt }) => happenedAt);
  // what was stated of a dose makes the pills extra that a dose takes
  const isStated = shown['rule'] === 'taken_elsewhere' || shown['rule'] === 'skipped_on_advice';
  const last = facts.doses(story, at).findLast((dose) => dose.at <= removedAt);
  // a bottle that left use since it was raised has no doses any more
  const planned = [facts.allDoses(story, raisedAt), facts.allDoses(story, at)].map((all) =>
    all.filter((dose) => dose.at > removedAt),
  );
  const nexts = planned.flatMap(([next]) => next ?? []);
  return {
    rule: oneOf(moments.flatMap((moment) => rulesOf(facts, story, moment, at, isBeside))),
    removed_at: timeOf(...removals.map(({ time }) => time)),
    // some of them may be what the last dose lacked
    extra_pills: oneOf(amountsUpTo(isStated ? pills : all)),
    // of all alerts of the moment
    pills_in_all: optional(oneOf(amountsUpTo(isStated ? pills : all))),
    removals: optional(oneOf(together.map((_, index) => index + 1))),
    last_dose_at: optional(timeOf(last?.at)),
    next_dose_at: optional(timeOf(...nexts.map((dose) => dose.at))),
    is_rare: optional(exactly(true)),
    pillbox_until: optional(timeOf(...planned.flat().flatMap((dose) => [dose.at, dose.missedAt]))),
    asks_pillbox: optional(exactly(true)),
    not_monitored: optional(reasonKnown(story, event === 'retracted' ? [at] : moments)),
    ...(event === 'resolved' && { put_back_at: timeOf(...putBack(story, removedAt, at)) }),
    // as a mail has them
    last_dose_before: optional(oneOf(last ? spansOf(removedAt - last.at) : [])),
    next_dose_after: optional(oneOf(nexts.flatMap((dose) => spansOf(dose.at - removedAt)))),
  };
}

/** Why the bottle was not monitored, as it was known at some moment. */
function reasonKnown({ pauses }: BottleStory, moments: readonly number[]): Allowed {
  return oneOf(moments.flatMap((moment) => periodsKnownAt(pauses, moment).map(({ reason }) => reason)));
}

/** When pills of a removal may have been put back into its bottle: within 30 minutes, before the next (DOSE-41). */
function putBack({ ofPlan }: BottleStory, removedAt: number, at: number): number[] {
  const known = ofPlan.filter((one) => one.known <= at);
  const own = known.filter(({ time, pillsTaken }) => time === removedAt && pillsTaken > 0);
  return own.flatMap(({ bottle }) => {
    const after = known.filter((one) => one.bottle === bottle && removedAt < one.time);
    const next = Math.min(...after.filter(({ pillsTaken }) => pillsTaken > 0).map(({ time }) => time));
    return after
      .filter(({ action, time }) => action === 'closed' && time <= removedAt + 30 * MINUTE && time < next)
      .map(({ time }) => time);
  });
}

/** How a mail writes a span: `5 h`, `11 h 30 min`, `4 days`. It knows the milliseconds that the times leave out. */
function spansOf(span: number): string[] {
  return [span, Math.max(0, span - SECOND), span + SECOND].map((ms) => {
    if (ms >= 2 * DAY) return `${Math.round(ms / DAY)} days`;
    const [hours, minutes] = [Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE)];
    return [
      ...(hours > 0 ? [`${hours} h`] : []),
      ...(minutes > 0 || hours === 0 ? [`${minutes} min`] : []),
    ].join(' ');
  });
}

/**
 * Why pills that were removed at a moment can be beyond the plan (DOSE-29 to DOSE-37, ATTEST).
 *
 * @param isBeside whether some dose could be taken then
 */
function rulesOf(
  facts: About['facts'],
  story: BottleStory,
  removedAt: number,
  at: number,
  isBeside: boolean,
): string[] {
  const stated = facts.scenario.events.flatMap((event) => {
    if (event.type !== 'staff' || event.action.action !== 'attest') return [];
    if (event.action.bottle !== story.spec.key || event.at.getTime() > at) return [];
    const { source, reason } = event.action.body;
    return [
      ...(source === 'elsewhere' ? ['taken_elsewhere'] : []),
      ...(reason === 'doctors_advice' ? ['skipped_on_advice'] : []),
    ];
  });
  const unmonitored = periodsKnownAt(story.pauses, removedAt).find(
    ({ from, to }) => from <= removedAt && removedAt < to,
  );
  // in the window of a dose they are beyond it (DOSE-29)
  if (unmonitored && !isBeside)
    return [...stated, (unmonitored.reason ?? 'pause') === 'pause' ? 'schedule_paused' : 'not_monitored'];
  const plan = knownAt(story.prescriptions, removedAt).findLast(({ from }) => from <= removedAt)?.plan;
  const isOver = plan?.until !== undefined && dateAt(removedAt, plan.zone) > plan.until;
  if (plan?.kind === 'as_needed' && !isOver) return [...stated, 'over_daily_limit', 'under_min_interval'];
  if (isBeside) return [...stated, 'beyond_dose'];
  return [
    ...stated,
    ...(facts.hasDoseAfter(story, removedAt, at) ? ['too_early', 'several_doses'] : []),
    // a step may have been planned since
    ...(facts.hasDoseAfter(story, removedAt, removedAt) ? [] : ['schedule_ended']),
  ];
}

/** `YYYY-MM-DD` in a zone. */
function dateAt(at: number, timeZone: string): string {
  // Swedish writes dates as ISO 8601 does
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);
}

/** What `coverage_gap` may say of a dose in it. */
export function doseInGap(about: About, gaps: readonly { from: number; to: number }[]): AllowedFields {
  const dose = doseOf(about);
  if (!dose) return { scheduled_at: { allows: () => false, text: 'a time at which a dose is due' } };
  const around = gaps.filter(({ from, to }) => dose.at < to && dose.missedAt >= from);
  const taken = takenOf(about);
  const isTaken = about.event === 'retracted';
  return {
    rule: exactly('coverage_grace'),
    scheduled_at: timeOf(dose.at),
    pills_scheduled: exactly(dose.pills),
    from: timeOf(...around.map(({ from }) => from)),
    until: timeOf(...around.map(({ to }) => to)),
    ...(isTaken && {
      outcome: oneOf(OUTCOMES['retracted']!),
      pills_taken: oneOf(taken.map(({ pills }) => pills)),
      taken_at: timeOf(...taken.map(({ wholeAt }) => wholeAt)),
    }),
  };
}

/** When somebody stated by the link of a mail that no pills are left: that is sent before the dose is late (ATTEST-17). */
export function ranOutAt(about: About): number | undefined {
  const { facts, story, kind, at } = about;
  const dose = doseOf(about);
  if (kind !== 'missed_dose' || !dose) return undefined;
  const stated = facts.scenario.events.find(
    (event) =>
      event.type === 'press' &&
      event.at.getTime() <= at &&
      event.press.bottle === story?.spec.key &&
      Date.parse(event.press.scheduled_at ?? '') === dose.at &&
      event.press.button === 'skipped-ran_out',
  );
  return stated?.at.getTime();
}
