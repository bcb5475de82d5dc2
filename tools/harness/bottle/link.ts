import type { Random } from '../../random.js';

/** What may go wrong between a bottle and us without anyone being offline. */
export interface LinkHabits {
  /** How often an answer does not reach the bottle, which then sends the same again. */
  lostAnswers: number;
  /** How often a report is sent again although it was acknowledged. */
  repeats: number;
}

export const STEADY_LINK: LinkHabits = { lostAnswers: 0, repeats: 0 };

/** A bottle's way to us. */
export class Link {
  online = true;

  constructor(
    private readonly habits: LinkHabits,
    private readonly random: Random,
  ) {}

  losesAnswer(): boolean {
    return this.habits.lostAnswers > 0 && this.random.chance(this.habits.lostAnswers);
  }

  repeats(): boolean {
    return this.habits.repeats > 0 && this.random.chance(this.habits.repeats);
  }
}
