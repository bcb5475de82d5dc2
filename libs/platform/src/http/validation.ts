import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  type Type,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type CompiledCheck, compileCheck, fieldsOf } from './compiled-check.js';
import { Problem, unknownField, type FieldError } from './problem.js';

/** class-validator's names for what is wrong, in the codes of our contract. */
const CODES: Record<string, string> = {
  whitelistValidation: 'unknown_field',
  isDefined: 'missing_field',
  isNotEmpty: 'missing_field',
  min: 'out_of_range',
  max: 'out_of_range',
  isNotIn: 'out_of_range',
  minLength: 'out_of_range',
  maxLength: 'out_of_range',
  isLength: 'out_of_range',
  arrayMinSize: 'out_of_range',
  arrayMaxSize: 'too_many_items',
  isIn: 'invalid_value',
  isQuarters: 'invalid_value',
  isInstant: 'invalid_time',
  matches: 'invalid_value',
  isWellFormed: 'invalid_value',
  isId: 'invalid_id',
  isTimeZoneName: 'invalid_value',
  forbiddenWith: 'forbidden_field',
};

/** Errors in one response. */
const MAX_ERRORS = 20;

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
  if (unknown) return [unknownField(field)];
  const forbidden = constraints.find(([name]) => name === 'forbiddenWith');
  if (forbidden) return [{ field, code: 'forbidden_field', message: `${field} ${forbidden[1]}` }];
  if (error.value === undefined) return [{ field, code: 'missing_field', message: `${field} is missing` }];
  // a wrong type says it all: "must be a number" makes "must not be less than 0" noise
  const [name, message] = constraints.find(([key]) => CODES[key] === undefined) ?? constraints[0]!;
  return [{ field, code: CODES[name] ?? 'invalid_type', message: message.replace(error.property, field) }];
}

const RULES = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/**
 * The project's one way to check bodies and queries: unknown fields are refused by name, nothing is guessed.
 * What is right is recognised fast; class-validator itself says what is wrong with the rest.
 */
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      ...RULES,
      transform: true,
      validationError: { target: false, value: true },
      exceptionFactory: (errors) => invalidRequest(fieldErrors(errors)),
    });
  }

  override transform(value: unknown, { type, metatype, data }: ArgumentMetadata): Promise<unknown> {
    const isBody = type === 'body' || data === OPTIONAL;
    if (!isBody) {
      if (type === 'query' && metatype) refuseUnknownField(metatype as Type<object>, value);
      return super.transform(value, { type, metatype, data });
    }
    const accepted = metatype && acceptBody(metatype as Type<object>, value ?? {});
    if (!accepted && metatype) refuseUnknownField(metatype as Type<object>, value);
    const checked = accepted
      ? Promise.resolve(accepted)
      : super.transform(value ?? {}, { type: 'body', metatype, data: undefined });
    return value === undefined && data !== OPTIONAL ? checked.then(refuseMissing) : checked;
  }
}

/** A body of which every field is optional must be sent, too: a request without one is a mistake of its sender. */
export function refuseMissing(): never {
  throw Problem.field('body', 'missing_field', 'body is missing');
}

const OPTIONAL = 'the body, if there is one';
const optionalBody = createParamDecorator(
  (_: string, context: ExecutionContext): unknown => context.switchToHttp().getRequest<FastifyRequest>().body,
);

/** The body of a request that may have none; then it is an object without fields. */
export const OptionalBody = (): ParameterDecorator => optionalBody(OPTIONAL);

/** 400 with the first error's code on top and the first errors by field below. */
export function invalidRequest(errors: FieldError[]): Problem {
  const first = errors[0] ?? { field: '', code: 'invalid_body', message: 'The body is not an object' };
  return new Problem(400, first.code, `${first.message}.`, errors.slice(0, MAX_ERRORS));
}

/** Before class-validator looks at anything: it would describe each unknown field at length. @throws Problem 400 */
function refuseUnknownField(type: Type<object>, value: unknown): void {
  const known = fieldsOf(type);
  if (typeof value !== 'object' || value === null || known.size === 0) return;
  for (const field of Object.keys(value)) if (!known.has(field)) throw invalidRequest([unknownField(field)]);
}

/** Checks a part of a body against its class, by the rules of {@link RequestValidationPipe}. @throws Problem 400 */
export function checkBody<T extends object>(type: Type<T>, body: object): T {
  const accepted = acceptBody(type, body);
  if (accepted) return accepted;
  refuseUnknownField(type, body);
  const instance = plainToInstance(type, body);
  const errors = validateSync(instance, RULES);
  if (errors.length > 0) throw invalidRequest(fieldErrors(errors));
  return instance;
}

/** What is wrong with the fields of a body, in the codes of our contract; one error for each. */
export function fieldErrorsOf(type: Type<object>, body: object): FieldError[] {
  return fieldErrors(validateSync(plainToInstance(type, body), RULES));
}

const compiled = new WeakMap<Type<object>, CompiledCheck | false>();

/** The body as an instance of its class, if it is quickly seen to be right. */
export function acceptBody<T extends object>(type: Type<T>, body: unknown): T | undefined {
  let check = compiled.get(type);
  if (check === undefined) compiled.set(type, (check = compileCheck(type) ?? false));
  if (!check || typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return check(body) ? Object.assign(new type(), body) : undefined;
}
