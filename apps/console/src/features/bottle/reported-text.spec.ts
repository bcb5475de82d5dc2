import type { Reported } from '../../api/schema.js';
import { actorName, reportedText } from './reported-text.js';

/** 09:37 in Berlin. */
const NOW = Date.parse('2026-03-02T08:37:00Z');
const TAKEN: Reported = {
  id: '1',
  at: '2026-03-02T08:15:00Z',
  outcome: 'taken_on_time',
  taken_at: '2026-03-02T07:10:00Z',
  pills: 1,
  source: null,
  reason: null,
  note: null,
  attested_by: 'carer',
  recorded_by: 'Carol Smith',
  agreement: 'disagrees',
};

it.each<[Partial<Reported>, string]>([
  [{}, 'Reported taken at 08:10 by the carer, 09:15; recorded by Carol Smith. Differs from the measurement.'],
  [
    { outcome: 'taken', taken_at: null, source: 'elsewhere', attested_by: 'user', recorded_by: 'user:anna' },
    'Reported taken from elsewhere by the patient, 09:15. Differs from the measurement.',
  ],
  [
    { outcome: 'skipped', taken_at: null, reason: 'away', attested_by: 'staff', agreement: 'agrees' },
    'Reported skipped (not at home) by Carol Smith, 09:15. Matches the measurement.',
  ],
  [
    { outcome: 'partial', note: 'one is left', attested_by: 'staff', agreement: 'unproven' },
    'Reported partly taken (1 pill) at 08:10 by Carol Smith, 09:15: one is left. Not measured by the bottle.',
  ],
  [
    { recorded_by: 'ADMIN_TOKEN' },
    'Reported taken at 08:10 by the carer, 09:15; recorded by the first administrator. Differs from the measurement.',
  ],
  [
    { recorded_by: 'ADMIN_TOKEN', attested_by: 'staff' },
    'Reported taken at 08:10 by the first administrator, 09:15. Differs from the measurement.',
  ],
])('%j is worded: %s', (given, text) => {
  expect(reportedText({ ...TAKEN, ...given }, NOW, 'Europe/Berlin').replaceAll(' CET', '')).toBe(text);
});

it.each([
  [['carer.jonas:anna', 'Jonas Berg'], 'Jonas Berg'],
  [['carer.jonas:anna', null], 'the carer jonas'],
  [['carer:anna'], 'the carer'],
  [['user:anna', 'Anna'], 'Anna'],
  [['ADMIN_TOKEN', 'ADMIN_TOKEN'], 'the first administrator'],
] as const)('%j did it: %s', ([by, name], text) => {
  expect(actorName(by, name)).toBe(text);
});
