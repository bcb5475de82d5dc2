import {
  type BottleFacts,
  DAY,
  type DosePlan,
  type ExpectedAlert,
  type ExpectedEnd,
  type ExpectedFacts,
  HOUR,
  MINUTE,
  type KnownAction,
  type Outcome,
} from './facts.js';
import { type DueDose, dueDoses } from './due-doses.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { isWithin, periodsKnownAt, removalIn } from './periods.js';
import { matchRemovals, type DoseIntake, type Surplus } from './intakes.js';
import type { EndedDose } from './row-watch.js';
import type { SilenceWatch } from './silence-watch.js';
import type { DeafGap } from './service-gaps.js';
import { settledAt, type SettledDose, standingAt, type StatementFact } from './statements.js';
import type { WallClocks } from './wall-clock.js';

/** A dose whose end is further back is sent in a summary. */
const SUMMED_UP_AFTER = DAY;
/** Of pills that were removed earlier nobody is notified. */
const RECENT = 7 * DAY;
/** Pills that are in the bottle again so soon were put back. */
const PUT_BACK_WITHIN = 30 * MINUTE;

/** One dose under observation. */
interface Watched {
  taking: DoseIntake;
  outcome?: Outcome;
  /** As people are notified of it. */
  shown?: Outcome | undefined;
  alert?: ExpectedAlert;
  /** By which it was unconfirmed after a gap of ours. */
  ofGap?: ExpectedAlert;
  /** That it is unknown, if that is its last end. */
  unknownEnd?: ExpectedEnd | undefined;
  late: boolean;
  /** What was sent of its measured outcome when its alert ended, or was corrected. */
  measured?: EndEvent;
  /** How many pills of it were taken then. */
  pillsAtEnd?: number;
  /** What was sent last of what people say. */
  stated?: 'taken' | 'skipped' | 'withdrawn';
  /** How many statements about it were known at the last check. */
  statements?: number;
  /** A silence has come to hide it. */
  isHidden?: boolean;
  /** It is unknown, and neither is anybody notified of it nor of a silence that would say so. */
  isUnsent?: boolean;
  /** When it proved to be not monitored, before it was in no period any more. */
  leftAt?: number;
  /** A backlog may still complete what it has begun to tell. */
  unsettled: boolean;
}

/** Pills taken since a dose that are none of it. */
interface PillsSince {
  /** What the dose lacked, taken after its end. */
  madeUp: number;
  beyond: number;
}

/** Judges a bottle's doses again at every tick, and records the alerts that must be raised. */
export class DosesWatch {
  readonly alerts: ExpectedAlert[] = [];
  private doses: DueDose[] = [];
  readonly unclear: string[] = [];
  private watched = new Map<number, Watched>();
  /** The doses that are not monitored and were watched before. */
  private readonly left = new Map<number, Watched>();
  private readonly reported = new Set<number>();
  /** The alerts of pills beyond the plan, by the time of their removal, that nothing has ended yet. */
  private readonly extra = new Map<number, { alert: ExpectedAlert; byLimit: boolean }>();
  private readonly settled = new Set<DeafGap>();
  private readonly statements = new Map<number, StatementFact[]>();

  /** @param dosesKnownAt the doses as prescribed by then */
  constructor(
    private readonly facts: BottleFacts,
    private readonly knowledge: Knowledge,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    private readonly walls: WallClocks,
    private readonly silence: Pick<
      SilenceWatch,
      'openAlert' | 'wasSilentAt' | 'raiseNeverReported' | 'isRaisedAt'
    >,
    private readonly gaps: readonly DeafGap[],
  ) {
    for (const statement of facts.statements) {
      const about = this.statements.get(statement.dose);
      if (about) about.push(statement);
      else this.statements.set(statement.dose, [statement]);
    }
  }

  /** Whether a dose is late and its alert is open. */
  get isLate(): boolean {
    return [...this.watched.values()].some(({ late }) => late);
  }

  /** What is known to be taken of a dose. */
  pillsTaken(dose: number): number {
    return this.watched.get(dose)?.taking.pills ?? 0;
  }

  get outcomes(): Map<number, Outcome> {
    return new Map(
      [...this.watched].flatMap(([at, { outcome }]) => (outcome === undefined ? [] : [[at, outcome]])),
    );
  }

