import { declaredFields } from '#platform';
import type { Type } from '@nestjs/common';
import { Types } from 'mongoose';

type StringOrId<V> = V | (string extends V ? Types.ObjectId : never);
type Stored<V> = V extends Date | null | undefined
  ? V
  : V extends (infer E)[]
    ? readonly Source<E>[]
    : V extends object
      ? Source<V>
      : StringOrId<V>;
type OptionalKeys<T> = {
  [K in keyof T]-?: null extends T[K] ? K : undefined extends T[K] ? K : never;
}[keyof T];

/** What a response can be read from: the same fields; ids may be ObjectIds, fields that may be null may be absent. */
export type Source<T> = { [K in Exclude<keyof T, OptionalKeys<T> | 'id'>]: Stored<T[K]> } & {
  [K in OptionalKeys<T>]?: Stored<T[K]> | undefined;
} & ('id' extends keyof T ? { _id: string | Types.ObjectId } | { id: string } : unknown);

/** Picks the fields of a response class out of a document; `id` is read from `_id`. */
export function viewOf<T extends object>(type: Type<T>, source: Source<T>): T {
  const document = source as Record<string, unknown>;
  const view: Record<string, unknown> = {};
  for (const { name, nullable, isId, nested } of declaredFields(type)) {
    const value = document[name] ?? (name === 'id' ? document['_id'] : undefined) ?? null;
    if (value !== null) view[name] = valueView(value, nested?.());
    else if (nullable) view[name] = null;
    else if (isId) throw new Error(`${type.name}.${name} is missing`);
  }
  return view as T;
}

function valueView(value: unknown, nested: Type<object> | undefined): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString();
  if (!nested) return value;
  return Array.isArray(value)
    ? (value as object[]).map((each) => viewOf(nested, each))
    : viewOf(nested, value as object);
}

/** {@link viewOf} for the entries of a page. */
export function viewsOf<T extends object>(type: Type<T>): (sources: readonly Source<T>[]) => T[] {
  return (sources) => sources.map((source) => viewOf(type, source));
}

/** A class as the columns of CSV: paths into an object, such as `last_action.time`. A list is shown by its length. */
export function columnsOf(type: Type): string[] {
  return declaredFields(type).flatMap(({ name, nested, isList, counted }) => {
    if (isList) return [`${name}.length`];
    const inner = nested ? columnsOf(nested()) : counted;
    return inner?.map((column) => `${name}.${column}`) ?? [name];
  });
}
