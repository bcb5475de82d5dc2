import type { Carer, EscalationStep } from '../../../api/schema.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { joinList, t } from '../../../i18n/i18n.js';

/** A carer of a contact as the console edits it: every one has an id. */
export type EditedCarer = Carer & { id: string };

/** The id of the first carer. */
export const FIRST_CARER = 'carer';
/** The escalation of a contact that sets none. */
export const DEFAULT_STEPS: EscalationStep[] = [{ after: '0m', to: 'user' }];
/** The carers of one contact, at most. */
export const MOST_CARERS = 10;
const GROUP = 'group:';

/** The carers of a contact, as a response has them. */
export const carersOf = ({ carers = [] }: { carers?: readonly Carer[] }): EditedCarer[] =>
  carers.map((carer) => ({ ...carer, id: carer.id! }));

/** An id that none of these carers has. */
export function freeId(carers: readonly { id: string }[]): string {
  const ids = [
    FIRST_CARER,
    ...Array.from({ length: MOST_CARERS + carers.length }, (_, index) => `carer-${index + 2}`),
  ];
  return ids.find((id) => carers.every((carer) => carer.id !== id))!;
}

/** How a carer is called, with what they are to the user: `Anna (daughter)`. */
export function carerName({ id, relation, ...details }: EditedCarer): string {
  const name =
    details.name ?? details.email ?? details.sms ?? details.phone ?? (id === FIRST_CARER ? t('Carer') : id);
  return relation ? `${name} (${relation})` : name;
}

/** Whom steps can name: the user, the carers and their groups. */
export function targetsOf(carers: readonly EditedCarer[]): { value: string; label: string }[] {
  const groups = new Set(carers.flatMap((carer) => carer.groups ?? []));
  const all = carers.length === 0 ? [{ value: FIRST_CARER, label: t('Carer') }] : [];
  return [
    { value: 'user', label: t('User') },
    ...all,
    ...carers.map((carer) => ({ value: carer.id, label: carerName(carer) })),
    ...[...groups].map((group) => ({ value: GROUP + group, label: t('Group {{name}}', { name: group }) })),
  ];
}

export const isGroup = (to: string): boolean => to.startsWith(GROUP);

/** Whom a step notifies, in a sentence; the first carer while there is none goes without a name. */
export function targetText(to: string, carers: readonly EditedCarer[]): string {
  if (to === 'user') return t('the user');
  if (isGroup(to)) return t('the group {{name}}', { name: to.slice(GROUP.length) });
  const carer = carers.find(({ id }) => id === to);
  return carer && carers.length > 1 ? carerName(carer) : t('the carer');
}

/** The steps that still name somebody. */
export function stepsFor(carers: readonly EditedCarer[], steps: readonly EscalationStep[]): EscalationStep[] {
  const targets = targetsOf(carers).map(({ value }) => value);
  return steps.filter(({ to }) => targets.includes(to));
}

/** The carers whom no step notifies. */
export function withoutStep(carers: readonly EditedCarer[], steps: readonly EscalationStep[]): EditedCarer[] {
  const named = new Set(steps.map(({ to }) => to));
  return carers.filter(
    ({ id, groups = [] }) => !named.has(id) && !groups.some((group) => named.has(GROUP + group)),
  );
}

/** That these carers are not notified. @param all the carers of the contact */
export function noStepText(carers: readonly EditedCarer[], all: readonly EditedCarer[]): string {
  if (all.length === 1) return t('No step goes to the carer: they are not notified.');
  return t('No step goes to {{names}}: they are not notified.', { names: joinList(carers.map(carerName)) });
}

/** Whether something is entered that reaches or names a carer. */
export const isEntered = (carer: Carer): boolean => ADDRESS_FIELDS.some(({ key }) => Boolean(carer[key]));
