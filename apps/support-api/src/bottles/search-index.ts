import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  PeopleSearchRepository,
  SearchRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { PeopleIndex } from './people-index.js';

/** Keeps the search index up to date when bottles are registered, changed or erased. */
@Injectable()
export class SearchIndex {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly search: SearchRepository,
    private readonly people: PeopleIndex,
    private readonly peopleSearch: PeopleSearchRepository,
  ) {}

  /** Call it before bottles are registered, so that every registered bottle can be found. */
  async add(bottles: Pick<Bottle, '_id' | 'user_id' | 'medication' | 'label'>[]): Promise<void> {
    await this.search.addBottles(bottles);
    for (const medication of new Set(bottles.map((bottle) => bottle.medication))) {
      await this.search.addMedication(medication);
    }
    await this.people.refresh(
      bottles.map(({ user_id }) => user_id),
      bottles,
    );
  }

  /** Call it after bottles have got these medications: one may have been removed with its last bottle meanwhile. */
  async keepMedications(names: Iterable<string>): Promise<void> {
    for (const name of new Set(names))
      if (!(await this.search.hasMedication(name))) await this.addMedication(name);
  }

  /** Call it before a bottle gets another medication. */
  async addMedication(name: string): Promise<void> {
    await this.search.addMedication(name);
    await this.peopleSearch.putMedications([name]);
  }

  /** Removes a medication that no bottle has any more: whoever typed it may have typed more than its name. */
  async removeMedication(name: string): Promise<void> {
    if (await this.states.hasMedication(name)) return;
    await this.search.removeMedication(name);
    await this.peopleSearch.removeMedication(name);
    // a bottle that was registered meanwhile did not add it again
    if (await this.states.hasMedication(name)) await this.addMedication(name);
  }

  /** Call it after a bottle has another user, medication or label. */
  async refreshPeople(userIds: string[]): Promise<void> {
    await this.people.refresh(userIds);
  }

  /** Call it before a bottle goes to another user. After a crash, erasing the bottle still finds these entries. */
  async addUser(bottle: Bottle, userId: string): Promise<void> {
    await this.bottles.addSearchable(bottle._id, [bottle.user_id, userId]);
    await this.search.addBottles([{ _id: bottle._id, user_id: userId }]);
  }

  /** Call it after the bottle went to another user: removes the entries of its previous users. */
  async removePreviousUsers(id: Types.ObjectId): Promise<void> {
    for (let bottle = await this.bottles.findById(id); bottle;) {
      const { user_id, searchable_as = [] } = bottle;
      const previous = searchable_as.filter((user) => user !== user_id);
      await this.search.addBottles([bottle]);
      await this.search.removeBottle(id, previous, bottle);
      await this.bottles.removeSearchable(id, previous);
      const now = await this.bottles.findById(id);
      // repeat if another request has changed the user meanwhile
      bottle = now?.user_id === user_id ? null : now;
    }
  }

  /** Removes the entries of a former user who is erased, if an interrupted change left any. */
  async removeUser(bottle: Bottle, userId: string): Promise<void> {
    await this.search.removeBottle(bottle._id, [userId], bottle);
    await this.people.refresh([userId]);
  }

  /** Removes an erased bottle, whose state is not there any more. */
  async remove({ _id, user_id, medication, searchable_as = [] }: Bottle): Promise<void> {
    await this.search.removeBottle(_id, [user_id, ...searchable_as]);
    await this.people.refresh([user_id, ...searchable_as]);
    await this.removeMedication(medication);
  }
}
