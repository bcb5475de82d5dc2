import type { Contact, ContactDetails, EscalationStep } from '../../../api/schema.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { joinList, t } from '../../../i18n/i18n.js';
import {
  carersOf,
  DEFAULT_STEPS,
  type EditedCarer,
  FIRST_CARER,
  freeId,
  stepsFor,
} from '../../bottle/contacts/carers.js';

/** What becomes of the carers of one contact. */
export interface CarerChange {
  /** `Anna → Ben`, as the preview and as the result. */
  text: string;
  carers: EditedCarer[];
  escalation: EscalationStep[];
}

type Before = Pick<Contact, 'carers' | 'escalation' | 'time_zone'>;

/**
 * Gives a contact a carer, in place of the first one or as a further one. Whoever has no step gets one after 30 minutes.
 *
 * @returns undefined if there is nothing to do
 */
export function withCarer(
  contact: Before | null,
  carer: ContactDetails,
  isFurther: boolean,
): CarerChange | undefined {
  const { escalation = DEFAULT_STEPS, time_zone } = contact ?? {};
  const before = carersOf(contact ?? {});
  const first = before.filter(({ id }) => id === FIRST_CARER);
  if ((isFurther ? before : first).some((each) => isSamePerson(each, carer))) return undefined;
  const id = isFurther ? freeId(before) : FIRST_CARER;
  const made: EditedCarer = { ...carer, ...(time_zone !== undefined && { time_zone }), id };
  const others = before.filter((each) => each.id !== id);
  const carers = isFurther ? [...others, made] : [made, ...others];
  const hasStep = escalation.some(({ to }) => to === id);
  return {
    text: changeText(before, carers),
    carers,
    escalation: hasStep ? escalation : [...escalation, { after: '30m', to: id }],
  };
}

/**
 * Removes carers from a contact, and the steps that name nobody else.
 *
 * @param who a name, an address or a number of theirs; empty: all carers
 * @returns undefined if there is nothing to do
 */
export function withoutCarers(contact: Before | null, who: string): CarerChange | undefined {
  const before = carersOf(contact ?? {});
  const sought = who.trim().toLowerCase();
  const isIt = (carer: EditedCarer): boolean =>
    ADDRESS_FIELDS.some(({ key }) => String(carer[key] ?? '').toLowerCase() === sought);
  const carers = sought === '' ? [] : before.filter((carer) => !isIt(carer));
  if (carers.length === before.length) return undefined;
  const steps = stepsFor(carers, contact?.escalation ?? DEFAULT_STEPS).filter(
    ({ to }) => to !== FIRST_CARER || carers.some(({ id }) => id === to),
  );
  return {
    text: changeText(before, carers),
    carers,
    escalation: steps.length > 0 ? steps : DEFAULT_STEPS,
  };
}

function changeText(before: readonly EditedCarer[], after: readonly EditedCarer[]): string {
  return `${namesOf(before)} → ${namesOf(after)}`;
}

function namesOf(carers: readonly EditedCarer[]): string {
  const names = carers.map(({ name, email, phone }) => name ?? email ?? phone ?? t('no name'));
  return names.length === 0 ? t('no carer') : joinList(names);
}

/** Whether a change would leave the carer as they are. */
function isSamePerson(one: ContactDetails, other: ContactDetails): boolean {
  return ADDRESS_FIELDS.every(({ key }) => (one[key] ?? false) === (other[key] ?? false));
}
