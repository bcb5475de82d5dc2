import { FIRST_CARER, OPERATOR, type Person, targetsOf, USER } from '#domain';
import { type Carer, carersOf, type Contact } from '#persistence';
import { definedOnly, Problem } from '#platform';
import { isDeepStrictEqual } from 'node:util';
import type { ContactDto, EscalationStepDto } from './contact.dto.js';
import type { CarerDto, ContactDetailsDto } from './contact-details.dto.js';
import { carersView, withoutPlace } from './contact-view.js';

/** A carer of a request: as entered, or as before. */
export type EnteredCarer = { id: Person } & (
  | { details: CarerDto; stays?: undefined }
  | { details?: undefined; stays: Carer }
);

/**
 * The carers of a request: those of `carers`; or the one of `carer`, which is the first, and the others as they are. Of a
 * contact that was read and is sent back, that of the two counts which has changed.
 *
 * @throws Problem 400 `invalid_value`, `duplicate_id`, `carers_disagree`
 */
export function enteredCarers({ carer, carers }: ContactDto, before: Contact | null): EnteredCarer[] {
  if (!carers) return carer ? withFirst(carer, before) : [];
  const entered = carers.map((details, index) => ({ id: details.id ?? defaultId(index), details }));
  entered.forEach(({ id }, index) => checkId(id, index, entered));
  if (!carer || isFirstOf(carer, carers)) return entered;
  const known = before ? carersView(before) : [];
  if (isDeepStrictEqual(carers.map(enteredIn), known.map(enteredIn))) return withFirst(carer, before);
  if (isFirstOf(carer, known)) return entered;
  throw Problem.field('carer', 'carers_disagree', 'carer is not the carer of carers with the id "carer"');
}

function isFirstOf(carer: ContactDetailsDto, carers: readonly CarerDto[]): boolean {
  const first = carers.find(({ id }, index) => (id ?? defaultId(index)) === FIRST_CARER);
  return first !== undefined && isDeepStrictEqual(enteredIn(carer), enteredIn(withoutPlace(first)));
}

/** What is known of the first carer, and the field `carer` does not show, stays. */
function withFirst(carer: ContactDetailsDto, before: Contact | null): EnteredCarer[] {
  const { relation, groups } = before?.carer ?? {};
  const details = { ...carer, ...definedOnly({ relation, groups }) };
  const others = before ? carersOf(before).filter(({ id }) => id !== FIRST_CARER) : [];
  return [{ id: FIRST_CARER, details }, ...others.map((stays) => ({ id: stays.id, stays }))];
}

const defaultId = (index: number): Person => (index === 0 ? FIRST_CARER : `${FIRST_CARER}-${index + 1}`);

function checkId(id: Person, index: number, all: readonly { id: Person }[]): void {
  const field = `carers[${index}].id`;
  if (id === USER || id === OPERATOR)
    throw Problem.field(field, 'invalid_value', `${field} must not be user or operator`);
  if (id === FIRST_CARER && index > 0)
    throw Problem.field(field, 'invalid_value', `${field} must not be carer: that is the first one`);
  if (all.findIndex((one) => one.id === id) < index)
    throw Problem.field(field, 'duplicate_id', `${field} is the id of another carer of the contact`);
}

/** Fields that are of no effect in a request. */
const SHOWN = /^(reachable|unreachable_reason|messages_go_to)$|_(verified_at|health)$/;

/** Without what a request says to no effect. */
function enteredIn(details: ContactDetailsDto): object {
  const entered = Object.entries(details).filter(
    ([field, value]) => !SHOWN.test(field) && value !== undefined,
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(entered))) as object;
}

/**
 * Steps go to whom the contact has. A step to the first carer is for the user while there is no carer.
 *
 * @throws Problem 400 `invalid_value`, `forbidden_field`
 */
export function checkSteps(steps: readonly EscalationStepDto[], carers: readonly Carer[]): void {
  const targets = [USER, ...targetsOf(carers), ...(carers.length === 0 ? [FIRST_CARER] : [])];
  for (const [index, { to, in_turn }] of steps.entries()) {
    const field = `escalation[${index}].to`;
    if (!targets.includes(to))
      throw Problem.field(field, 'invalid_value', `${field} must be one of: ${targets.join(', ')}`);
    if (in_turn !== undefined && !to.startsWith('group:')) {
      const turn = `escalation[${index}].in_turn`;
      throw Problem.field(turn, 'forbidden_field', `${turn} goes with a group only`);
    }
  }
}