  /** The doses that are over by now, or about which somebody has stated what became of them, in order. */
  ended(now: number): EndedDose[] {
    return [...this.watched].flatMap(([at, { shown }]) => {
      const isSettled = settledAt(this.statementsAbout(at), now) !== undefined;
      if (!shown && !isSettled) return [];
      const isMissed = shown && shown !== 'unknown' ? shown === 'missed' : undefined;
      return [{ at, isMissed, isSettled }];
    });
  }

  tick(now: number): void {
    // what is known at that moment is what was judged before
    for (const gap of this.gaps) if (gap.settledAt <= now && !this.settled.has(gap)) this.settleGap(gap);
    const doses = this.dosesKnownAt(now);
    const removals = this.knowledge.actions
      .filter(({ pillsTaken }) => pillsTaken > 0)
      .map((removal) => ({ ...removal, ...this.openingOf(removal) }));
    const isRecent = this.knowledge.fresh.length > 0 || doses !== this.doses;
    if (isRecent) {
      const before = this.watched;
      const isReplanned = doses !== this.doses;
      this.doses = doses;
      const { intakes, surplus } = matchRemovals(doses, removals);
      this.watched = new Map(
        intakes.map((taking) => [
          taking.dose.at,
          {
            late: false,
            unsettled: false,
            ...(before.get(taking.dose.at) ?? this.returned(taking, now)),
            taking,
          },
        ]),
      );
      if (isReplanned) for (const watched of before.values()) this.leave(watched, now);
      const since = new Map<number, PillsSince>();
      const beyond = new Set<number>();
      for (const each of surplus) {
        const found = this.beyondPlan(each, since, now);
        if (found) beyond.add(each.time);
        const returnedAt = found && this.returnedAt(each.time, found.pills);
        if (returnedAt !== undefined) this.endExtraDose(each.time, now, 'resolved', returnedAt);
        else if (found) this.raiseExtraDose(each.time, now, found.urgency);
      }
      // a report that came late says for which dose they were
      for (const [time, { byLimit }] of this.extra)
        if (!byLimit && !beyond.has(time)) this.endExtraDose(time, now, 'retracted');
      for (const time of this.overLimit(surplus)) this.raiseExtraDose(time, now, 'wakes', true);
    }
    for (const watched of this.watched.values()) {
      if (watched.isUnsent) this.sendUnknown(watched, now);
      const { taking, outcome, unsettled } = watched;
      // a final outcome changes only with new reports
      if (now < taking.dose.lateAt && taking.wholeAt === undefined) continue;
      const known = this.statementsAbout(taking.dose.at).filter(({ at }) => at <= now).length;
      const isStated = known !== (watched.statements ?? 0);
      watched.statements = known;
      if (outcome === undefined || unsettled || isRecent || isStated) this.check(watched, now, isStated);
    }
  }

  /** A dose that proves to be in a period: whoever was notified of it is sent that it is not monitored (PERIOD-2). */
  private leave(watched: Watched, now: number): void {
    const { alert, ofGap, taking } = watched;
    const { at } = taking.dose;
    if (this.watched.has(at) || !isWithin(periodsKnownAt(this.facts.pauses, now), at)) return;
    const end: ExpectedEnd = { at: now, event: 'retracted', facts: { texts: { outcome: 'not_monitored' } } };
    if (alert && alert.ends.at(-1)?.event !== 'retracted') alert.ends.push(end);
    if (!alert && ofGap?.ends.length === 1) ofGap.ends.push(end);
    this.left.set(at, { ...watched, leftAt: now });
  }

  /** A dose that is in no period any more has the outcome that the reports say (PERIOD-3). */
  private returned({ dose }: DoseIntake, now: number): Partial<Watched> | undefined {
    const watched = this.left.get(dose.at);
    if (!watched) return undefined;
    this.left.delete(dose.at);
    const { alert, ofGap, leftAt = now } = watched;
    // who was sent what of it is open while its steps last, and before it was missed
    if (ofGap || (alert && leftAt < dose.missedAt + 6 * HOUR))
      this.unclear.push(`a dose is monitored again, ${new Date(dose.at).toISOString()}`);
    return { ...(alert && { alert }), leftAt };
  }

  /** When the bottle was opened for a removal: by the last thing before it, if that was an opening. */
  private openingOf({ time }: KnownAction): { openedAt?: number } {
    const before = this.knowledge.actions
      .filter((other) => other.time < time || (other.time === time && other.action === 'opened'))
      .sort((one, other) => one.time - other.time)
      .at(-1);
    return before?.action === 'opened' ? { openedAt: before.time } : {};
  }

