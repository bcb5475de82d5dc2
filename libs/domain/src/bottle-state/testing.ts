import { type BottleState, type Id, NEWEST, type StateChange } from './bottle-state.js';

type Fields = Record<string, unknown>;

const ids = new Map<string, Id>();

/** An id; equal numbers give the same object. */
export function idOf(number: number): Id {
  const hex = number.toString(16).padStart(24, '0');
  const known = ids.get(hex) ?? { toHexString: () => hex };
  ids.set(hex, known);
  return known;
}

/** The state after a change, as MongoDB applies the update that persistence makes of it. @param otherwise if it does not apply */
export function applied(state: BottleState, change: StateChange, otherwise?: StateChange): BottleState {
  const { ifNewer, set, clear = [], end = [], raise = {}, lower = {}, add } = change;
  if (ifNewer && !isNewer(set as Fields, state as unknown as Fields, ifNewer))
    return otherwise ? applied(state, otherwise) : state;
  const next = { ...state, ...set } as unknown as Fields;
  for (const field of clear) delete next[field];
  for (const field of end) if (next[field]) next[field] = 'over';
  for (const [field, value] of Object.entries(raise))
    if (next[field] === undefined || compared(next[field], value) < 0) next[field] = value;
  for (const [field, value] of Object.entries(lower))
    if (next[field] === undefined || compared(next[field], value) > 0) next[field] = value;
  for (const [field, values] of Object.entries(add ?? {}))
    for (const value of values) {
      const set = (next[field] ?? []) as unknown[];
      if (!set.some((each) => compared(each, value) === 0)) next[field] = [...set, value];
    }
  return next as unknown as BottleState;
}

function isNewer(set: Fields, state: Fields, field: keyof typeof NEWEST): boolean {
  const [value, known] = [set[field] as Fields, state[field] as Fields | undefined];
  if (!known) return true;
  for (const { field: part, values } of NEWEST[field]) {
    const rank = (of: Fields): unknown => (values ? values.indexOf(of[part] as string) : of[part]);
    const difference = compared(rank(value), rank(known));
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** BSON's order: documents field by field, first by the field's name, then by its value; a longer one is greater. */
function compared(one: unknown, other: unknown): number {
  if (isDocument(one) && isDocument(other)) {
    const [ones, others] = [Object.entries(one), Object.entries(other)];
    for (const [index, [field, value]] of ones.entries()) {
      const opposite = others[index];
      if (!opposite) return 1;
      const difference = plain(field, opposite[0]) || compared(value, opposite[1]);
      if (difference !== 0) return difference;
    }
    return ones.length - others.length;
  }
  return plain(comparable(one), comparable(other));
}

function isDocument(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !('toHexString' in value);
}

function comparable(value: unknown): string | number {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'object' ? (value as Id).toHexString() : (value as string | number);
}

function plain(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
