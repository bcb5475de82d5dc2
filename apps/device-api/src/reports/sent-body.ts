import { refuseMissing } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * The body of a request as it was sent: an object of which no field was checked yet (`understand`).
 *
 * `whole` throws Problem 400 if there is none; `if any` takes that for an object without fields.
 */
export const SentBody = createParamDecorator(
  (needed: 'whole' | 'if any', context: ExecutionContext): object => {
    const { body } = context.switchToHttp().getRequest<FastifyRequest<{ Body: object | undefined }>>();
    return body === undefined && needed === 'whole' ? refuseMissing() : (body ?? {});
  },
);
