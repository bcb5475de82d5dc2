import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotIn,
  IsNumber,
  isEmail,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { field, type FieldOptions } from './field.js';
import { isInstant } from './instant.js';

interface RangeOptions extends FieldOptions {
  min: number;
  max: number;
}

interface MeasuredOptions extends RangeOptions {
  /** Within the bounds, and never meant: what devices send in place of a value. */
  except?: readonly number[];
}

interface TextOptions extends FieldOptions {
  /** In characters: without a greatest length and a pattern, any text is right, as in responses. */
  min?: number;
  max?: number;
  /** The shortest and the longest text that is right, where the bounds above would say less. */
  lengths?: readonly [min: number, max: number];
  pattern?: RegExp;
  /** As JSON Schema names it, where the pattern does not say everything. */
  format?: string;
  /** What the pattern asks for, in words. */
  hint?: string;
}

const NO_INSTANT = '$property must be a time such as 2026-03-01T08:00:00Z';

/**
 * An ISO 8601 instant with `Z` or an offset. In a request the property holds the string, in a response a Date that is
 * sent as one.
 */
export function InstantField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', format: 'date-time' }, options, [
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: isInstant,
        defaultMessage: () => NO_INSTANT,
      },
    }),
    IsString({ message: NO_INSTANT }),
  ]);
}

/** A whole number within bounds. */
export function IntegerField(options: RangeOptions): PropertyDecorator {
  const { min, max, ...described } = options;
  const schema = { type: 'integer', minimum: min, maximum: max };
  return field(schema, described, [Min(min), Max(max), IsInt()]);
}

const NO_PILLS = '$property must be a number of pills, in quarters';

/** A number of pills within bounds, in quarters. */
export function PillsField(options: MeasuredOptions): PropertyDecorator {
  const { min, max, except = [], ...described } = options;
  const schema = { type: 'number', minimum: min, maximum: max, multipleOf: 0.25, ...without(except) };
  return field(schema, described, [
    Min(min),
    Max(max),
    ...(except.length > 0 ? [IsNotIn(except)] : []),
    ValidateBy({
      name: 'isQuarters',
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value % 0.25 === 0,
        defaultMessage: () => NO_PILLS,
      },
    }),
    IsNumber({ allowNaN: false, allowInfinity: false }, { message: NO_PILLS }),
  ]);
}

/** A finite number; in requests within bounds. */
export function NumberField(options: FieldOptions & Partial<MeasuredOptions> = {}): PropertyDecorator {
  const { min, max, except = [], ...described } = options;
  const schema = {
    type: 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...without(except),
  };
  return field(schema, described, [
    ...(min === undefined ? [] : [Min(min)]),
    ...(max === undefined ? [] : [Max(max)]),
    ...(except.length > 0 ? [IsNotIn(except)] : []),
    IsNumber({ allowNaN: false, allowInfinity: false }),
  ]);
}

const without = (except: readonly number[]): object => (except.length > 0 ? { not: { enum: except } } : {});

/** Text; in requests of bounded length: with a pattern at most 200, unless it says more. */
export function TextField(options: TextOptions = {}): PropertyDecorator {
  const {
    pattern,
    format,
    hint,
    min = 1,
    max = pattern && 200,
    lengths = [min, max],
    ...described
  } = options;
  const schema = {
    type: 'string',
    ...(max !== undefined && { minLength: lengths[0], maxLength: lengths[1] }),
    ...(format && { format }),
    ...(pattern && published(pattern)),
  };
  return field(schema, described, [
    ...(max === undefined ? [] : [MinLength(min), MaxLength(max)]),
    ...(pattern
      ? [Matches(pattern, { message: `$property ${hint ?? `must match ${pattern.source}`}` })]
      : []),
    WELL_FORMED,
    IsString(),
  ]);
}

/** The database would store half of a pair of surrogates as another character. */
const WELL_FORMED = ValidateBy({
  name: 'isWellFormed',
  validator: {
    validate: (value: unknown) => typeof value !== 'string' || !/\p{Cs}/u.test(value),
    defaultMessage: () => '$property must not contain half of a pair of surrogates',
  },
});

/** An e-mail address, of 254 characters at most. `isEmail` itself throws at half of a pair of surrogates. */
export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', format: 'email', minLength: 6, maxLength: 254 }, options, [
    MaxLength(254),
    ValidateBy({
      name: 'isEmail',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !/\p{Cs}/u.test(value) && isEmail(value),
        defaultMessage: () => '$property must be an email',
      },
    }),
  ]);
}

/** White space, and what cannot be seen, as a part of a regular expression; every engine reads it alike. */
const BLANK = String.raw`\s\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0`;

