import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem, unknownField } from './problem.js';

/** No request has a reason to nest deeper; what looks into a body may then do so by recursion. */
const MAX_DEPTH = 32;
/** More than any object of any request has. */
const MAX_FIELDS = 64;
/** More than any list of any request may have; their own limits are lower and name the field. */
const MAX_ITEMS = 2_000;

/** Text that may contain the name of something that every object has. Searching a text is faster than a walk. */
const INHERITED = /"(?:__|constructor|toString|hasOwn|isProto|propertyIs|toLocale|valueOf)|\\u/;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses the JSON bodies of all requests; what is no request of ours by its shape is refused here. */
export function acceptJson(fastify: FastifyInstance): void {
  // names such as `__proto__` are refused below, as what they are
  const parse = fastify.getDefaultJsonParser('ignore', 'ignore');
  fastify.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request: FastifyRequest, body, done) => {
      // an empty heartbeat is a heartbeat, whatever its content type says
      if (body.length === 0) return done(null, undefined);
      try {
        limitShape(body);
      } catch (refusal) {
        return done(refusal as Error);
      }
      void parse(request, body, (error: Error | null, value?: unknown) => {
        if (error !== null) return done(error);
        try {
          if (INHERITED.test(body)) refuseInheritedNames(value);
          refuseOtherThanObject(value);
          done(null, value);
        } catch (refusal) {
          done(refusal as Error);
        }
      });
    },
  );
}

/**
 * Refuses JSON with objects of too many fields, with lists too long, or nested too deeply, before it is parsed: what
 * follows costs time for each of them. Whether it is JSON at all is for the parser to say.
 *
 * @throws Problem 400
 */
export function limitShape(text: string): void {
  let depth = 0;
  const limits: number[] = [0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        if (depth > MAX_DEPTH) throw tooDeep();
        limits[depth] = text.charCodeAt(at) === OPEN_LIST ? MAX_ITEMS : MAX_FIELDS;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        break;
      case COMMA:
        if ((limits[depth]! -= 1) === 0) throw tooMany();
    }
  }
}

/** The index of the closing quotation mark, or of the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return text.length;
}

function tooDeep(): Problem {
  return new Problem(400, 'too_deeply_nested', `The body is nested more than ${MAX_DEPTH} levels deep.`);
}

function tooMany(): Problem {
  const detail = `An object of the body has more than ${MAX_FIELDS} fields, or a list more than ${MAX_ITEMS} items.`;
  return new Problem(400, 'body_too_complex', detail);
}

/**
 * A body is an object: text, a number, a list or null is no request of ours.
 *
 * @throws Problem 400 `invalid_body`
 */
function refuseOtherThanObject(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new Problem(400, 'invalid_body', 'The body must be a JSON object.');
}

/**
 * Refuses fields named like what every object has (`constructor`, `__proto__`): they could change what an object is,
 * class-transformer drops them without a word, and an unknown field is to be refused by name.
 *
 * @throws Problem 400
 */
function refuseInheritedNames(value: unknown): void {
  const path = findInheritedName(value);
  if (path === undefined) return;
  const field = path.reduce<string>(
    (before, step) =>
      typeof step === 'number' ? `${before}[${step}]` : [before, step].filter(Boolean).join('.'),
    '',
  );
  const error = unknownField(field);
  throw new Problem(400, error.code, error.message, [error]);
}

/** The way to the first such field. It is put together once there is one: nearly all bodies have none. */
function findInheritedName(value: unknown): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const key in value) {
    if (key in Object.prototype) return [key];
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner !== 'object') continue;
    const path = findInheritedName(inner);
    if (path) return [isList ? Number(key) : key, ...path];
  }
  return undefined;
}
