import type { DueDose } from './due-doses.js';
import { type BottleFacts, type DosePause, type KnownAction, MINUTE, type Span } from './facts.js';
import type { Removal } from './intakes.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import { keptOut, returnedOf, type Returned } from './put-back.js';
import { HIDES_DOSES, isWithin, periodsKnownAt } from './periods.js';
import type { SilenceWatch } from './silence-watch.js';

const HALF_AN_HOUR = 30 * MINUTE;

/** A bottle, and what can be known of it. */
export interface BottleOfPlan {
  facts: BottleFacts;
  knowledge: Knowledge;
  silence: Pick<
    SilenceWatch,
    'openAlert' | 'standingAlert' | 'wasSilentAt' | 'raiseNeverReported' | 'isRaisedAt' | 'countsSince'
  >;
  /** When it is for the plan. */
  within: Span;
}

/** An action that is of the plan. */
export type PlanAction = KnownAction & { bottle: string };

/** A closing that reports no removal, and more pills than before. */
interface Filling {
  opened: number;
  closed: number;
}

/** The bottles of one plan (PLAN-1): the one that has it first, and those that are for it. */
export class BottlesOfPlan {
  /** What follows from the actions that were known when it was asked for last. */
  private found: { ofActions: number; actions: PlanAction[]; fillings?: Filling[] } | undefined;

  constructor(readonly all: readonly BottleOfPlan[]) {}

  /** Those that are asked about a moment: they are for the plan then, and in no period of their own (PLAN-8). */
  at(moment: number): BottleOfPlan[] {
    return this.all.filter(
      (bottle) => isIn(bottle.within, moment) && !isWithin(this.ownPeriods(bottle), moment),
    );
  }

  /** Whether a dose may have been taken unseen up to a moment, in a period of a further bottle (PLAN-8). */
  mayHide({ opens }: DueDose, until: number): boolean {
    return this.all.some((bottle) =>
      this.ownPeriods(bottle).some(
        ({ from, to, reason = 'pause' }) =>
          HIDES_DOSES.includes(reason) &&
          Math.max(from, bottle.within.from) <= until &&
          opens < Math.min(to, bottle.within.to),
      ),
    );
  }

  /** The supply of the plan (PLAN-5). */
  pillsLeft(now: number): number {
    return this.all
      .filter(({ within }) => isIn(within, now))
      .reduce((sum, { facts, knowledge }) => sum + (knowledge.newest?.pillsLeft ?? facts.pills), 0);
  }

  /** Which periods of further bottles are known; another text when one was entered, changed or removed. */
  get knownPeriods(): string {
    const further = this.all.slice(1);
    return further.map((bottle) => this.ownPeriods(bottle).map(({ orderedAt }) => orderedAt)).join('/');
  }

  /** The periods of a further bottle, as they are known; those of the one that has the plan are the plan's. */
  private ownPeriods(bottle: BottleOfPlan): DosePause[] {
    const { facts, knowledge } = bottle;
    return bottle === this.all[0] ? [] : periodsKnownAt(facts.pauses, knowledge.now);
  }

  /** Whether something was learned since the moment before. */
  get hasLearned(): boolean {
    return this.all.some(({ knowledge }) => knowledge.fresh.length > 0);
  }

  /** Whether a closing was learned since the moment before. */
  get hasClosed(): boolean {
    return this.all.some(({ knowledge }) => knowledge.fresh.some(({ action }) => action === 'closed'));
  }

  /** What is known to have happened to them while they were for the plan. */
  get actions(): PlanAction[] {
    return this.known.actions;
  }

  private get known(): NonNullable<typeof this.found> {
    const ofActions = this.all.reduce((sum, { knowledge }) => sum + knowledge.actions.length, 0);
    if (this.found?.ofActions !== ofActions) this.found = { ofActions, actions: this.findActions() };
    return this.found;
  }

  private findActions(): PlanAction[] {
    return this.all.flatMap(({ facts, knowledge, within }) =>
      knowledge.actions
        .filter(({ time }) => isIn(within, time))
        .map((action) => ({ ...action, bottle: facts.key })),
    );
  }

