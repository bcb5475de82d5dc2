import type { BottleOfPlan, BottlesOfPlan } from './bottles-of-plan.js';
import { lateAgain, noteOutcome, rememberEnd, settleDose, type WatchedDose } from './dose-story.js';
import type { DueDose } from './due-doses.js';
import { ExtraDoses } from './extra-doses.js';
import {
  type BottleFacts,
  type BottleTruth,
  DAY,
  type ExpectedAlert,
  type ExpectedEnd,
  type ExpectedFacts,
  type HiddenDose,
  HOUR,
  MINUTE,
  type Outcome,
  type Span,
} from './facts.js';
import { type DoseIntake, matchRemovals, type Surplus } from './intakes.js';
import { judgeDose, type Judgement, unlessTaken } from './judge-dose.js';
import { isWithin, periodsKnownAt } from './periods.js';
import type { EndedDose } from './row-watch.js';
import type { DeafGap } from './service-gaps.js';
import { hasRunOut, settledAt, standingAt, type StatementFact, unsettledSince } from './statements.js';
import type { WallClocks } from './wall-clock.js';

/** No reminder is so long before its dose (REMIND-1). */
const EARLIEST_REMINDER = 12 * HOUR;

/** Judges the doses of a plan again at every tick, and records the alerts that must be raised. */
export class DosesWatch {
  readonly alerts: ExpectedAlert[] = [];
  private doses: DueDose[] = [];
  readonly unclear: string[] = [];
  private watched = new Map<number, WatchedDose>();
  /** Pills that count for no dose. */
  private surplus: readonly Surplus[] = [];
  /** The doses that are not monitored and were watched before. */
  private readonly left = new Map<number, WatchedDose>();
  private readonly extra: ExtraDoses;
  private lastTick = Infinity;
  private nextStatement = -Infinity;
  /** When one of the doses must be looked at again, if nothing new is known until then. */
  private nextDue = -Infinity;
  private endedBefore: EndedDose[] | undefined;
  private readonly reminding = new Map<number, { pills: number; spans: Span[] }>();
  private readonly settled = new Set<DeafGap>();
  /** Of the further bottles of the plan. */
  private knownPeriods = '';
  private readonly statements = new Map<number, StatementFact[]>();

