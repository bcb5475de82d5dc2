import { whySentences } from './why.js';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const why = (evidence: { rule: string } & Record<string, unknown>): string[] =>
  whySentences(evidence, 'Europe/Berlin', NOW);

it('explains a dose that was not taken', () => {
  expect(
    why({
      rule: 'late_after',
      scheduled_at: '2026-03-02T07:00:00Z',
      late_at: '2026-03-02T08:00:00Z',
      missed_at: '2026-03-02T11:00:00Z',
      pills_scheduled: 2,
      pills_taken: 0,
      heard_at: '2026-03-02T08:05:00Z',
    }),
  ).toEqual([
    'A dose of 2 pills was due at 08:00 CET. It is late from 09:00 CET and missed from 12:00 CET.',
    'No pills had been removed.',
    'The bottle reported after that, at 09:05 CET, so it was connected.',
  ]);
});

it('explains an open and a silent bottle', () => {
  expect(why({ rule: 'open_after', open_after_ms: 300_000, opened_at: '2026-03-02T07:00:00Z' })).toEqual([
    'It was opened at 08:00 CET and not closed for 5 min.',
  ]);
  expect(
    why({
      rule: 'silent_after',
      silent_after_ms: 3_600_000,
      last_heard_at: '2026-03-02T07:00:00Z',
      listened_ms: 3_600_000,
      unconfirmed_doses: ['2026-03-02T07:30:00Z'],
      heard_again_at: '2026-03-02T09:00:00Z',
    }),
  ).toEqual([
    'No report since 08:00 CET, for more than 1 h.',
    'This service was accepting reports for 1 h of that time.',
    'Doses that cannot be confirmed: 08:30 CET.',
    'It reported again at 10:00 CET.',
  ]);
  expect(
    why({
      rule: 'never_reported',
      registered_at: '2026-03-02T07:00:00Z',
      unconfirmed_doses: ['2026-03-02T07:30:00Z'],
      first_heard_at: '2026-03-02T09:00:00Z',
    }),
  ).toEqual([
    'It has never reported since it was registered on 08:00 CET.',
    'Doses that cannot be confirmed: 08:30 CET.',
    'It reported for the first time at 10:00 CET.',
  ]);
  expect(
    why({
      rule: 'silence_unseen',
      pills_scheduled: 1,
      scheduled_at: '2026-03-02T07:00:00Z',
      late_at: '2026-03-02T07:30:00Z',
      missed_at: '2026-03-02T07:45:00Z',
      pills_taken: 0,
      heard_at: '2026-03-02T09:00:00Z',
      outcome: 'unknown',
    }),
  ).toEqual([
    'A dose of 1 pill was due at 08:00 CET. It is late from 08:30 CET and missed from 08:45 CET.',
    'No pills had been removed.',
    'The bottle was not connected at its end, and reported again at 10:00 CET.',
  ]);
  const lost = {
    unreported_pills: 1,
    unreported_from: '2026-03-02T07:00:00Z',
    unreported_until: '2026-03-02T07:30:00Z',
  };
  const left =
    'By its count, 1 pill left the bottle between 08:00 CET and 08:30 CET, and no closing reported it.';
  expect(
    why({
      rule: 'closing_lost',
      pills_scheduled: 1,
      scheduled_at: '2026-03-02T07:00:00Z',
      late_at: '2026-03-02T07:30:00Z',
      missed_at: '2026-03-02T07:45:00Z',
      pills_taken: 0,
      heard_at: '2026-03-02T07:35:00Z',
      outcome: 'unknown',
      ...lost,
    }),
  ).toEqual([
    'A dose of 1 pill was due at 08:00 CET. It is late from 08:30 CET and missed from 08:45 CET.',
    'No pills had been removed.',
    'The bottle reported after that, at 08:35 CET, so it was connected.',
    left,
  ]);
  expect(
    why({
      rule: 'plan_not_monitored',
      pills_scheduled: 1,
      scheduled_at: '2026-03-02T07:00:00Z',
      late_at: '2026-03-02T07:30:00Z',
      missed_at: '2026-03-02T07:45:00Z',
      pills_taken: 0,
      heard_at: '2026-03-02T07:50:00Z',
      outcome: 'unknown',
      period: { reason: 'travel', at: '2026-03-01T07:00:00Z' },
    }),
  ).toEqual([
    'A dose of 1 pill was due at 08:00 CET. It is late from 08:30 CET and missed from 08:45 CET.',
    'No pills had been removed.',
    'The bottle reported after that, at 08:50 CET, so it was connected.',
    'It was entered that another bottle of the same plan was not monitored: travel.',
  ]);
});

it.each<[sentence: string, reported: object]>([
  [
    'Reported taken at 08:10 CET by the carer, 10:15 CET.',
    { settled: 'taken', by: 'the carer', taken_at: '2026-03-02T07:10:00Z' },
  ],
  [
    'Reported skipped (on medical advice) by the patient (recorded by Carol Smith), 10:15 CET.',
    { settled: 'skipped', by: 'the patient (recorded by Carol Smith)', reason: 'doctors_advice' },
  ],
  [
    'Reported skipped (no reason) by the first administrator, 10:15 CET.',
    { settled: 'skipped', by: 'ADMIN_TOKEN' },
  ],
  [
    'The statement “taken” was withdrawn by the patient, 10:15 CET.',
    { settled: 'withdrawn', was: 'taken', by: 'the patient' },
  ],
  [
    'The statement “skipped” was withdrawn by Carol Smith, 10:15 CET.',
    { settled: 'withdrawn', was: 'skipped', by: 'Carol Smith' },
  ],
])('says who ended it: %s', (sentence, reported) => {
  const facts = { at: '2026-03-02T09:15:00Z', entry: '65e0c0ffee65e0c0ffee0000', ...reported };
  expect(why({ rule: '', reported: facts })).toEqual([sentence]);
});

it('leaves nothing out that it has no sentence for', () => {
  expect(why({ rule: 'something_new', limit: 3, since: '2026-03-02T07:00:00Z' })).toEqual([
    'limit: 3',
    'since: 08:00 CET',
  ]);
});
