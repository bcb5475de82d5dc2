import { type Bottle, BottlesRepository, SearchRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';

/** Keeps the search true: what a bottle is found by. */
@Injectable()
export class FindableService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly search: SearchRepository,
  ) {}

  /** Before bottles are registered: a bottle that is there can be found. */
  async add(bottles: Pick<Bottle, '_id' | 'user_id' | 'medication'>[]): Promise<void> {
    await this.search.addBottles(bottles);
    for (const medication of new Set(bottles.map((bottle) => bottle.medication))) {
      await this.addMedication(medication);
    }
  }

  /** Before a bottle gets another medication. */
  addMedication(name: string): Promise<void> {
    return this.search.addMedication(name);
  }

  /** Before a bottle goes to another owner: whatever happens then, erasing the bottle finds these entries. */
  async prepare(bottle: Bottle, userId: string): Promise<void> {
    await this.bottles.addSearchable(bottle._id, [bottle.user_id, userId]);
    await this.search.addBottles([{ _id: bottle._id, user_id: userId }]);
  }

  /** After it went: by its owners of before it is found no more. */
  async settle(id: Types.ObjectId): Promise<void> {
    for (let bottle = await this.bottles.findById(id); bottle;) {
      const { user_id, searchable_as = [] } = bottle;
      const gone = searchable_as.filter((owner) => owner !== user_id);
      await this.search.addBottles([bottle]);
      await this.search.removeBottle(id, gone, bottle);
      await this.bottles.removeSearchable(id, gone);
      const now = await this.bottles.findById(id);
      // someone else gave it to another owner meanwhile: once more, by what holds now
      bottle = now?.user_id === user_id ? null : now;
    }
  }

  /** Part of erasing a bottle. */
  async remove({ _id, user_id, searchable_as = [] }: Bottle): Promise<void> {
    await this.search.removeBottle(_id, [user_id, ...searchable_as]);
  }
}