  /** People are notified of the doses in a gap of ours that nothing has settled by then. */
  private settleGap(gap: DeafGap): void {
    this.settled.add(gap);
    const seen = this.facts.contacts.findLast((contact) => contact <= gap.settledAt);
    if (seen === undefined || this.silence.wasSilentAt(gap.from)) return;
    for (const watched of this.watched.values()) {
      const { taking, outcome } = watched;
      const isUnknown = outcome === 'unknown' || (outcome === undefined && seen < gap.to);
      if (watched.ofGap || !isUnknown || !isLeftBy(gap, taking.dose)) continue;
      if (settledAt(this.statementsAbout(taking.dose.at), gap.settledAt) !== undefined) continue;
      watched.ofGap = this.raise('coverage_gap', gap.settledAt, aboutDose(watched));
      watched.ofGap.ends.push({ at: gap.settledAt, event: 'unconfirmed' });
      if (watched.unknownEnd?.gap) watched.unknownEnd.gap.alert = watched.ofGap;
    }
  }

  private statementsAbout(dose: number): readonly StatementFact[] {
    return this.statements.get(dose) ?? [];
  }

  private check(watched: Watched, now: number, isStated: boolean): void {
    const measured = this.judge(watched.taking, now);
    const isForLater = this.isForLater(watched.taking, measured, now);
    const found = isForLater ? unlessTaken(watched.taking.dose, now) : measured;
    const settled = settledAt(this.statementsAbout(watched.taking.dose.at), now);
    watched.late = found === 'late' && settled === undefined;
    watched.unsettled = found === 'waiting' || (isForLater && found === 'late');
    watched.shown = found === 'waiting' || found === 'late' ? undefined : found;
    if (found === 'waiting' || found === 'late') {
      if (watched.alert) this.settle(watched, watched.alert, undefined, settled, now);
      else if (watched.late) watched.alert = this.raise('missed_dose', now, aboutDose(watched));
      return;
    }
    const isFirst = watched.outcome === undefined;
    // what was measured stays
    watched.outcome = isForLater ? (measured as Outcome) : found;
    if (found === 'unknown' && settled === undefined && this.hasNeverReported(watched.taking.dose))
      this.silence.raiseNeverReported(now);
    if (found === 'unknown' && settled === undefined) this.hide(watched, now);
    watched.isUnsent = isFirst && found === 'unknown' && this.knowledge.lastContact !== undefined;
    if (watched.isUnsent) this.sendUnknown(watched, now);
    const isToSend = (found === 'missed' && (isFirst || isStated)) || found === 'partial';
    if (isToSend && settled === undefined)
      watched.alert ??= this.raise('missed_dose', now, aboutDose(watched));
    this.correctGap(watched, watched.outcome, now);
    if (watched.alert) this.settle(watched, watched.alert, found, settled, now);
  }

  /** Whether the pills of a dose that was measured were removed for later, and none since (ATTEST-14). */
  private isForLater({ dose }: DoseIntake, measured: Outcome | 'late' | 'waiting', now: number): boolean {
    const statement = standingAt(this.statementsAbout(dose.at), now);
    if (statement?.what !== 'not_taken') return false;
    if (measured !== 'partial' && !measured.startsWith('taken')) return false;
    return !this.knowledge.actions.some(
      ({ time, pillsTaken }) => pillsTaken > 0 && statement.at < time && time <= dose.missedAt,
    );
  }

  /** A silence that lasts names a dose that was not late when it was raised, and that nobody can confirm. */
  private hide(watched: Watched, now: number): void {
    const { dose } = watched.taking;
    const silence = this.silence.openAlert;
    if (!silence || watched.isHidden || dose.missedAt < (this.knowledge.lastContact ?? -Infinity)) return;
    watched.isHidden = true;
    if (dose.lateAt > silence.raisedAt) (silence.hidesSince ??= []).push(now);
  }

  /** An unknown dose is sent when the bottle is back for a while, unless a silence or a gap of ours is sent instead. */
  private sendUnknown(watched: Watched, now: number): void {
    const { dose } = watched.taking;
    const isSentOtherwise =
      watched.outcome !== 'unknown' ||
      watched.alert !== undefined ||
      this.silence.isRaisedAt(now) ||
      this.gaps.some((gap) => isLeftBy(gap, dose)) ||
      settledAt(this.statementsAbout(dose.at), now) !== undefined ||
      now - dose.missedAt > DAY;
    if (isSentOtherwise) watched.isUnsent = false;
    else if (this.knowledge.hasReportedSince(dose.missedAt)) {
      watched.isUnsent = false;
      watched.alert = this.raise('missed_dose', now, aboutDose(watched));
      watched.alert.isUnseen = true;
      watched.alert.ends.push({ at: now, event: 'unknown' });
      this.remember(watched, 'unknown');
    }
  }

