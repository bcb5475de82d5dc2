import type { Say } from '../language/phrases.js';
import { isTrue, optional } from './evidence-fields.js';

/** What evidence says of a condition that ended because the bottle was given another user, whose it is from then on. */
export const ANOTHER_PERSON = { other_person: optional(isTrue) } as const;

interface AnotherPerson {
  other_person?: true;
}

export function anotherPersonTitle({ other_person }: AnotherPerson, say: Say): string | undefined {
  return other_person && say('Bottle is another person’s now');
}
