import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Types } from 'mongoose';

/** A document's id out of 24 hex digits. @throws Problem 400 `invalid_id` naming the field */
export function toObjectId(text: unknown, field: string): Types.ObjectId {
  if (typeof text === 'string' && /^[0-9a-f]{24}$/i.test(text)) return new Types.ObjectId(text);
  throw Problem.field(field, 'invalid_id', `${field} must be 24 hex digits`);
}

/** A delivery's id: 32 hex digits. @throws Problem 400 `invalid_id` naming the field */
export function toMessageId(text: unknown, field: string): string {
  if (typeof text === 'string' && /^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  throw Problem.field(field, 'invalid_id', `${field} must be 32 hex digits`);
}

/** The id in the path, as an ObjectId. */
export const IdParam = idParam(toObjectId, '^[0-9a-fA-F]{24}$');

/** A delivery's id in the path. */
export const MessageIdParam = idParam(toMessageId, '^[0-9a-fA-F]{32}$');

// A decorator of our own, because the global validation pipe would take ObjectId for a DTO.
function idParam<T>(read: (text: unknown, field: string) => T, pattern: string): () => ParameterDecorator {
  const factory = (_: unknown, context: ExecutionContext): T => {
    const { params } = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: Record<string, unknown> }>>();
    return read(params['id'], 'id');
  };
  const describe: ParameterDecorator = (target, key) => {
    if (key === undefined) return;
    const route = Object.getOwnPropertyDescriptor(target, key)!;
    ApiParam({ name: 'id', schema: { type: 'string', pattern } })(target, key, route);
  };
  return createParamDecorator(factory, [describe]);
}
