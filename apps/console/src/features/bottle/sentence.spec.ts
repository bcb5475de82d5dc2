import type { Alert, StatusReason } from '../../api/types.js';
import { otherConditions, statusSentence } from './sentence.js';

const NOW = Date.parse('2026-03-02T08:37:00Z');
const BERLIN = 'Europe/Berlin';

type Facts = Parameters<typeof statusSentence>[0];

const bottle = (reasons: Omit<StatusReason, 'text'>[], more: Partial<Facts> = {}): Facts => ({
  reasons: reasons.map((reason) => ({ ...reason, text: '' })),
  last_heard_at: '2026-03-02T08:35:00Z',
  last_action: null,
  open_alerts: [],
  registered_at: '2026-02-01T10:00:00Z',
  ...more,
});

const missed = (subject: string): Alert => ({ kind: 'missed_dose', subject }) as Alert;

it.each<[string, Facts]>([
  [
    'Open since 09:14 CET, 23 min; last seen 2 min ago.',
    bottle([{ status: 'open', since: '2026-03-02T08:14:00Z' }]),
  ],
  ['Silent since 07:30 CET, 2 h 7 min.', bottle([{ status: 'silent', since: '2026-03-02T06:30:00Z' }])],
  [
    'Dose due 08:00 CET is 1 h 37 min late; last seen 2 min ago.',
    bottle([{ status: 'late', since: '2026-03-02T08:00:00Z' }], {
      open_alerts: [missed('2026-03-02T07:00:00Z')],
    }),
  ],
  [
    '2 doses are late, the first due Sun 1 Mar, 20:00 CET; last seen 2 min ago.',
    bottle([{ status: 'late', since: null }], {
      open_alerts: [missed('2026-03-02T07:00:00Z'), missed('2026-03-01T19:00:00Z')],
    }),
  ],
  [
    'Never connected since registration, Sun 1 Feb, 11:00 CET.',
    bottle([{ status: 'unknown', since: '2026-02-01T10:00:00Z' }], { last_heard_at: null }),
  ],
  ['No problems; last seen 2 min ago.', bottle([{ status: 'ok', since: null }])],
])('%s', (sentence, facts) => expect(statusSentence(facts, NOW, BERLIN)).toBe(sentence));

it('writes times in the given zone', () => {
  const open = bottle([{ status: 'open', since: '2026-03-02T08:14:00Z' }]);
  expect(statusSentence(open, NOW, 'America/New_York')).toBe(
    'Open since 03:14 EST, 23 min; last seen 2 min ago.',
  );
});

it('separates present conditions from those when it was last seen', () => {
  const also = { status: 'open', since: null } as const;
  expect(otherConditions(bottle([{ status: 'silent', since: null }, also]))).toEqual([
    'It was open when last seen.',
  ]);
  expect(otherConditions(bottle([{ status: 'late', since: null }, also]))).toEqual(['It is also open.']);
});
