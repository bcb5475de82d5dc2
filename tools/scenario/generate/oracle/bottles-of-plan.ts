import type { DueDose } from './due-doses.js';
import type { BottleFacts, KnownAction, Span } from './facts.js';
import type { Removal } from './intakes.js';
import { type Knowledge, SILENCE } from './knowledge.js';
import type { SilenceWatch } from './silence-watch.js';

/** A bottle, and what can be known of it. */
export interface BottleOfPlan {
  facts: BottleFacts;
  knowledge: Knowledge;
  silence: Pick<SilenceWatch, 'openAlert' | 'wasSilentAt' | 'raiseNeverReported' | 'isRaisedAt'>;
  /** When it is for the plan. */
  within: Span;
}

/** An action that is of the plan. */
export type PlanAction = KnownAction & { bottle: string };

/** The bottles of one plan (PLAN-1): the one that has it first, and those that are for it. */
export class BottlesOfPlan {
  constructor(readonly all: readonly BottleOfPlan[]) {}

  /** Those that are asked about a moment: they are for the plan then. */
  at(moment: number): BottleOfPlan[] {
    return this.all.filter(({ within }) => isIn(within, moment));
  }

  /** Whether something was learned since the moment before. */
  get hasLearned(): boolean {
    return this.all.some(({ knowledge }) => knowledge.fresh.length > 0);
  }

  /** What is known to have happened to them while they were for the plan. */
  get actions(): PlanAction[] {
    return this.all.flatMap(({ facts, knowledge, within }) =>
      knowledge.actions
        .filter(({ time }) => isIn(within, time))
        .map((action) => ({ ...action, bottle: facts.key })),
    );
  }

  /** The removals that are known. */
  get removals(): Removal[] {
    const { actions } = this;
    return actions
      .filter(({ pillsTaken }) => pillsTaken > 0)
      .map((one) => ({ ...one, ...openingOf(one, actions) }));
  }

  /** Whether every report up to a moment has arrived, of each that is asked about it. */
  haveReportedSince(moment: number): boolean {
    return this.at(moment).every(({ knowledge }) => knowledge.hasReportedSince(moment));
  }

  /** Whether one of them has never reported, though we had listened for long enough when the dose ended. */
  neverReported({ missedAt }: DueDose): BottleOfPlan[] {
    return this.at(missedAt).filter(
      ({ facts, knowledge }) =>
        knowledge.lastContact === undefined && knowledge.listened(facts.registeredAt, missedAt) >= SILENCE,
    );
  }

  /** Those that left in the window of a dose, of which nobody knew what was removed from them by then. */
  leftInSilence({ opens, missedAt }: DueDose): BottleOfPlan[] {
    return this.all.filter(({ within: { from, to }, knowledge }) => {
      if (to < opens || missedAt < to) return false;
      return knowledge.listened(knowledge.around(to).before ?? from, to) >= SILENCE;
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
