import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  isEmail,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import { isInstant } from './instant.js';

/** Options of every field. */
interface FieldOptions {
  description?: string;
  optional?: boolean;
  example?: unknown;
}

interface RangeOptions extends FieldOptions {
  min: number;
  max: number;
}

interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** As JSON Schema names it, where the pattern does not say everything. */
  format?: string;
  /** What the pattern asks for, in words. */
  hint?: string;
}

/** An ISO 8601 instant with `Z` or an offset; the property holds the string. */
export function InstantField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { type: 'string', format: 'date-time', example: '2026-03-01T08:00:00Z' },
    options,
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: isInstant,
        defaultMessage: () => '$property must be a time such as 2026-03-01T08:00:00Z',
      },
    }),
    IsString(),
  );
}

/** A whole number within bounds. */
export function IntegerField(options: RangeOptions): PropertyDecorator {
  const { min, max } = options;
  return field({ type: 'integer', minimum: min, maximum: max }, options, Min(min), Max(max), IsInt());
}

/** A finite number within bounds. */
export function NumberField(options: RangeOptions): PropertyDecorator {
  const { min, max } = options;
  return field(
    { type: 'number', minimum: min, maximum: max },
    options,
    Min(min),
    Max(max),
    IsNumber({ allowNaN: false, allowInfinity: false }),
  );
}

/** Text of bounded length. */
export function TextField(options: TextOptions = {}): PropertyDecorator {
  const { min = 1, max = 200, pattern, format, hint } = options;
  return field(
    {
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(format && { format }),
      ...(pattern && published(pattern)),
    },
    options,
    MinLength(min),
    MaxLength(max),
    ...(pattern
      ? [Matches(pattern, { message: `$property ${hint ?? `must match ${pattern.source}`}` })]
      : []),
    IsString(),
  );
}

/** An e-mail address, of 254 characters at most. `isEmail` itself throws at half of a pair of surrogates. */
export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { type: 'string', format: 'email', maxLength: 254 },
    options,
    MaxLength(254),
    ValidateBy({
      name: 'isEmail',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !/\p{Cs}/u.test(value) && isEmail(value),
        defaultMessage: () => '$property must be an email',
      },
    }),
  );
}

/** JSON Schema has no flags, and not every reader of it knows Unicode's categories. */
function published({ source, unicode }: RegExp): { pattern?: string } {
  return unicode ? {} : { pattern: source };
}

/** One of a few words. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', enum: [...values] }, options, IsIn(values), IsString());
}

/** A list of a few words, each at most once. */
export function EnumListField(
  values: readonly string[],
  options: FieldOptions & { min?: number } = {},
): PropertyDecorator {
  const { min = 0 } = options;
  return field(
    {
      type: 'array',
      items: { type: 'string', enum: [...values] },
      uniqueItems: true,
      ...(min > 0 && { minItems: min }),
    },
    options,
    IsIn(values, { each: true }),
    ArrayMinSize(min),
    ArrayUnique(),
    IsArray(),
  );
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
  return field(ID_SCHEMA, options, IsId());
}

/** A list of ids of documents; at least one. */
export function IdListField({ max, description }: { max: number; description: string }): PropertyDecorator {
  return field(
    { type: 'array', items: ID_SCHEMA, minItems: 1, maxItems: max },
    { description },
    IsId({ each: true }),
    ArrayMinSize(1),
    ArrayMaxSize(max),
    IsArray(),
  );
}

/** `true` or `false`. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, IsBoolean());
}

/** The name of an IANA time zone. */
export function TimeZoneField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { type: 'string', example: 'Europe/Berlin' },
    options,
    ValidateBy({
      name: 'isTimeZoneName',
      validator: { validate: isTimeZone, defaultMessage: () => '$property must be an IANA time zone' },
    }),
    IsString(),
  );
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
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

/** `null` is not "left out": an optional field is absent or right. */
function field(
  schema: ApiPropertyOptions,
  options: FieldOptions,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const {
    optional = false,
    min: _min,
    max: _max,
    pattern: _pattern,
    hint: _hint,
    ...described
  } = options as FieldOptions & TextOptions;
  return applyDecorators(
    ApiProperty({ ...schema, ...described, required: !optional } as ApiPropertyOptions),
    ...(optional ? [ValidateIf((_, value) => value !== undefined)] : []),
    ...checks,
  );
}
