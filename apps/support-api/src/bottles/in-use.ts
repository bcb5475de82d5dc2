import { isInUse, lifeOf } from '#domain';
import type { Bottle } from '#persistence';
import { Problem } from '#platform';

/** @throws Problem 409 `bottle_not_in_use`: a bottle that is nobody's has no plan and no other owner */
export function assertInUse(bottle: Pick<Bottle, 'life'>): void {
  if (isInUse(bottle)) return;
  throw new Problem(409, 'bottle_not_in_use', `This bottle is ${lifeOf(bottle)}. Assign it first.`);
}
