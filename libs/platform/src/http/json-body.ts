import { Problem } from './problem.js';

/** No request has a reason to nest deeper; what looks into a body may then do so by recursion. */
const MAX_DEPTH = 32;

/**
 * A body is an object: text, a number, a list or null is no request of ours.
 *
 * @throws Problem 400 `invalid_body`
 */
export function refuseOtherThanObject(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new Problem(400, 'invalid_body', 'The body must be a JSON object.');
}

/**
 * What no request of ours may look like, whatever its class says.
 *
 * - Nested too deeply: class-transformer recurses and would run out of stack.
 * - Fields named like what every object has (`constructor`, `toString`): class-transformer drops them without
 *   a word, and an unknown field is to be refused by name.
 *
 * @throws Problem 400
 */
export function refuseOddShapes(value: unknown, path = '', depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    throw new Problem(400, 'too_deeply_nested', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  for (const [key, inner] of Object.entries(value)) {
    const field = Array.isArray(value) ? `${path}[${key}]` : [path, key].filter(Boolean).join('.');
    if (key in Object.prototype) {
      throw Problem.field(field, 'unknown_field', `${field} is not a field of this request`);
    }
    refuseOddShapes(inner, field, depth + 1);
  }
}
