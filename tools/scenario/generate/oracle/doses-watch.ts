import { type AlertStory, type BottleFacts, DAY, type Outcome } from './facts.js';
import type { DueDose } from './due-doses.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { giveOut, type Taking } from './takings.js';
import type { WallClocks } from './wall-clock.js';

/** What is older than this is history and no news. */
const NEWS = DAY;

/** One dose under observation. */
interface Watched {
  taking: Taking;
  outcome?: Outcome;
  story?: AlertStory;
  late: boolean;
}

/** Looks at a bottle's doses at every tick as if for the first time, and notes what has to be said. */
export class DosesWatch {
  readonly stories: AlertStory[] = [];
  private doses: DueDose[] = [];
  private watched = new Map<number, Watched>();
  private readonly told = new Set<number>();

  /** @param dosesKnownAt the doses that are prescribed, as far as the staff had said by then. */
  constructor(
    private readonly facts: BottleFacts,
    private readonly knowledge: Knowledge,
    private readonly dosesKnownAt: (now: number) => DueDose[],
    private readonly walls: WallClocks,
  ) {}

  /** Whether a dose is late and its alert stands. */
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
    const isNews = this.knowledge.fresh.length > 0 || doses !== this.doses;
    if (isNews) {
      this.doses = doses;
      const { takings, surplus } = giveOut(doses, removals);
      this.watched = new Map(
        takings.map((taking) => [
          taking.dose.at,
          { late: false, ...this.watched.get(taking.dose.at), taking },
        ]),
      );
      for (const { time, dueThen } of surplus) if (dueThen) this.tellExtra(time, now);
      for (const time of this.overDailyLimit(now)) this.tellExtra(time, now);
    }
    for (const watched of this.watched.values()) {
      const { taking, outcome } = watched;
      // what is settled changes by news only
      if (now < taking.dose.lateAt && taking.wholeAt === undefined) continue;
      if (outcome === undefined || isNews) this.look(watched, now);
    }
  }

  private look(watched: Watched, now: number): void {
    const found = this.judge(watched.taking, now);
    watched.late = found === 'late';
    if (found === 'waiting') return;
    if (found === 'late') {
      watched.story ??= this.raise('missed_dose', now);
      return;
    }
    const isFirst = watched.outcome === undefined;
    watched.outcome = found;
    if (found === 'missed' && isFirst && !watched.story && now - watched.taking.dose.missedAt <= NEWS)
      watched.story = this.raise('missed_dose', now);
    if (watched.story) settle(watched.story, found, now);
  }

  private judge({ dose, pills, wholeAt }: Taking, now: number): Outcome | 'late' | 'waiting' {
    if (wholeAt !== undefined) {
      if (wholeAt < dose.at) return 'taken_early';
      return wholeAt <= dose.lateAt ? 'taken_on_time' : 'taken_late';
    }
    if (now >= dose.missedAt) {
      const { before, after } = this.knowledge.around(dose.missedAt);
      if (before === undefined) return 'unknown';
      if (after === undefined ? now - before >= SILENCE : after - before > SILENCE) return 'unknown';
      if (this.knowledge.hasWordSince(dose.missedAt)) return pills > 0 ? 'partial' : 'missed';
    }
    return this.knowledge.hasWordSince(dose.lateAt) ? 'late' : 'waiting';
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

  private tellExtra(time: number, now: number): void {
    if (this.told.has(time) || now - time > NEWS) return;
    this.told.add(time);
    this.raise('extra_dose', now);
  }

  private raise(kind: AlertStory['kind'], now: number): AlertStory {
    const story: AlertStory = { bottle: this.facts.key, kind, raisedAt: now, raisedBy: now, ends: [] };
    this.stories.push(story);
    return story;
  }
}

/** How the story of a late dose goes on when it is known what became of the dose. */
function settle({ ends }: AlertStory, outcome: Outcome, now: number): void {
  const said = ends.at(-1)?.says;
  const wasNeverLate = outcome === 'taken_early' || outcome === 'taken_on_time';
  if (ends.length === 0) {
    const says = wasNeverLate ? 'retracted' : outcome === 'missed' ? 'missed' : 'resolved';
    ends.push(outcome === 'unknown' ? { at: now } : { at: now, says });
  } else if (said === undefined && outcome === 'taken_late') {
    // it ended as unknown, and nobody was told
    ends.push({ at: now, says: 'resolved' });
  } else if (said !== 'retracted') {
    const wasWrong = wasNeverLate || (said === 'missed' && outcome === 'taken_late');
    if (wasWrong) ends.push({ at: now, says: 'retracted' });
  }
}
