import { type ExpectedAlert, type ExpectedEnd, type BottleFacts, DAY, type Outcome } from './facts.js';
import { type DueDose, dueDoses } from './due-doses.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { matchRemovals, type DoseIntake, type Surplus } from './intakes.js';
import type { SilenceWatch } from './silence-watch.js';
import type { WallClocks } from './wall-clock.js';

/** A dose whose end is further back is sent in a summary. */
const SUMMED_UP_AFTER = DAY;
/** Of pills that were removed earlier nobody is notified. */
const RECENT = 7 * DAY;

/** One dose under observation. */
interface Watched {
  taking: DoseIntake;
  outcome?: Outcome;
  alert?: ExpectedAlert;
  late: boolean;
  /** How many pills of it were taken when its alert ended. */
  pillsAtEnd?: number;
  /** A backlog may still complete what it has begun to tell. */
  unsettled: boolean;
}

/** Judges a bottle's doses anew at every tick, and records the alerts that must be raised. */
export class DosesWatch {
  readonly alerts: ExpectedAlert[] = [];
  private doses: DueDose[] = [];
  private watched = new Map<number, Watched>();
  private readonly reported = new Set<number>();

  /** @param dosesKnownAt the doses as prescribed by then */
  constructor(
    private readonly facts: BottleFacts,
    private readonly knowledge: Knowledge,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    private readonly walls: WallClocks,
    private readonly silence: Pick<SilenceWatch, 'openAlert'>,
  ) {}

  /** Whether a dose is late and its alert is open. */
  get isLate(): boolean {
    return [...this.watched.values()].some(({ late }) => late);
  }

  /** What is known to be taken of a dose. */
  pillsTaken(dose: number): number {
    return this.watched.get(dose)?.taking.pills ?? 0;
  }

  private isTaken(dose: number): boolean {
    return this.watched.get(dose)?.taking.wholeAt !== undefined;
  }

  get outcomes(): Map<number, Outcome> {
    return new Map(
      [...this.watched].flatMap(([at, { outcome }]) => (outcome === undefined ? [] : [[at, outcome]])),
    );
  }

  tick(now: number): void {
    const doses = this.dosesKnownAt(now);
    const removals = this.knowledge.actions.filter(({ pillsTaken }) => pillsTaken > 0);
    const isRecent = this.knowledge.fresh.length > 0 || doses !== this.doses;
    if (isRecent) {
      this.doses = doses;
      const { intakes, surplus } = matchRemovals(doses, removals);
      this.watched = new Map(
        intakes.map((taking) => [
          taking.dose.at,
          { late: false, unsettled: false, ...this.watched.get(taking.dose.at), taking },
        ]),
      );
      for (const each of surplus) {
        if (!this.isReportable(each.time, now)) continue;
        if (each.dueThen || this.canBeNoDose(each)) this.raiseExtraDose(each.time, now);
      }
      for (const time of this.overDailyLimit(now)) this.raiseExtraDose(time, now);
    }
    for (const watched of this.watched.values()) {
      const { taking, outcome, unsettled } = watched;
      // a final outcome changes only with new reports
      if (now < taking.dose.lateAt && taking.wholeAt === undefined) continue;
      if (outcome === undefined || unsettled || isRecent) this.check(watched, now);
    }
  }

  private check(watched: Watched, now: number): void {
    const found = this.judge(watched.taking, now);
    watched.late = found === 'late';
    watched.unsettled = found === 'waiting';
    if (found === 'waiting') return;
    if (found === 'late') {
      watched.alert ??= this.raise('missed_dose', now);
      return;
    }
    const isFirst = watched.outcome === undefined;
    watched.outcome = found;
    const isToSend = (found === 'missed' && isFirst) || found === 'partial';
    if (isToSend && !watched.alert) watched.alert = this.raise('missed_dose', now);
    if (watched.alert) this.settle(watched, watched.alert, found, now);
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

  /** The removals that went over the limit of their day. */
  private overDailyLimit(now: number): number[] {
    const plan = this.facts.prescriptions.findLast(({ from }) => from <= now)?.plan;
    if (plan?.kind !== 'as_needed') return [];
    const taken = new Map<string, number>();
    const over: number[] = [];
    const byTime = [...this.knowledge.actions].sort((one, other) => one.time - other.time);
    for (const { time, pillsTaken } of byTime) {
      const date = this.walls.in(plan.zone).dateAt(time);
      const pills = (taken.get(date) ?? 0) + pillsTaken;
      taken.set(date, pills);
      if (pillsTaken > 0 && pills > plan.maxPerDay * plan.pills) over.push(time);
    }
    return over;
  }

  /**
   * Whether pills taken when nothing was due can be no dose at all: in a pause, when nothing is due any more, more than
   * a dose at once, or when the dose that is nearest in time is already whole. What was prescribed, or paused, only
   * later does not count.
   */
  private canBeNoDose({ time, pills }: Surplus): boolean {
    const prescribed = this.facts.prescriptions.filter(({ from }) => from <= time);
    const pauses = this.facts.pauses.filter(({ from }) => from <= time);
    const plan = prescribed.at(-1)?.plan;
    if (!plan) return false;
    if (pauses.some(({ to }) => time < to)) return true;
    if (plan.kind === 'as_needed') return false;
    const doses = dueDoses(prescribed, pauses, { from: time - 8 * DAY, to: time + 8 * DAY }, this.walls);
    const open = doses.find(({ opens, missedAt }) => opens <= time && time <= missedAt);
    if (open) return pills > open.pills;
    const next = doses.find(({ at }) => at > time);
    if (!next) return true;
    const last = doses.findLast(({ at }) => at <= time);
    const nearest = last && time - last.at <= next.at - time ? last : next;
    return pills > nearest.pills || (nearest === last && this.isTaken(last.at));
  }

  private isReportable(time: number, now: number): boolean {
    return !this.reported.has(time) && now - time <= RECENT;
  }

  private raiseExtraDose(time: number, now: number): void {
    if (!this.isReportable(time, now)) return;
    this.reported.add(time);
    this.raise('extra_dose', now);
  }

  private raise(kind: ExpectedAlert['kind'], now: number): ExpectedAlert {
    const alert: ExpectedAlert = {
      bottle: this.facts.key,
      kind,
      raisedAt: now,
      raisedBy: now,
      ends: [],
      flapping: false,
      clear: [],
    };
    this.alerts.push(alert);
    return alert;
  }

  /** How the story of a late dose goes on when it is known what became of the dose. */
  private settle(watched: Watched, { ends }: ExpectedAlert, outcome: Outcome, now: number): void {
    const { pills } = watched.taking;
    const last = ends.at(-1)?.event;
    const event =
      last === undefined ? eventOf(outcome) : correctionOf(last, outcome, pills !== watched.pillsAtEnd);
    if (event === undefined) return;
    watched.pillsAtEnd = pills;
    const isSummedUp =
      now - watched.taking.dose.missedAt > SUMMED_UP_AFTER && (event === 'missed' || event === 'partial');
    const silence = event === 'unknown' ? this.silence.openAlert : undefined;
    ends.push({ at: now, event: isSummedUp ? 'summary' : event, ...(silence && { silence }) });
  }
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
    case 'unknown':
      return undefined;
  }
}
