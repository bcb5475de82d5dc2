import { type ExpectedAlert, type BottleFacts, DAY, type Outcome } from './facts.js';
import type { DueDose } from './due-doses.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { matchRemovals, type DoseIntake } from './intakes.js';
import type { WallClocks } from './wall-clock.js';

/** Older doses raise no alerts. */
const RECENT = DAY;

/** One dose under observation. */
interface Watched {
  taking: DoseIntake;
  outcome?: Outcome;
  alert?: ExpectedAlert;
  late: boolean;
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
  ) {}

  /** Whether a dose is late and its alert is open. */
  get isLate(): boolean {
    return [...this.watched.values()].some(({ late }) => late);
  }

  isTaken(dose: number): boolean {
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
          { late: false, ...this.watched.get(taking.dose.at), taking },
        ]),
      );
      for (const { time, dueThen } of surplus) if (dueThen) this.raiseExtraDose(time, now);
      for (const time of this.overDailyLimit(now)) this.raiseExtraDose(time, now);
    }
    for (const watched of this.watched.values()) {
      const { taking, outcome } = watched;
      // a final outcome changes only with new reports
      if (now < taking.dose.lateAt && taking.wholeAt === undefined) continue;
      if (outcome === undefined || isRecent) this.check(watched, now);
    }
  }

  private check(watched: Watched, now: number): void {
    const found = this.judge(watched.taking, now);
    watched.late = found === 'late';
    if (found === 'waiting') return;
    if (found === 'late') {
      watched.alert ??= this.raise('missed_dose', now);
      return;
    }
    const isFirst = watched.outcome === undefined;
    watched.outcome = found;
    if (found === 'missed' && isFirst && !watched.alert && now - watched.taking.dose.missedAt <= RECENT)
      watched.alert = this.raise('missed_dose', now);
    if (watched.alert) settle(watched.alert, found, now);
  }

  private judge({ dose, pills, wholeAt }: DoseIntake, now: number): Outcome | 'late' | 'waiting' {
    if (wholeAt !== undefined) {
      if (wholeAt < dose.at) return 'taken_early';
      return wholeAt <= dose.lateAt ? 'taken_on_time' : 'taken_late';
    }
    if (now >= dose.missedAt) {
      const { before, after } = this.knowledge.around(dose.missedAt);
      if (before === undefined) return 'unknown';
      if (after === undefined ? now - before >= SILENCE : after - before > SILENCE) return 'unknown';
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

  private raiseExtraDose(time: number, now: number): void {
    if (this.reported.has(time) || now - time > RECENT) return;
    this.reported.add(time);
    this.raise('extra_dose', now);
  }

  private raise(kind: ExpectedAlert['kind'], now: number): ExpectedAlert {
    const alert: ExpectedAlert = { bottle: this.facts.key, kind, raisedAt: now, raisedBy: now, ends: [] };
    this.alerts.push(alert);
    return alert;
  }
}

/** How the story of a late dose goes on when it is known what became of the dose. */
function settle({ ends }: ExpectedAlert, outcome: Outcome, now: number): void {
  const lastEvent = ends.at(-1)?.event;
  const wasNeverLate = outcome === 'taken_early' || outcome === 'taken_on_time';
  if (ends.length === 0) {
    const event = wasNeverLate ? 'retracted' : outcome === 'missed' ? 'missed' : 'resolved';
    ends.push(outcome === 'unknown' ? { at: now } : { at: now, event });
  } else if (lastEvent === undefined && outcome === 'taken_late') {
    // it ended as unknown, without a notification
    ends.push({ at: now, event: 'resolved' });
  } else if (lastEvent !== 'retracted') {
    const wasWrong = wasNeverLate || (lastEvent === 'missed' && outcome === 'taken_late');
    if (wasWrong) ends.push({ at: now, event: 'retracted' });
  }
}
