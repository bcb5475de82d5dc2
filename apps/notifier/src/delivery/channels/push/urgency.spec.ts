import { urgencyOf } from './urgency.js';

const DAY_S = 86_400;

it.each([
  ['missed_dose', 'raised', 'high', DAY_S],
  ['missed_dose', 'missed', 'high', DAY_S],
  ['missed_dose', 'resolved', 'normal', DAY_S],
  ['extra_dose', 'escalated', 'high', DAY_S],
  ['help_requested', 'raised', 'high', DAY_S],
  ['dose_reminder', 'raised', 'high', 3_600],
  ['battery_low', 'raised', 'normal', 3 * DAY_S],
] as const)('of %s, %s is %s, and kept for %d s', (kind, event, urgency, ttl) =>
  expect(urgencyOf({ kind, event })).toEqual({ urgency, ttl }),
);
