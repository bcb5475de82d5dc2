import type { Expected } from '#persistence';
import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

const VERSION = '"([0-9a-f]{24}|0)"';
const VERSIONS = `${VERSION}( *, *${VERSION})*`;
const LIST = new RegExp(`^${VERSIONS}$`);

/** What `If-Match` allows. @throws Problem 400 `invalid_precondition` */
function readExpected({ headers }: FastifyRequest): Expected {
  const text = headers['if-match']?.trim();
  if (text === undefined || text === '*') return text;
  if (LIST.test(text)) return text.match(/[0-9a-f]+/g)!;
  throw Problem.field('If-Match', 'invalid_precondition', 'If-Match must be an ETag of this resource, or *');
}

const describe: ParameterDecorator = (target, key) => {
  const route = Object.getOwnPropertyDescriptor(target, key!)!;
  const header = {
    name: 'If-Match',
    required: false,
    description: 'The ETag of the version that the change is based on. If there is another by now: 412.',
    schema: { type: 'string' as const, pattern: `^(\\*|${VERSIONS})$` },
  };
  ApiHeader(header)(target, key!, route);
};

/** The versions that the request's `If-Match` allows. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) => readExpected(context.switchToHttp().getRequest()),
  [describe],
);

/** Sends the version of a resource as its ETag. */
export function sendVersion(reply: FastifyReply, version: string): void {
  void reply.header('etag', `"${version}"`);
}

/** The resource has another version by now. */
export function changedMeanwhile(): Problem {
  return new Problem(412, 'changed_meanwhile', 'It was changed since you loaded it. Load it again.');
}
