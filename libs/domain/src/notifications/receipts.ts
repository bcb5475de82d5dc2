import { afterFailure, afterRefusal } from './backoff.js';
import type { Delivery, DeliveryResult, Receipt } from './delivery.js';

/** How much of what a network says is kept. Characters. */
const MOST_OF_REPLY = 200;

/** What a network says, as it is kept: one line of visible characters. */
export function asReply(text: string | undefined): string | undefined {
  const line = text
    ?.replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_OF_REPLY)
    .replace(/\p{Cs}/gu, '');
  return line === '' ? undefined : line;
}

/** Which receipt for the last attempt counts: that the phone has the message, or else the last that says what became of it. */
export function receiptThatCounts({
  attempts,
  receipts = [],
}: Pick<Delivery, 'attempts' | 'receipts'>): Receipt | undefined {
  const attemptAt = attempts.at(-1)?.at.getTime();
  const ofAttempt = receipts.filter(({ attempt_at }) => attempt_at.getTime() === attemptAt);
  return (
    ofAttempt.find(({ state }) => state === 'delivered') ??
    ofAttempt.findLast(({ state }) => state !== 'accepted') ??
    ofAttempt.at(-1)
  );
}

/** What a receipt makes of a notification; undefined if nothing: another attempt, or address, has followed. */
export function afterReceipt(
  delivery: Pick<Delivery, 'status' | 'attempts' | 'early'>,
  { attempt_at, state, reply }: Receipt,
  now: Date,
  random: number,
): DeliveryResult | undefined {
  const last = delivery.attempts.at(-1);
  if (last?.at.getTime() !== attempt_at.getTime()) return undefined;
  const { error: _error, unsent: _unsent, ...attempt } = last;
  if (state === 'accepted' || state === 'delivered') {
    // the gateway did not answer in time, and has sent it
    if (delivery.status !== 'pending' || last.ok) return undefined;
    return { kind: 'delivered', attempt: { ...attempt, ok: true }, toPerson: true, toNumber: last.address };
  }
  const isOver = delivery.status === 'cancelled' || delivery.status === 'dead';
  if (isOver || (delivery.status === 'pending' && last.ok)) return undefined;
  const failed = { ...attempt, ok: false, error: reply ?? 'not delivered', unsent: true } as const;
  const before = { ...delivery, attempts: delivery.attempts.slice(0, -1) };
  return state === 'failed'
    ? afterFailure(before, failed, false, random)
    : afterRefusal(delivery, failed, now);
}