  /** Whether the bottle has never reported, though we had listened for long enough when the dose ended. */
  private hasNeverReported({ missedAt }: DueDose): boolean {
    const registeredAt = this.facts.prescriptions[0]!.from;
    return (
      this.knowledge.lastContact === undefined && this.knowledge.listened(registeredAt, missedAt) >= SILENCE
    );
  }

  /** What was unconfirmed has an outcome: of a dose that was taken nobody is notified otherwise. */
  private correctGap({ ofGap, alert }: Watched, outcome: Outcome, now: number): void {
    if (!ofGap || ofGap.ends.length > 1 || outcome === 'unknown') return;
    const isTaken = outcome !== 'missed' && outcome !== 'partial';
    ofGap.ends.push({
      at: now,
      ...(isTaken && !alert && { event: 'retracted' as const, facts: { texts: { outcome } } }),
    });
  }

  /** The gap of ours whose doses are not settled yet, or that left this dose unconfirmed. */
  private gapOf({ taking, ofGap }: Watched, now: number): ExpectedEnd['gap'] {
    const gap = this.gaps.find((each) => isIn(each, taking.dose) && each.to <= now && now <= each.settledAt);
    if (!gap && !ofGap) return undefined;
    // the alert may be raised later
    return { settledAt: gap?.settledAt ?? now, ...(ofGap && { alert: ofGap }) };
  }

  private judge({ dose, pills, wholeAt, knownAt }: DoseIntake, now: number): Outcome | 'late' | 'waiting' {
    if (wholeAt !== undefined) {
      if (wholeAt < dose.at) return 'taken_early';
      return wholeAt <= dose.lateAt ? 'taken_on_time' : 'taken_late';
    }
    if (now >= dose.missedAt) {
      const { before, after } = this.knowledge.around(dose.missedAt);
      const isHidden =
        before === undefined ||
        (after === undefined
          ? this.knowledge.listened(before, now) >= SILENCE
          : this.knowledge.listened(before, after) > SILENCE);
      if (isHidden) {
        // a part that was reported after the end shows that the bottle kept what it had to report
        if (knownAt <= dose.missedAt || after === undefined) return 'unknown';
        return this.knowledge.hasReportedSince(dose.missedAt) ? 'partial' : 'waiting';
      }
      if (this.knowledge.hasReportedSince(dose.missedAt)) return pills > 0 ? 'partial' : 'missed';
    }
    return this.knowledge.hasReportedSince(dose.lateAt) ? 'late' : 'waiting';
  }

  /** The removals of pills as needed after which more than the limit was taken within 24 hours. */
  private overLimit(surplus: readonly Surplus[]): number[] {
    const asNeeded = (time: number): DosePlan | undefined => {
      const plan = this.facts.prescriptions.findLast(({ from }) => from <= time)?.plan;
      return plan?.kind === 'as_needed' ? plan : undefined;
    };
    const counted = surplus.filter(({ time, dueThen }) => !dueThen || asNeeded(time));
    return counted.flatMap(({ time }) => {
      const plan = asNeeded(time);
      if (!plan) return [];
      const ofDay = counted.filter((other) => time - DAY <= other.time && other.time <= time);
      const together = ofDay.filter((other) => time - plan.minInterval < other.time);
      const isOver = pillsOf(ofDay) > plan.maxPerDay * plan.pills;
      const isSoon = plan.minInterval > 0 && pillsOf(together) > plan.pills;
      return isOver || isSoon ? [time] : [];
    });
  }

