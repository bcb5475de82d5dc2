import { ID } from '#platform';
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Types } from 'mongoose';

/**
 * The classes of responses. Their decorated fields are declared once and used three times: for the OpenAPI document,
 * for reading a stored document ({@link viewOf}) and for the columns of CSV ({@link columnsOf}).
 */
interface FieldOptions {
  description?: string;
  /** `null` in the response when the document does not have the field. */
  nullable?: boolean;
  /** Absent from the response when the document does not have the field. */
  optional?: boolean;
}

interface ViewField {
  name: string;
  nullable: boolean;
  /** A document without it is broken and cannot be sent. */
  isId: boolean;
  /** The class of a nested object, or of each entry of a list. */
  nested?: () => Type;
  list: boolean;
  /** The names of an object with a number for each. */
  counted?: readonly string[];
}

const FIELDS = new WeakMap<object, ViewField[]>();

function field(
  schema: object,
  { nullable = false, optional = false, description }: FieldOptions,
  more: Partial<ViewField> = {},
): PropertyDecorator {
  const options: ApiPropertyOptions = {
    ...schema,
    ...(nullable && { nullable }),
    ...(optional && { required: false }),
    ...(description && { description }),
  };
  return (prototype, name) => {
    ApiProperty(options)(prototype, name);
    const fields = FIELDS.get(prototype) ?? [];
    FIELDS.set(prototype, [...fields, { name: String(name), nullable, isId: false, list: false, ...more }]);
  };
}

const primitive = (type: string, options: FieldOptions, more: object = {}): PropertyDecorator =>
  field({ type, ...more }, options);

/** An instant: a Date in the code, ISO 8601 on the wire. */
export const Time = (options: FieldOptions = {}): PropertyDecorator =>
  primitive('string', options, { format: 'date-time' });
export const Id = (options: FieldOptions = {}): PropertyDecorator =>
  field({ type: 'string', pattern: ID.source }, options, { isId: true });
export const Text = (options: FieldOptions = {}): PropertyDecorator => primitive('string', options);
export const Count = (options: FieldOptions = {}): PropertyDecorator => primitive('number', options);
export const Flag = (options: FieldOptions = {}): PropertyDecorator => primitive('boolean', options);
/** One of a few words. */
export const Choice = (values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  primitive('string', options, { enum: [...values] });
/** Any JSON object. */
export const Json = (options: FieldOptions = {}): PropertyDecorator =>
  primitive('object', options, { additionalProperties: true });
/** A number for each of these names. */
export const Counts = (names: readonly string[], options: FieldOptions = {}): PropertyDecorator => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }]));
  // `required` names those of the object; `selfRequired` is the field's own
  return field(
    { type: 'object', properties, required: [...names], selfRequired: options.optional !== true },
    options,
    { counted: names },
  );
};
/** A JSON object by one of these schemas. */
export const OneOf = (schemas: { $ref: string }[]): PropertyDecorator => field({ oneOf: schemas }, {});
/** An object of another response class. */
export const Nested = (type: () => Type, options: FieldOptions = {}): PropertyDecorator =>
  field({ type: () => type() }, options, { nested: type });
/** A list of objects of another response class. */
export const ListOf = (type: () => Type, options: FieldOptions = {}): PropertyDecorator =>
  field({ type: () => [type()] }, options, { nested: type, list: true });

/** The fields of a class, the inherited ones first. */
function fieldsOf({ prototype }: Type): ViewField[] {
  const fields: ViewField[] = [];
  for (let owner = prototype as object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
    fields.unshift(...(FIELDS.get(owner) ?? []));
  return fields;
}

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
  for (const { name, nullable, isId, nested } of fieldsOf(type)) {
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
  return fieldsOf(type).flatMap(({ name, nested, list, counted }) => {
    if (list) return [`${name}.length`];
    const inner = nested ? columnsOf(nested()) : counted;
    return inner?.map((column) => `${name}.${column}`) ?? [name];
  });
}
