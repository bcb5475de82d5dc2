/** Whether a stored value is what a field of evidence holds. */
export type Is<T> = (value: unknown) => value is T;

/** A field that an alert may be without; the database may then hold null. */
export interface Optional<T> {
  optional: Is<T>;
}

/** The fields of the evidence of one kind of alert: they make its type, and a stored record is read by them. */
export type EvidenceFields = Readonly<Record<string, Is<unknown> | Optional<unknown>>>;

/** The evidence that has these fields. */
export type EvidenceIn<F extends EvidenceFields> = {
  [N in keyof F as F[N] extends Optional<unknown> ? never : N]: F[N] extends Is<infer T> ? T : never;
} & {
  [N in keyof F as F[N] extends Optional<unknown> ? N : never]?: F[N] extends Optional<infer T> ? T : never;
};

export const isInstant: Is<Date> = (value): value is Date =>
  value instanceof Date && !Number.isNaN(value.getTime());

export const isNumber: Is<number> = (value): value is number => typeof value === 'number';

export const isText: Is<string> = (value): value is string => typeof value === 'string';

export const isTrue: Is<true> = (value): value is true => value === true;

/** The given texts and no other. */
export function isOneOf<const T extends string>(...texts: readonly T[]): Is<T> {
  return (value): value is T => texts.some((text) => text === value);
}

export function isListOf<T>(is: Is<T>): Is<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(is);
}

/** A part that has fields of its own. */
export function isPartOf<F extends EvidenceFields>(fields: F): Is<EvidenceIn<F>> {
  return (value): value is EvidenceIn<F> => damagedField(fields, value) === undefined;
}

export function optional<T>(is: Is<T>): Optional<T> {
  return { optional: is };
}

/**
 * The first field that does not hold what it should; `''` if the value has no fields at all. Further fields are as they
 * are: a later version may have added them.
 */
export function damagedField(fields: EvidenceFields, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const stored = value as Readonly<Record<string, unknown>>;
  return Object.entries(fields).find(([name, field]) => {
    const found = stored[name];
    if (typeof field === 'function') return !field(found);
    return found !== undefined && found !== null && !field.optional(found);
  })?.[0];
}
