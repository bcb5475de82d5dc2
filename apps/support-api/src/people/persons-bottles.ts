import { type Period, periodsOf } from '#domain';
import {
  type Bottle,
  BottleActionsRepository,
  type BottleSpan,
  BottlesRepository,
  BottleStatesRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';

/** More bottles of one person are not shown on their page. */
const MOST = 100;

/** A bottle that is or was a person's, and when. */
export interface PersonsBottle {
  bottle: Bottle;
  periods: Period[];
  isTheirs: boolean;
  /** Null if it is not known what was in it while it was theirs. */
  medication: string | null;
}

/** Finds the bottles of a person, with the periods in which they were theirs. */
@Injectable()
export class PersonsBottles {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly actions: BottleActionsRepository,
  ) {}

  /** Theirs first, in the order of registration; `hasMore` says that not all are there. */
  async of(userId: string): Promise<{ bottles: PersonsBottle[]; hasMore: boolean }> {
    const [ids, former] = await Promise.all([
      this.states.findIdsOfUser(userId, MOST + 1),
      this.bottles.findFormerlyOf(userId),
    ]);
    const registered = await this.bottles.findByIds(ids.slice(0, MOST));
    const owned = registered.filter((bottle) => bottle.user_id === userId);
    const others = former.filter((bottle) => bottle.user_id !== userId).slice(0, MOST);
    const found = [...owned, ...others].map(async (bottle): Promise<PersonsBottle> => {
      const isTheirs = bottle.user_id === userId;
      const periods = periodsOf(bottle, userId);
      const medication = isTheirs ? bottle.medication : await this.formerMedication(bottle, periods, userId);
      return { bottle, periods, isTheirs, medication };
    });
    return { bottles: await Promise.all(found), hasMore: ids.length > MOST };
  }

  /** What the registry says is the present owner's. */
  private async formerMedication({ _id }: Bottle, periods: Period[], userId: string): Promise<string | null> {
    const last = await this.actions.findLastAction(_id, periods.at(-1)!.until);
    return last?.user_id === userId ? last.medication : null;
  }
}

/** The parts of [from, to) in which bottles were a person's. */
export function spansOf(bottles: readonly PersonsBottle[], from: Date, to: Date): BottleSpan[] {
  return bottles.flatMap(({ bottle: { _id: bottle_id }, periods }) =>
    periods.map((period) => ({
      bottle_id,
      from: period.from && period.from > from ? period.from : from,
      to: period.until && period.until < to ? period.until : to,
    })),
  );
}
