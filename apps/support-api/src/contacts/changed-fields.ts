import { FIRST_CARER } from '#domain';
import { type Carer, carersOf, type Contact } from '#persistence';
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
 * there and stays are `carer.FIELD`, or, of one who is not the first, `carers.ID.FIELD`.
 */
export function changedFields(before: Contact, after: Contact): string[] {
  const [
    { carer: _first, other_carers: _others, ...userBefore },
    { carer: _carer, other_carers: _other, ...user },
  ] = [before, after];
  const [known, now] = [carersOf(before), carersOf(after)];
  const ids = new Set([...known, ...now].map(({ id }) => id));
  return [
    ...differences({ ...userBefore }, { ...user }),
    ...[...ids].flatMap((id) => {
      const [one, other] = [known, now].map((carers) => carers.find((each) => each.id === id));
      return changesOfCarer(id === FIRST_CARER ? id : `carers.${id}`, one, other);
    }),
    ...(isInOrder(known, now) ? [] : ['carers']),
  ];
}

/** Whether the carers who stay are in the order in which they were. */
function isInOrder(before: readonly Carer[], after: readonly Carer[]): boolean {
  const stay = (carers: readonly Carer[], others: readonly Carer[]): string[] =>
    carers.flatMap(({ id }) => (others.some((one) => one.id === id) ? [id] : []));
  return isDeepStrictEqual(stay(before, after), stay(after, before));
}

function changesOfCarer(name: string, before: Carer | undefined, after: Carer | undefined): string[] {
  if (!before || !after) return [name];
  return differences({ ...before }, { ...after }).map((field) => `${name}.${field}`);
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
