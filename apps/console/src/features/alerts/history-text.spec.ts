import type { AlertEvent } from '../../api/schema.js';
import { eventText } from './history-text.js';

const step = (event: AlertEvent['event'], note: string | null = null): AlertEvent => ({
  event,
  note,
  at: '2026-03-02T08:00:00Z',
  by: 'notifier',
  by_name: null,
  to: null,
  reason: null,
});

it.each([
  ['missed', [step('resolved')], ['Ended: Missed']],
  ['lid_closed', [step('resolved')], ['Ended: Lid closed']],
  // the first end was corrected
  ['missed', [step('resolved'), step('resolved')], ['Ended', 'Ended: Missed']],
  [
    'reported_taken',
    [step('resolved', 'reported skipped'), step('resolved', 'statement withdrawn, reported taken before')],
    ['Reported skipped', 'Statement withdrawn (reported taken before)'],
  ],
  ['reported_taken', [step('resolved', 'reported taken'), step('resolved')], ['Reported taken', 'Ended']],
] as const)('of an alert that ended as %s the history is %j: %j', (ended_as, history, texts) => {
  const alert = { state: 'resolved' as const, ended_as, history: [...history] };
  expect(history.map((entry) => eventText(entry, alert))).toEqual(texts);
});
