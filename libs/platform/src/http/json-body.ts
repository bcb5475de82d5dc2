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
export function refuseOddShapes(value: unknown): void {
  const oddity = findOddity(value, 0);
  if (oddity === undefined) return;
  if (oddity === 'too deep') {
    throw new Problem(400, 'too_deeply_nested', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const field = oddity.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : [path, step].filter(Boolean).join('.')),
    '',
  );
  throw Problem.field(field, 'unknown_field', `${field} is not a field of this request`);
}

/** The way to the first oddity. It is put together once there is one: nearly all bodies have none. */
function findOddity(value: unknown, depth: number): (string | number)[] | 'too deep' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return 'too deep';
  const isList = Array.isArray(value);
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (key in Object.prototype) return [key];
    if (typeof inner !== 'object') continue;
    const oddity = findOddity(inner, depth + 1);
    if (oddity) return oddity === 'too deep' ? oddity : [isList ? Number(key) : key, ...oddity];
  }
  return undefined;
}
