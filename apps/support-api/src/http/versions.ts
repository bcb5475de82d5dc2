import { type Expected, versionOf } from '#persistence';
import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOfContent } from './etag.js';

/** The version, and after a full stop what the response contained besides: that does not matter to a change. */
const VERSION = '"([0-9a-f]{24}|0)([.][-_A-Za-z0-9]{27})?"';
const VERSIONS = `${VERSION}( *, *${VERSION})*`;
const LIST = new RegExp(`^${VERSIONS}$`);

/** What `If-Match` allows. @throws Problem 400 `invalid_precondition` */
function readExpected({ headers }: FastifyRequest): Expected {
  const text = headers['if-match']?.trim();
  if (text === undefined || text === '*') return text;
  if (LIST.test(text)) return [...text.matchAll(/"([0-9a-f]+)/g)].map(([, version]) => version!);
  throw Problem.field('If-Match', 'invalid_precondition', 'If-Match must be an ETag of this resource, or *');
}

/** Describes a header of the route in the API's description. */
const described =
  (name: string, pattern: string, description: string): ParameterDecorator =>
  (target, key) => {
    const header = { name, required: false, description, schema: { type: 'string' as const, pattern } };
    ApiHeader(header)(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
  };

const MATCH = described(
  'If-Match',
  `^(\\*|${VERSIONS})$`,
  'The ETag of the version that the change is based on. If the version is another: 412.',
);
const NONE_MATCH = described(
  'If-None-Match',
  '^\\*$',
  '`*`: make the resource, and replace none. If there is one: 412. Not with If-Match.',
);

/** What a request may ask of a resource that a PUT makes or replaces; `new`: that there is none yet. */
export type Precondition = Expected | 'new';

/** What `If-Match` or `If-None-Match` allows. @throws Problem 400 `invalid_precondition` */
function readPrecondition(request: FastifyRequest): Precondition {
  const { 'if-none-match': none, 'if-match': match } = request.headers;
  if (none === undefined) return readExpected(request);
  if (none.trim() === '*' && match === undefined) return 'new';
  throw Problem.field('If-None-Match', 'invalid_precondition', 'If-None-Match must be *, without If-Match');
}

/** What the request's `If-Match` or `If-None-Match` allows. */
export const IfMatchOrNone = createParamDecorator(
  (_: unknown, context: ExecutionContext) => readPrecondition(context.switchToHttp().getRequest()),
  [MATCH, NONE_MATCH],
);

/** The versions that the request's `If-Match` allows. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) => readExpected(context.switchToHttp().getRequest()),
  [MATCH],
);

/**
 * Sends the version of a resource as its ETag.
 *
 * @param view the whole resource, if that is what is sent: part of it changes without a new version
 */
export function sendVersion(reply: FastifyReply, version: string, view?: object): void {
  void reply.header('etag', view ? `"${version}.${hashOfContent(view)}"` : `"${version}"`);
}

/** @throws Problem 412 if what was found has none of the versions that `If-Match` allows */
export function requireVersion(found: Parameters<typeof versionOf>[0], expected: Expected): void {
  if (Array.isArray(expected) && !expected.includes(versionOf(found))) throw changedMeanwhile();
}

/** The resource has another version than those of If-Match. */
export const changedMeanwhile = (): Problem =>
  new Problem(
    412,
    'changed_meanwhile',
    'It was changed since you loaded it, or the ETag in If-Match is not its own. Load it again.',
  );

/** Whether a request may make or replace what was found; null for nothing. */
export function isAllowed(expected: Precondition, found: Parameters<typeof versionOf>[0] | null): boolean {
  if (expected === undefined) return true;
  if (expected === 'new' || !found) return expected === 'new' && !found;
  return expected === '*' || expected.includes(versionOf(found));
}

/** A resource was not made, or not changed, because of the request's precondition. @param isThere whether there is one */
export function preconditionFailed(expected: Precondition, isThere: boolean): Problem {
  if (expected === 'new')
    return new Problem(412, 'changed_meanwhile', 'There is one already, and If-None-Match: * replaces none.');
  if (isThere) return changedMeanwhile();
  return new Problem(412, 'changed_meanwhile', 'There is none, and If-Match changes only one that there is.');
}
