import { checkBody, Problem } from '#platform';
import { ActionDto } from '../actions/action.dto.js';
import { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';

/** One report of a batch, in the right form. */
export type BatchItem = { kind: 'heartbeat'; body: HeartbeatDto } | { kind: 'action'; body: ActionDto };

/** @throws Problem 400 */
export function readItem(item: unknown): BatchItem {
  const { type, ...body } = asObject(item);
  if (type === 'heartbeat') return { kind: type, body: checkBody(HeartbeatDto, body) };
  if (type === 'action') return { kind: type, body: checkBody(ActionDto, body) };
  throw Problem.field(
    'type',
    type === undefined ? 'missing_field' : 'invalid_value',
    'type must be heartbeat or action',
  );
}

/** @throws Problem 400 */
export function asObject(item: unknown): Record<string, unknown> {
  if (typeof item === 'object' && item !== null && !Array.isArray(item))
    return item as Record<string, unknown>;
  throw new Problem(400, 'invalid_type', 'An item must be an object.');
}

/** An item that is wrong does not stop the others: its problem stands in its place. */
export function orProblem<T>(read: () => T): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
