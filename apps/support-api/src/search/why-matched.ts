import { type Contact, type FoundPerson, hasTokens, isNear } from '#persistence';
import { CONTACT_TEXTS } from '../bottles/people-index.js';
import type { MatchDto, MatchedBy } from './search.dto.js';

type Known = readonly [by: MatchedBy, text: string | undefined];

/** By what a person was found: what has all parts of the query, else what has one of them. */
export function whyMatched(q: string, person: FoundPerson, contact: Contact | undefined): MatchDto | null {
  const known = knownOf(person, contact).filter((one): one is [MatchedBy, string] => one[1] !== undefined);
  const matches = person.isNear ? isNear : hasTokens;
  const found =
    known.find(([, text]) => matches(q, [text])) ??
    known.find(([, text]) => q.split(/\s+/).some((part) => part !== '' && matches(part, [text])));
  return found ? { by: found[0], text: found[1], is_near: person.isNear } : null;
}

function knownOf({ user_id, bottles }: FoundPerson, contact: Contact | undefined): Known[] {
  return [
    ...CONTACT_TEXTS.map((field): Known => [field, contact?.[field]]),
    ['user_id', user_id],
    ...CONTACT_TEXTS.map((field): Known => [`carer_${field}`, contact?.carer?.[field]]),
    ...bottles.flatMap(({ label, medication }): Known[] => [
      ['label', label],
      ['medication', medication],
    ]),
  ];
}
