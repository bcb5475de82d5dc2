import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { Problem, type FieldError } from './problem.js';

/** class-validator's names for what is wrong, in the codes of our contract. */
const CODES: Record<string, string> = {
  whitelistValidation: 'unknown_field',
  isDefined: 'missing_field',
  isNotEmpty: 'missing_field',
  min: 'out_of_range',
  max: 'out_of_range',
  minLength: 'out_of_range',
  maxLength: 'out_of_range',
  isLength: 'out_of_range',
  arrayMinSize: 'out_of_range',
  arrayMaxSize: 'too_many_items',
  isIn: 'invalid_value',
  isInstant: 'invalid_time',
  matches: 'invalid_value',
  isMongoId: 'invalid_id',
  isTimeZoneName: 'invalid_value',
  forbiddenWith: 'forbidden_field',
};

/** Flattens class-validator's tree to one entry a field, with paths such as `items[3].time`. */
export function fieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const field = /^\d+$/.test(error.property)
      ? `${parent}[${error.property}]`
      : [parent, error.property].filter(Boolean).join('.');
    return [...ownErrors(error, field), ...fieldErrors(error.children ?? [], field)];
  });
}

function ownErrors(error: ValidationError, field: string): FieldError[] {
  const constraints = Object.entries(error.constraints ?? {});
  if (constraints.length === 0) return [];
  const unknown = constraints.find(([name]) => name === 'whitelistValidation');
  if (unknown) return [{ field, code: 'unknown_field', message: `${field} is not a field of this request` }];
  const forbidden = constraints.find(([name]) => name === 'forbiddenWith');
  if (forbidden) return [{ field, code: 'forbidden_field', message: `${field} ${forbidden[1]}` }];
  if (error.value === undefined) return [{ field, code: 'missing_field', message: `${field} is missing` }];
  // a wrong type says it all: "must be a number" makes "must not be less than 0" noise
  const [name, message] = constraints.find(([key]) => CODES[key] === undefined) ?? constraints[0]!;
  return [{ field, code: CODES[name] ?? 'invalid_type', message: message.replace(error.property, field) }];
}

/** The project's one way to check bodies and queries: unknown fields are refused by name, nothing is guessed. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    validationError: { target: false, value: true },
    exceptionFactory: (errors) => invalidRequest(fieldErrors(errors)),
  });
}

/** 400 with the first error's code on top and every error by field below. */
export function invalidRequest(errors: FieldError[]): Problem {
  const first = errors[0] ?? { field: '', code: 'invalid_body', message: 'The body is not an object' };
  return new Problem(400, first.code, `${first.message}.`, errors);
}

/** Checks a part of a body against its class, by the rules of {@link createValidationPipe}. @throws Problem 400 */
export function checkBody<T extends object>(type: new () => T, body: object): T {
  const instance = plainToInstance(type, body);
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  if (errors.length > 0) throw invalidRequest(fieldErrors(errors));
  return instance;
}