  /**
   * Whether pills that no dose takes are beyond the plan: beside a whole dose, or when no dose could be taken, unless they
   * are what the last dose lacks. What was prescribed, or paused, only later does not count. The first single dose since
   * the last one waits for the end of quiet hours, unless doses are a week apart.
   *
   * @param since what was taken since a dose that is none of it, by its time
   */
  private beyondPlan(
    { time, pills, dueThen }: Surplus,
    since: Map<number, PillsSince>,
    now: number,
  ): { urgency: 'wakes' | 'waits'; pills: number } | undefined {
    const prescribed = this.facts.prescriptions.filter(({ from }) => from <= time);
    const pauses = periodsKnownAt(this.facts.pauses, now).filter(
      ({ from, orderedAt }) => from <= time && orderedAt <= time,
    );
    const inPeriod = removalIn(this.facts.pauses, time, now);
    if (inPeriod === 'explained') return undefined;
    const plan = prescribed.at(-1)?.plan;
    const last = this.doses.findLast(({ at }) => at <= time);
    const before = (last && since.get(last.at)) ?? { madeUp: 0, beyond: 0 };
    const wakes = (extra = pills): { urgency: 'wakes'; pills: number } => {
      if (last) since.set(last.at, { ...before, beyond: before.beyond + pills });
      return { urgency: 'wakes', pills: extra };
    };
    if (dueThen) return plan?.kind === 'as_needed' ? undefined : wakes();
    if (!plan) return undefined;
    if (inPeriod === 'extra') return wakes();
    if (plan.kind === 'as_needed') return undefined;
    const around = dueDoses(prescribed, pauses, { from: time - 8 * DAY, to: time + 16 * DAY }, this.walls);
    const open = around.find(({ opens, missedAt }) => opens <= time && time <= missedAt);
    if (open) return pills > open.pills ? wakes(pills - open.pills) : undefined;
    const lacks = last ? last.pills - this.pillsTaken(last.at) - before.madeUp : 0;
    const made = Math.min(pills, lacks);
    if (last) since.set(last.at, { madeUp: before.madeUp + made, beyond: before.beyond + pills - made });
    if (pills <= lacks) return undefined;
    const [next, following] = around.filter(({ at }) => at > time);
    const isSingle = next !== undefined && before.beyond === 0 && pills <= next.pills;
    const isWeekly =
      next !== undefined && following !== undefined && following.at - next.at >= 7 * DAY - HOUR;
    return { urgency: isSingle && !isWeekly ? 'waits' : 'wakes', pills: pills - made };
  }

  private isReportable(time: number, now: number): boolean {
    return !this.reported.has(time) && now - time <= RECENT;
  }

  private raiseExtraDose(time: number, now: number, urgency: 'wakes' | 'waits', byLimit = false): void {
    if (!this.isReportable(time, now)) return;
    this.reported.add(time);
    const alert = this.raise('extra_dose', now, { times: { removed_at: time } });
    if (urgency === 'wakes') alert.passesQuietHours = true;
    this.extra.set(time, { alert, byLimit });
  }

  private endExtraDose(
    time: number,
    now: number,
    event: 'resolved' | 'retracted',
    put_back_at?: number,
  ): void {
    const { alert } = this.extra.get(time) ?? {};
    this.extra.delete(time);
    alert?.ends.push({
      at: now,
      event,
      ...(put_back_at !== undefined && { facts: { times: { put_back_at } } }),
    });
  }

  /** When the bottle held exactly so many pills more again, within half an hour and before the next removal. */
  private returnedAt(time: number, pills: number): number | undefined {
    const closings = this.knowledge.actions
      .filter(({ action }) => action === 'closed')
      .sort((one, other) => one.time - other.time);
    const removal = closings.find((one) => one.time === time);
    if (!removal) return undefined;
    for (const one of closings.filter((other) => time < other.time && other.time <= time + PUT_BACK_WITHIN)) {
      if (one.pillsTaken > 0) return undefined;
      if (one.pillsLeft === removal.pillsLeft + pills) return one.time;
    }
    return undefined;
  }

  private raise(kind: ExpectedAlert['kind'], now: number, facts: ExpectedFacts): ExpectedAlert {
    const alert: ExpectedAlert = {
      bottle: this.facts.key,
      kind,
      raisedAt: now,
      raisedBy: now,
      ends: [],
      flapping: false,
      clear: [],
      facts,
    };
    this.alerts.push(alert);
    return alert;
  }

  /** How the story of a late dose goes on when it is known what became of it, or somebody says so. */
  private settle(
    watched: Watched,
    { ends }: ExpectedAlert,
    outcome: Outcome | undefined,
    settled: SettledDose,
    now: number,
  ): void {
    const { leftAt } = watched;
    if (leftAt !== undefined) {
      // nothing is owed of a dose that was taken
      if (watched.measured === undefined && outcome?.startsWith('taken')) return;
    } else if (ends.at(-1)?.event === 'retracted') return;
    const isTaken = outcome?.startsWith('taken') === true;
    const { stated: before, measured, pillsAtEnd, taking } = watched;
    if (!isTaken && settled !== undefined) {
      watched.stated = settled;
      if (before !== settled) ends.push({ at: now, event: `reported_${settled}` });
    } else if (!isTaken && (before === 'taken' || before === 'skipped')) {
      watched.stated = 'withdrawn';
      const isOtherPart =
        outcome === 'partial' &&
        (measured === 'partial' || measured === 'corrected') &&
        taking.pills !== pillsAtEnd;
      ends.push({ at: now, event: isOtherPart ? 'corrected' : 'statement_withdrawn' });
      if (outcome) this.remember(watched, eventOf(outcome));
    } else if (outcome) this.settleMeasured(watched, ends, outcome, now);
  }

