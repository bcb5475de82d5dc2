import type { Attempt, Receipt } from './delivery.js';
import { afterReceipt, receiptThatCounts } from './receipts.js';

const AT = new Date('2026-03-02T08:00:00Z');
const EARLIER = new Date('2026-03-02T07:00:00Z');
const NOW = new Date('2026-03-02T08:01:00Z');
const number = '+4915100000001';
const attempt = (at: Date, more: Partial<Attempt> = {}): Attempt => ({
  at,
  ok: true,
  address: number,
  ...more,
});
const receipt = (state: Receipt['state'], attempt_at = AT): Receipt => ({ attempt_at, at: NOW, state });

it.each<[receipts: Receipt[], state: Receipt['state'] | undefined]>([
  [[], undefined],
  [[receipt('accepted')], 'accepted'],
  // in whatever order they come
  [[receipt('failed'), receipt('accepted')], 'failed'],
  [[receipt('failed'), receipt('refused')], 'refused'],
  // a phone that has a message keeps it: what comes late, or again, does not send it a second time
  [[receipt('delivered'), receipt('failed')], 'delivered'],
  [[receipt('refused'), receipt('delivered')], 'delivered'],
  [[receipt('refused', EARLIER)], undefined],
])('of the receipts %j that which counts is %s', (receipts, state) => {
  expect(receiptThatCounts({ attempts: [attempt(EARLIER), attempt(AT)], receipts })?.state).toBe(state);
});

it('what a receipt makes delivered counts for the limit of its number', () => {
  const delivery = { status: 'pending' as const, attempts: [attempt(AT, { ok: false, error: 'timeout' })] };
  expect(afterReceipt(delivery, receipt('delivered'), NOW, 0.5)).toEqual({
    kind: 'delivered',
    attempt: attempt(AT),
    toPerson: true,
    toNumber: number,
  });
});
