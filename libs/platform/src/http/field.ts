import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** Options of every field, of requests and of responses. */
export interface FieldOptions {
  description?: string;
  example?: unknown;
  /** It may be left out: of a request, and of a response if the document does not have it. */
  optional?: boolean;
  /** `null` in a response if the document does not have it; in a request, if the field is optional, for none. */
  nullable?: boolean;
}

/** A field as it was declared, for what reads documents into responses. */
export interface DeclaredField {
  name: string;
  nullable: boolean;
  /** A document without it is broken and cannot be sent. */
  isId: boolean;
  /** The class of a nested object, or of each entry of a list. */
  nested?: () => Type;
  isList: boolean;
  /** The names of an object with a number for each. */
  counted?: readonly string[];
}

const DECLARED = new WeakMap<object, DeclaredField[]>();

/**
 * Declares a field once for all that uses it: the OpenAPI document, the checks of requests, and the views of documents
 * in responses.
 *
 * `null` in a request is not "left out": an optional field that is not nullable is absent or right.
 */
export function field(
  schema: object,
  { optional = false, nullable = false, ...described }: FieldOptions,
  checks: PropertyDecorator[] = [],
  more: Partial<DeclaredField> = {},
): PropertyDecorator {
  const options = { required: !optional, ...(nullable && { nullable }), ...schema, ...described };
  return applyDecorators(
    ApiProperty(options),
    ...(optional ? [ValidateIf((_, value) => value !== undefined && !(nullable && value === null))] : []),
    ...checks,
    (prototype: object, name: string | symbol) => {
      const fields = DECLARED.get(prototype) ?? [];
      const own = { name: String(name), nullable, isId: false, isList: false, ...more };
      DECLARED.set(prototype, [...fields, own]);
    },
  );
}

/** The fields of a class, the inherited ones first. */
export function declaredFields({ prototype }: Type): DeclaredField[] {
  const fields: DeclaredField[] = [];
  for (let owner = prototype as object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
    fields.unshift(...(DECLARED.get(owner) ?? []));
  return fields;
}