  private remember(watched: Watched, event: EndEvent): void {
    watched.measured = event;
    watched.pillsAtEnd = watched.taking.pills;
  }

  private settleMeasured(watched: Watched, ends: ExpectedEnd[], outcome: Outcome, now: number): void {
    const { taking, stated, measured, pillsAtEnd } = watched;
    // it was reported taken, and it is
    if (stated === 'taken') return;
    const changed =
      measured === undefined
        ? eventOf(outcome)
        : correctionOf(measured, outcome, taking.pills !== pillsAtEnd);
    const event = stated === 'skipped' ? 'retracted' : changed;
    if (event === undefined) return;
    const isSummedUp =
      now - taking.dose.missedAt > SUMMED_UP_AFTER && (event === 'missed' || event === 'partial');
    const sent = isSummedUp ? 'summary' : event;
    this.remember(watched, sent);
    const silence = event === 'unknown' ? this.silence.openAlert : undefined;
    const gap = event === 'unknown' ? this.gapOf(watched, now) : undefined;
    const end = {
      at: now,
      event: sent,
      facts: factsOfEnd(taking, outcome, sent),
      ...(silence && { silence }),
      ...(gap && { gap }),
    };
    ends.push(end);
    watched.unknownEnd = event === 'unknown' ? end : undefined;
  }
}

const pillsOf = (all: readonly Surplus[]): number => all.reduce((sum, { pills }) => sum + pills, 0);

/** What every message about a dose says of it. */
function aboutDose({ taking: { dose } }: Watched): ExpectedFacts {
  return { dose: dose.at, numbers: { pills_scheduled: dose.pills } };
}

/** How a dose stands at a moment that nobody takes. */
function unlessTaken({ lateAt, missedAt }: DueDose, now: number): 'waiting' | 'late' | 'missed' {
  if (now >= missedAt) return 'missed';
  return now >= lateAt ? 'late' : 'waiting';
}

/** What its end says became of it. Those of the alert are of doses that nothing else changes before they are sent. */
function factsOfEnd(taking: DoseIntake, outcome: Outcome, event: EndEvent): ExpectedFacts {
  // of a dose that was removed for later nothing was taken
  const { pills, wholeAt } = outcome === 'missed' ? { pills: 0, wholeAt: undefined } : taking;
  return {
    // a part that was missed may have grown when it is sent
    ...(event === 'corrected' ? {} : { numbers: { pills_taken: pills } }),
    ...(wholeAt !== undefined && { times: { taken_at: wholeAt } }),
    texts: { outcome },
  };
}

/** Whether a dose fell in a gap: due before its end, and not over at its beginning. */
function isIn(gap: DeafGap, { at, missedAt }: DueDose): boolean {
  return at < gap.to && missedAt >= gap.from;
}

/** Whether a gap leaves a dose that fell in it unconfirmed, if nothing else is known: it was late when the grace was over. */
function isLeftBy(gap: DeafGap, dose: DueDose): boolean {
  return isIn(gap, dose) && dose.lateAt <= gap.graceOver;
}

type EndEvent = ExpectedEnd['event'];

function eventOf(outcome: Outcome): EndEvent {
  switch (outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return 'retracted';
    case 'taken_late':
      return 'resolved';
    case 'missed':
    case 'partial':
    case 'unknown':
      return outcome;
  }
}

/** What is sent when an outcome changes after it was sent. */
function correctionOf(last: EndEvent, outcome: Outcome, isOtherAmount: boolean): EndEvent {
  if (last === 'retracted') return undefined;
  switch (outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return 'retracted';
    case 'taken_late':
      if (last === 'resolved') return undefined;
      return last === 'unknown' ? 'resolved' : 'retracted';
    case 'partial':
      if (last === 'unknown') return 'partial';
      return isOtherAmount ? 'corrected' : undefined;
    case 'missed':
      // it was removed for later
      return last === 'resolved' ? 'missed' : undefined;
    case 'unknown':
      return undefined;
  }
}
