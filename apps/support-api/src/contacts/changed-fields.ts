import type { Contact, ContactDetails } from '#persistence';
import { isDeepStrictEqual } from 'node:util';

/** What the service keeps with a contact, and nobody enters. */
const KEPT: readonly string[] = [
  '_id',
  'changed_at',
  'version',
  'verification',
  'test',
  'carer_since',
  'email_since',
  'sms_since',
  'push_since',
  'push_browsers',
  'refused',
  'paused',
  'refusals_due_at',
];
const VERIFIED_AT = /^(\w+)_verified_at$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The names of the fields in which two versions of a contact differ, as a request names them; those of a carer who was
 * there and stays are `carer.FIELD`.
 */
export function changedFields(before: Contact, after: Contact): string[] {
  const [{ carer: carerBefore, ...userBefore }, { carer, ...user }] = [before, after];
  return [...differences({ ...userBefore }, { ...user }), ...changesOfCarer(carerBefore, carer)];
}

function changesOfCarer(before: ContactDetails | undefined, after: ContactDetails | undefined): string[] {
  if (!before || !after) return before === after ? [] : ['carer'];
  return differences({ ...before }, { ...after }).map((field) => `carer.${field}`);
}

function differences(before: Fields, after: Fields): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .filter((field) => !KEPT.includes(field) && isOther(field, before, after))
    .map((field) => field.replace(VERIFIED_AT, '$1_verified'));
}

/** Of a verification only whether there is one, and of the same address: a new address has its own. */
function isOther(field: string, before: Fields, after: Fields): boolean {
  const [, channel] = VERIFIED_AT.exec(field) ?? [];
  if (channel === undefined) return !isDeepStrictEqual(before[field], after[field]);
  return before[channel] === after[channel] && (before[field] === null) !== (after[field] === null);
}
