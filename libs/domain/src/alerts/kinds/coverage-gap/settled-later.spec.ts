import type { SlotJudgement } from '../../../doses/judge.js';
import { sampleAlert } from '../../testing.js';
import { settledLater } from './settled-later.js';

const now = new Date('2026-03-02T12:00:00Z');
const alert = sampleAlert('coverage_gap', { state: 'resolved' });

function settled(dose: Partial<SlotJudgement>, hasOwnAlert = false, of = alert) {
  return settledLater(of, { pills_taken: 0, ...dose } as SlotJudgement, hasOwnAlert, now)?.end;
}

it.each(['taken_early', 'taken_on_time', 'taken_late'] as const)(
  '%s is a correction that is sent',
  (outcome) => {
    const taken_at = new Date('2026-03-02T08:00:00Z');
    expect(settled({ outcome, pills_taken: 1, taken_at })).toEqual({
      state: 'retracted',
      owed: 'retracted',
      at: now,
      by: 'notifier',
      evidence: { outcome, pills_taken: 1, taken_at },
    });
  },
);

it('is not sent when an alert of the dose corrects itself', () => {
  const end = settled({ outcome: 'taken_on_time', pills_taken: 1 }, true);
  expect(end).toMatchObject({ state: 'retracted' });
  expect(end).not.toHaveProperty('owed');
});

it.each(['missed', 'partial'] as const)('%s is not sent: it has notifications of its own', (outcome) => {
  expect(settled({ outcome })).toMatchObject({ state: 'retracted', evidence: { outcome } });
  expect(settled({ outcome })).not.toHaveProperty('owed');
});

it('nothing is settled without an outcome, by "unknown", or twice', () => {
  expect(settled({})).toBeUndefined();
  expect(settled({ outcome: 'unknown' })).toBeUndefined();
  expect(
    settled({ outcome: 'taken_late' }, false, sampleAlert('coverage_gap', { state: 'retracted' })),
  ).toBeUndefined();
});
