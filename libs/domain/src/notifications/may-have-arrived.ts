import type { Delivery } from './delivery.schema.js';

/**
 * Whether it was delivered, or sent without an answer: for example because the receiver was slow or the notifier was
 * killed (alertmanager#2657).
 */
export function mayHaveArrived({ status, attempts, earlier_attempts = [] }: Delivery): boolean {
  if (status === 'delivered') return true;
  return [...earlier_attempts, ...attempts].some(
    ({ ok, status: answer, unsent }) => !ok && answer === undefined && !unsent,
  );
}
