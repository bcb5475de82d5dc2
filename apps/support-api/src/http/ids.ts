import { isUserId, Problem, USER_ID } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Types } from 'mongoose';

/** An id of 24 hex digits in lower case. @throws Problem 400 `invalid_id` naming the field */
export const toObjectId = (text: string | undefined, field: string): Types.ObjectId =>
  new Types.ObjectId(hexDigits(24, text, field));

/** The id in the path, as an ObjectId. */
export const IdParam = idParam(24, toObjectId);

/** A statement's id in the path of its bottle, as an ObjectId. */
export const AttestationIdParam = idParam(24, toObjectId, 'attestation_id');

/** A period's id in the path of its bottle or person: 24 hex digits, in lower case. */
export const PeriodIdParam = idParam(24, (text, field) => hexDigits(24, text, field), 'period_id');

/** A delivery's id in the path: 32 hex digits, in lower case. */
export const MessageIdParam = idParam(32, (text, field) => hexDigits(32, text, field));

/** A user's id in the path, as the operator chose it. Ids of before {@link USER_ID} are read and erased as they are. */
export const UserIdParam = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<FastifyRequest<{ Params: { user_id: string } }>>().params.user_id,
  [
    (target, key) => {
      const schema = {
        type: 'string',
        minLength: 1,
        maxLength: USER_ID.max,
        pattern: USER_ID.pattern.source,
      };
      ApiParam({ name: 'user_id', schema })(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
    },
  ],
);

/** Of a user nothing is stored: by this id nothing can be. @returns Problem 400 `invalid_value`; 404 if it could be */
export function nothingOfUser(userId: string, what: string): Problem {
  return isUserId(userId)
    ? Problem.notFound(what)
    : Problem.field('user_id', 'invalid_value', `user_id ${USER_ID.hint}`);
}

function hexDigits(digits: number, text: string | undefined, field: string): string {
  if (text?.length === digits && /^[0-9a-f]+$/.test(text)) return text;
  throw Problem.field(field, 'invalid_id', `${field} must be ${digits} hex digits in lower case`);
}

/** A parameter decorator of our own, because the global validation pipe would take an ObjectId for a DTO. */
function idParam<T>(
  digits: number,
  read: (text: string | undefined, field: string) => T,
  name = 'id',
): () => ParameterDecorator {
  const factory = (_: unknown, context: ExecutionContext): T => {
    const { params } = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    return read(params[name], name);
  };
  const pattern = `^[0-9a-f]{${digits}}$`;
  const describe: ParameterDecorator = (target, key) => {
    if (key === undefined) return;
    const route = Object.getOwnPropertyDescriptor(target, key)!;
    ApiParam({ name, schema: { type: 'string', pattern } })(target, key, route);
  };
  return createParamDecorator(factory, [describe]);
}