  /** @param dosesKnownAt the doses as prescribed by then */
  constructor(
    private readonly facts: BottleFacts,
    private readonly bottles: BottlesOfPlan,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    walls: WallClocks,
    private readonly gaps: readonly DeafGap[],
  ) {
    this.extra = new ExtraDoses(
      facts,
      bottles,
      walls,
      (dose) => this.pillsTaken(dose),
      (now, about) => this.raise('extra_dose', now, about),
    );
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

  /** Of each dose, when it was due, not known to be taken whole, settled by nobody's word, and not late (REMIND-1). */
  get remindable(): BottleTruth['remindable'] {
    return [...this.reminding].map(([dose, about]) => ({ dose, ...about }));
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

  /**
   * The doses that are over by now, or about which somebody has stated what became of them, in order; the same list until
   * one of them is looked at again.
   */
  ended(now: number): EndedDose[] {
    this.endedBefore ??= this.findEnded(now);
    return this.endedBefore;
  }

  private findEnded(now: number): EndedDose[] {
    const ended: EndedDose[] = [];
    for (const [at, { shown }] of this.watched) {
      const isSettled = settledAt(this.statementsAbout(at), now) !== undefined;
      if (!shown && !isSettled) continue;
      const isMissed = shown && shown !== 'unknown' ? shown === 'missed' : undefined;
      ended.push({ at, isMissed, isSettled });
    }
    return ended;
  }

  tick(now: number): void {
    // what is known at that moment is what was judged before
    for (const gap of this.gaps) if (gap.settledAt <= now && !this.settled.has(gap)) this.settleGap(gap);
    const doses = this.dosesKnownAt(now);
    const { knownPeriods } = this.bottles;
    const isJudgedAgain = knownPeriods !== this.knownPeriods;
    this.knownPeriods = knownPeriods;
    const isRecent = this.bottles.hasLearned || doses !== this.doses || isJudgedAgain;
    const isStated = this.nextStatement <= now;
    const isChanged = isRecent || isStated;
    if (isStated)
      this.nextStatement = Math.min(...this.facts.statements.map(({ at }) => at).filter((at) => now < at));
    if (isRecent) {
      const before = this.watched;
      const isReplanned = doses !== this.doses;
      this.doses = doses;
      const { intakes, surplus } = matchRemovals(doses, this.bottles.removals);
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
      this.surplus = surplus;
      this.extra.judge(surplus, doses, now);
    }
    // what came to be known while no notifier ran is looked at before anything is sent (MSG-21)
    const foundAt = Math.min(now, this.lastTick + MINUTE);
    this.lastTick = now;
    if (!isChanged && now < this.nextDue) return;
    this.endedBefore = undefined;
    const all = [...this.watched.values()];
    const due = isChanged ? all : all.filter(({ nextDue = -Infinity }) => nextDue <= now);
    this.watchReminders(due, now, foundAt);
    for (const watched of due) this.judge(watched, now, isRecent, isJudgedAgain);
    for (const watched of due) watched.nextDue = nextDue(watched, now);
    this.nextDue = Math.min(...all.map((watched) => watched.nextDue ?? now));
  }

  private judge(watched: WatchedDose, now: number, isRecent: boolean, isJudgedAgain: boolean): void {
    if (watched.isUnsent) this.sendUnknown(watched, now);
    const { taking } = watched;
    // its pills were put back
    if (watched.outcome?.startsWith('taken') && taking.wholeAt === undefined) delete watched.outcome;
    const { outcome, unsettled } = watched;
    // a final outcome changes only with new reports
    const ranOut = hasRunOut(this.statementsAbout(taking.dose.at), now);
    if (now < taking.dose.lateAt && taking.wholeAt === undefined && !ranOut && !watched.alert) return;
    const known = this.statementsAbout(taking.dose.at).filter(({ at }) => at <= now).length;
    const isStated = known !== (watched.statements ?? 0);
    watched.statements = known;
    if (outcome === undefined || unsettled || isRecent || isStated)
      this.check(watched, now, isStated || isJudgedAgain);
  }

  private watchReminders(due: readonly WatchedDose[], now: number, foundAt: number): void {
    for (const { taking } of due) {
      const { dose, wholeAt } = taking;
      if (now < dose.at - EARLIEST_REMINDER || dose.lateAt <= now) continue;
      const isSettled = settledAt(this.statementsAbout(dose.at), now) !== undefined;
      const isTaken = wholeAt !== undefined && !this.isForLater(taking, 'taken_on_time', now);
      const spans = this.reminding.get(dose.at)?.spans ?? [];
      this.reminding.set(dose.at, { pills: dose.pills, spans });
      const lasting = spans.find(({ to }) => to > now);
      const isOver = isSettled || isTaken;
      if (lasting) lasting.to = isOver ? foundAt : dose.lateAt;
      else if (!isOver) spans.push({ from: now, to: dose.lateAt });
    }
    // what is prescribed no more, or not monitored
    for (const [at, { spans }] of this.reminding) {
      const last = spans.at(-1);
      if (!this.watched.has(at) && last && last.to > now) last.to = foundAt;
    }
  }

  /** A dose that proves to be in a period: whoever was notified of it is sent that it is not monitored (PERIOD-2). */
  private leave(watched: WatchedDose, now: number): void {
    const { alert, ofGap, taking } = watched;
    const { at } = taking.dose;
    if (this.watched.has(at) || !isWithin(periodsKnownAt(this.facts.pauses, now), at)) return;
    const end: ExpectedEnd = { at: now, event: 'retracted', facts: { texts: { outcome: 'not_monitored' } } };
    if (alert && alert.ends.at(-1)?.event !== 'retracted') alert.ends.push(end);
    if (!alert && ofGap?.ends.length === 1) ofGap.ends.push(end);
    noteOutcome(watched, 'not_monitored', undefined, now);
    this.left.set(at, { ...watched, leftAt: now });
  }

  /** A dose that is in no period any more has the outcome that the reports say (PERIOD-3). */
  private returned({ dose }: DoseIntake, now: number): Partial<WatchedDose> | undefined {
    const watched = this.left.get(dose.at);
    if (!watched) return undefined;
    this.left.delete(dose.at);
    const { alert, ofGap, leftAt = now } = watched;
    // who was sent what of it is open while its steps last, and before it was missed
    if (ofGap || (alert && leftAt < dose.missedAt + 6 * HOUR))
      this.unclear.push(`a dose is monitored again, ${new Date(dose.at).toISOString()}`);
    // of what nobody was notified, it is as if it had never been in one
    return alert && { alert, leftAt };
  }

  /** People are notified of the doses in a gap of ours that nothing has settled by then. */
  private settleGap(gap: DeafGap): void {
    this.settled.add(gap);
    // the silence of the one names the doses of all
    const isSilent = (bottle: BottleOfPlan): boolean =>
      seenBy(bottle, gap.settledAt) === undefined || bottle.silence.wasSilentAt(gap.from);
    if (this.bottles.at(gap.from).some(isSilent)) return;
    for (const watched of this.watched.values()) {
      const { taking, outcome } = watched;
      const asked = this.bottles.at(taking.dose.missedAt);
      const isUnseen = asked.some((bottle) => (seenBy(bottle, gap.settledAt) ?? 0) < gap.to);
      const isUnknown = outcome === 'unknown' || (outcome === undefined && isUnseen);
      if (watched.ofGap || !isUnknown || !isLeftBy(gap, taking.dose)) continue;
      if (settledAt(this.statementsAbout(taking.dose.at), gap.settledAt) !== undefined) continue;
      if (this.bottles.mayHide(taking.dose, taking.dose.missedAt))
        this.unclear.push('a gap of ours while a bottle of a plan is not monitored');
      watched.ofGap = this.raise('coverage_gap', gap.settledAt, aboutDose(watched));
      watched.ofGap.ends.push({ at: gap.settledAt, event: 'unconfirmed' });
      if (watched.unknownEnd?.gap) watched.unknownEnd.gap.alert = watched.ofGap;
    }
  }

  private statementsAbout(dose: number): readonly StatementFact[] {
    return this.statements.get(dose) ?? [];
  }

  /** @param isChanged people stated something about it, or a period of a further bottle was entered, changed or removed */
  private check(watched: WatchedDose, now: number, isChanged: boolean): void {
    if (this.bottles.leftInSilence(watched.taking.dose).length > 0)
      this.unclear.push('a silent bottle has left in the window of a dose');
    const reported = judgeDose(watched.taking, this.bottles, now);
    const isFilled = this.mayBeFilled(watched, reported);
    const measured = isFilled ? 'unknown' : reported;
    const isForLater = this.isForLater(watched.taking, measured, now);
    const found = isForLater ? unlessTaken(watched.taking.dose, now) : measured;
    const settled = settledAt(this.statementsAbout(watched.taking.dose.at), now);
    const ranOut = hasRunOut(this.statementsAbout(watched.taking.dose.at), now);
    const otherwise = (): Pick<ExpectedEnd, 'silences' | 'gap'> => this.sentOtherwise(watched, now);
    watched.late = found === 'late' && settled === undefined;
    watched.unsettled = found === 'waiting' || (isForLater && found === 'late');
    const before = watched.shown;
    watched.shown = found === 'waiting' || found === 'late' ? undefined : found;
    if (found === 'waiting' || found === 'late') {
      // what was measured stays
      if (isForLater) watched.outcome = measured as Outcome;
      else if (found === 'late') delete watched.outcome;
      if (ranOut) watched.alert ??= this.raise('missed_dose', now, aboutDose(watched));
      if (watched.alert) {
        settleDose(watched, watched.alert, undefined, settled, otherwise, now, ranOut);
        if (watched.late && !isForLater) lateAgain(watched, watched.alert, now);
      } else if (watched.late) watched.alert = this.raise('missed_dose', now, aboutDose(watched));
      return;
    }
    const isFirst = watched.outcome === undefined;
    watched.outcome = isForLater ? (measured as Outcome) : found;
    noteOutcome(watched, watched.outcome, settled, now);
    const asked = this.bottles.at(watched.taking.dose.missedAt);
    if (found === 'unknown' && settled === undefined && !isFilled) {
      // a silence begins with the end of a period at the earliest (PERIOD-4): what was judged before shows none, unless
      // only what people stated of it hid that nobody could confirm it
      const last = this.statementsAbout(watched.taking.dose.at).findLast(({ at }) => at <= now);
      const isHiddenNoMore = isChanged && last?.what === 'withdrawn';
      if (isFirst || isHiddenNoMore)
        for (const { silence } of this.bottles.neverReported(watched.taking.dose)) {
          silence.raiseNeverReported(now);
          this.nameEarlier(silence.openAlert);
        }
      const unsettledAt = unsettledSince(this.statementsAbout(watched.taking.dose.at), now);
      const unconfirmedSince = Math.max(unsettledAt ?? (isFirst ? 0 : now), watched.taking.dose.missedAt);
      for (const bottle of asked) this.hide(bottle, watched, { unconfirmedSince, since: now });
    }
    watched.isUnsent ||=
      isFirst &&
      found === 'unknown' &&
      asked.every(({ knowledge, silence }) => knowledge.lastContact !== undefined || silence.openAlert);
    if (isFilled) this.sendFilled(watched, isFirst && settled === undefined, now);
    else if (watched.isUnsent) this.sendUnknown(watched, now);
    // a backlog may show pills that people have stated to be for later, or its pills may prove to be another dose
    const isToSend = (found === 'missed' && (isChanged || before !== 'missed')) || found === 'partial';
    if (isToSend && settled === undefined)
      watched.alert ??= this.raise('missed_dose', now, aboutDose(watched));
    this.correctGap(watched, watched.outcome, now);
    if (watched.alert?.namedBy && found !== before)
      this.unclear.push('what becomes of a dose that a silence named is known later');
    if (watched.alert) settleDose(watched, watched.alert, found, settled, otherwise, now, ranOut);
  }

  /** That a bottle has never reported names the doses of before, too (LIVE-6). */
  private nameEarlier(alert: ExpectedAlert | undefined): void {
    if (!alert) return;
    for (const watched of this.watched.values()) {
      if (watched.outcome !== 'unknown' || watched.namedBy?.has(alert)) continue;
      (watched.namedBy ??= new Set()).add(alert);
      watched.isUnsent = true;
      watched.nextDue = -Infinity;
    }
  }

  /** A silence that lasts names a dose that was not late when it was raised, and that nobody can confirm. */
  private hide(
    { facts, knowledge, silence }: BottleOfPlan,
    watched: WatchedDose,
    times: Pick<HiddenDose, 'unconfirmedSince' | 'since'>,
  ): void {
    const { dose } = watched.taking;
    const alert = silence.standingAlert(times.since);
    if (!alert || dose.missedAt < (knowledge.lastContact ?? -Infinity)) return;
    (watched.namedBy ??= new Set()).add(alert);
    if (watched.hiddenBy?.has(facts.key)) return;
    const hidden = { bottle: this.facts.key, dose: dose.at, ...times, known: [] };
    (watched.hiddenBy ??= new Map()).set(facts.key, hidden);
    if (dose.lateAt > alert.raisedAt) (alert.hidden ??= []).push(hidden);
  }

  /** Whether a dose that lacks pills may have been taken when the bottle was filled (DOSE-48). */
  private mayBeFilled({ taking }: WatchedDose, reported: Judgement): boolean {
    if (reported !== 'late' && reported !== 'missed' && reported !== 'partial') return false;
    if (!this.bottles.mayBeFilled(taking.dose)) return false;
    const lacking = [...this.watched.values()].filter((one) => one.taking.wholeAt === undefined);
    if (lacking.some((one) => one.taking !== taking && this.bottles.mayBeFilled(one.taking.dose)))
      this.unclear.push('a bottle was filled in the windows of two doses');
    return true;
  }

  /** That the bottle was filled is sent at once, unless somebody has reported what became of the dose. */
  private sendFilled(watched: WatchedDose, isToSend: boolean, now: number): void {
    watched.isUnsent = false;
    if (!isToSend || watched.alert || now - watched.taking.dose.missedAt > DAY) return;
    watched.alert = this.raise('missed_dose', now, aboutDose(watched));
    watched.alert.isUnseen = true;
    // no silence names it, but a gap of ours does (COVER-8)
    const { gap } = this.sentOtherwise(watched, now);
    const end: ExpectedEnd = { at: now, event: 'unknown', ...(gap && { gap }) };
    watched.alert.ends.push(end);
    watched.unknownEnd = end;
    rememberEnd(watched, 'unknown');
  }

  /** Whether the pills of a dose that was measured were removed for later, and none since (ATTEST-14). */
  private isForLater({ dose, removals }: DoseIntake, measured: Judgement, now: number): boolean {
    const statement = standingAt(this.statementsAbout(dose.at), now);
    if (statement?.what !== 'not_taken') return false;
    if (measured !== 'partial' && !measured.startsWith('taken')) return false;
    return ![...removals, ...this.surplus].some(({ time }) => statement.at < time && time <= dose.missedAt);
  }

  /**
   * An unknown dose is sent when the bottle is back for a while and its silence is over, unless people know of that, or a gap
   * of ours is sent instead.
   */
  private sendUnknown(watched: WatchedDose, now: number): void {
    const { dose } = watched.taking;
    const raised = this.bottles.at(dose.missedAt).filter(({ silence }) => silence.isRaisedAt(now));
    const isHidden = this.bottles.mayHide(dose, dose.missedAt);
    if (
      watched.outcome === 'unknown' &&
      isHidden &&
      (raised.length > 0 || this.gaps.some((gap) => isLeftBy(gap, dose)))
    )
      this.unclear.push('a dose may be hidden by a period of one bottle, and by something else');
    const isSentOtherwise =
      watched.outcome !== 'unknown' ||
      watched.alert !== undefined ||
      this.gaps.some((gap) => isLeftBy(gap, dose)) ||
      now - dose.missedAt > DAY;
    // until it is withdrawn
    const isSettled = settledAt(this.statementsAbout(dose.at), now) !== undefined;
    const silent = this.bottles.silentAt(dose.missedAt, now);
    if (watched.outcome === 'unknown' && !raised.every((one) => silent.includes(one)))
      this.unclear.push('one bottle of a plan was silent, and another one is');
    if (isSentOtherwise) watched.isUnsent = false;
    else if (!isSettled && raised.length === 0 && this.bottles.haveReportedSince(dose.missedAt)) {
      watched.isUnsent = false;
      watched.alert = this.raise('missed_dose', now, aboutDose(watched));
      watched.alert.isUnseen = true;
      watched.alert.ends.push({ at: now, event: 'unknown' });
      if (watched.namedBy) {
        watched.alert.namedBy = [...watched.namedBy];
        // that a silence is over is looked at every minute
        watched.alert.raisedBy = now + 2 * MINUTE;
      }
      rememberEnd(watched, 'unknown');
    }
  }

  /** What was unconfirmed has an outcome: of a dose that was taken nobody is notified otherwise. */
  private correctGap({ ofGap, alert }: WatchedDose, outcome: Outcome, now: number): void {
    if (!ofGap || ofGap.ends.length > 1 || outcome === 'unknown') return;
    const isTaken = outcome !== 'missed' && outcome !== 'partial';
    ofGap.ends.push({
      at: now,
      ...(isTaken && !alert && { event: 'retracted' as const, facts: { texts: { outcome } } }),
    });
  }

  /** What tells people otherwise that a dose is unknown: silences, or a gap of ours. */
  private sentOtherwise(
    { taking: { dose }, ofGap }: WatchedDose,
    now: number,
  ): Pick<ExpectedEnd, 'silences' | 'gap'> {
    const silences = this.bottles
      .silentAt(dose.missedAt, now)
      .flatMap(({ silence }) => silence.openAlert ?? []);
    const gap = this.gaps.find((each) => isIn(each, dose) && each.knownAt <= now && now <= each.settledAt);
    return {
      ...(silences.length > 0 && { silences }),
      // the alert may be raised later
      ...((gap ?? ofGap) && { gap: { settledAt: gap?.settledAt ?? now, ...(ofGap && { alert: ofGap }) } }),
    };
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
}

/** When a bottle was seen last before a moment. */
function seenBy({ facts }: BottleOfPlan, moment: number): number | undefined {
  return facts.contacts.findLast((contact) => contact <= moment);
}

/** When a dose must be looked at again after a moment, if nothing new is known until then. */
function nextDue({ outcome, unsettled, isUnsent, alert, taking }: WatchedDose, now: number): number {
  const { at, lateAt } = taking.dose;
  const isPending = isUnsent === true || unsettled || (outcome === undefined && (alert || lateAt <= now));
  if (isPending) return now;
  if (now < at - EARLIEST_REMINDER) return at - EARLIEST_REMINDER;
  return outcome === undefined ? lateAt : Infinity;
}

/** What every message about a dose says of it. */
function aboutDose({ taking: { dose } }: WatchedDose): ExpectedFacts {
  return { dose: dose.at, missedAt: dose.missedAt, numbers: { pills_scheduled: dose.pills } };
}

/** Whether a dose fell in a gap: due before its end, and not over at its beginning. */
function isIn(gap: DeafGap, { at, missedAt }: DueDose): boolean {
  return at < gap.to && missedAt >= gap.from;
}

/** Whether a gap leaves a dose that fell in it unconfirmed, if nothing else is known: it was late when the grace was over. */
function isLeftBy(gap: DeafGap, dose: DueDose): boolean {
  return isIn(gap, dose) && dose.lateAt <= gap.graceOver;
}