/**
 * The id of a user in the operator's system. Two that people cannot tell apart would be two people, so there is no white
 * space around it, and inside one blank at a time; HTTP clients take `.` and `..` out of an address.
 */
export const USER_ID = {
  max: 200,
  pattern: new RegExp(`^(?!\\.{1,2}$)[^${BLANK}]+( [^${BLANK}]+)*$`),
  hint: 'must have no white space around it, none inside but single blanks, and be neither . nor ..',
} as const;

/** Whether a new user may have this id. */
export const isUserId = (text: string): boolean => text.length <= USER_ID.max && USER_ID.pattern.test(text);

/** JSON Schema has no flags, and not every reader of it knows Unicode's categories. */
function published({ source, unicode }: RegExp): { pattern?: string } {
  return unicode ? {} : { pattern: source };
}

/** One of a few words. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', enum: [...values] }, options, [IsIn(values), IsString()]);
}

/** A list of a few words, each at most once. */
export function EnumListField(
  values: readonly string[],
  options: FieldOptions & { min?: number } = {},
): PropertyDecorator {
  const { min = 0, ...described } = options;
  const schema = {
    type: 'array',
    items: { type: 'string', enum: [...values] },
    uniqueItems: true,
    ...(min > 0 && { minItems: min }),
  };
  return field(schema, described, [
    IsIn(values, { each: true }),
    ArrayMinSize(min),
    ArrayUnique(),
    IsArray(),
  ]);
}

/** The id of a document as requests write it. Others would be taken for numbers (`0x…`), or have two spellings. */
export const ID = /^[0-9a-f]{24}$/;

const ID_SCHEMA = { type: 'string', pattern: ID.source } as const;

function IsId(options?: ValidationOptions): PropertyDecorator {
  const validator = {
    validate: (value: unknown) => typeof value === 'string' && ID.test(value),
    defaultMessage: () => `$property must be ${options?.each ? 'ids of ' : ''}24 hex digits in lower case`,
  };
  return ValidateBy({ name: 'isId', validator }, options);
}

/** The id of a document. */
export function IdField(options: FieldOptions = {}): PropertyDecorator {
  return field(ID_SCHEMA, options, [IsId()], { isId: true });
}

/** A list of ids of documents; at least one. */
export function IdListField({ max, description }: { max: number; description: string }): PropertyDecorator {
  return field({ type: 'array', items: ID_SCHEMA, minItems: 1, maxItems: max }, { description }, [
    IsId({ each: true }),
    ArrayMinSize(1),
    ArrayMaxSize(max),
    IsArray(),
  ]);
}

/** `true` or `false`. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, [IsBoolean()]);
}

/** The name of an IANA time zone. */
export function TimeZoneField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', minLength: 2, example: 'Europe/Berlin' }, options, [
    ValidateBy({
      name: 'isTimeZoneName',
      validator: { validate: isTimeZone, defaultMessage: () => '$property must be an IANA time zone' },
    }),
    IsString(),
  ]);
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Any JSON object, of a response. */
export function JsonField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'object', additionalProperties: true }, options);
}

/** A number for each of these names, of a response. */
export function CountsField(names: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }]));
  // `required` names those of the object; `selfRequired` is the field's own
  const schema = {
    type: 'object',
    properties,
    required: [...names],
    selfRequired: options.optional !== true,
  };
  return field(schema, options, [], { counted: names });
}

/** A JSON object by one of these schemas, of a response. */
export function OneOfField(schemas: { $ref: string }[]): PropertyDecorator {
  return field({ oneOf: schemas }, {});
}

/** An object of another class, of a response. */
export function ObjectField(type: () => Type, options: FieldOptions = {}): PropertyDecorator {
  return field({ type: () => type() }, options, [], { nested: type });
}

/** A list of objects of another class, of a response. */
export function ListField(type: () => Type, options: FieldOptions = {}): PropertyDecorator {
  return field({ type: () => [type()] }, options, [], { nested: type, isList: true });
}

/** The OpenAPI schema of a value of one of several classes, which the document has by `ApiExtraModels`. */
export function oneOf(types: readonly Type[]): { oneOf: { $ref: string }[] } {
  return { oneOf: types.map((type) => ({ $ref: getSchemaPath(type) })) };
}

/** The field may only be there when another has a certain value. */
export function OnlyWhen(other: string, value: string): PropertyDecorator {
  return ValidateBy({
    name: 'forbiddenWith',
    validator: {
      validate: (given: unknown, context) =>
        given === undefined || (context?.object as Record<string, unknown> | undefined)?.[other] === value,
      defaultMessage: () => `goes with ${other} "${value}" only`,
    },
  });
}