  /** The removals that are known, with the pills that were not put back into the bottle that they came from. */
  get removals(): Removal[] {
    const { actions } = this;
    return this.all.flatMap(({ facts: { key: bottle }, knowledge, within }) =>
      keptOut(knowledge.actions)
        .filter(({ time }) => isIn(within, time))
        .map((one) => ({ ...one, bottle, ...openingOf({ ...one, bottle }, actions) })),
    );
  }

  /** What came back of what was removed at a moment. */
  returnedOf(removedAt: number): Returned | undefined {
    return this.all.flatMap(({ knowledge }) => returnedOf(removedAt, knowledge.actions) ?? [])[0];
  }

  /** Whether one of them was filled in the window of a dose by a closing that reports no removal (DOSE-48). */
  mayBeFilled({ opens, missedAt }: DueDose): boolean {
    const { known } = this;
    known.fillings ??= this.findFillings();
    return known.fillings.some(({ opened, closed }) => opens <= closed && opened <= missedAt);
  }

  private findFillings(): Filling[] {
    return this.all.flatMap(({ facts: { key } }) => {
      const own = this.actions
        .filter(({ bottle }) => bottle === key)
        .toSorted(
          (one, other) =>
            one.time - other.time || Number(one.action === 'closed') - Number(other.action === 'closed'),
        );
      return own.flatMap(({ action, time, pillsTaken, pillsLeft }, index): Filling[] => {
        const before = own[index - 1];
        if (action !== 'closed' || pillsTaken > 0 || !before) return [];
        const removed = own
          .slice(0, index)
          .filter((one) => time - one.time <= HALF_AN_HOUR)
          .reduce((sum, one) => sum + one.pillsTaken, 0);
        const opened = before.action === 'opened' ? before.time : time;
        return pillsLeft - before.pillsLeft - removed >= 3 ? [{ opened, closed: time }] : [];
      });
    });
  }

  /** Whether every report up to a moment has arrived, of each that is asked about it. */
  haveReportedSince(moment: number): boolean {
    return this.at(moment).every(({ knowledge }) => knowledge.hasReportedSince(moment));
  }

  /**
   * Those that have never reported, though we had listened for long enough when the dose ended: since they were registered,
   * or since a period that ended their silence was over (LIVE-6).
   */
  neverReported({ missedAt }: DueDose): BottleOfPlan[] {
    return this.at(missedAt).filter(
      ({ facts, knowledge, silence }) =>
        knowledge.lastContact === undefined &&
        knowledge.listened(silence.countsSince(knowledge.now) ?? facts.registeredAt, missedAt) >= SILENCE,
    );
  }

  /** Those that left in the window of a dose, of which nobody knew what was removed from them by then. */
  leftInSilence({ opens, missedAt }: DueDose): BottleOfPlan[] {
    return this.all.filter((bottle) => {
      const { within, knowledge } = bottle;
      const ends = [within.to, ...this.ownPeriods(bottle).map(({ from }) => from)];
      return ends
        .filter((end) => opens <= end && end <= missedAt)
        .some((end) => knowledge.listened(knowledge.around(end).before ?? within.from, end) >= SILENCE);
    });
  }

  /** Those that were silent when a dose ended, or had never reported. */
  silentAt(missedAt: number, now: number): BottleOfPlan[] {
    return this.at(missedAt).filter(({ knowledge }) => {
      const { before, after } = knowledge.around(missedAt);
      if (before === undefined) return true;
      if (after === undefined) return knowledge.listened(before, now) >= SILENCE;
      return knowledge.listened(before, after) > SILENCE;
    });
  }
}

/** When a bottle was opened for a removal: by the last thing before it, if that was an opening. */
function openingOf({ time, bottle }: PlanAction, actions: readonly PlanAction[]): { openedAt?: number } {
  const before = actions
    .filter((other) => other.bottle === bottle)
    .filter((other) => other.time < time || (other.time === time && other.action === 'opened'))
    .sort((one, other) => one.time - other.time)
    .at(-1);
  return before?.action === 'opened' ? { openedAt: before.time } : {};
}

function isIn({ from, to }: Span, at: number): boolean {
  return from <= at && at < to;
}
