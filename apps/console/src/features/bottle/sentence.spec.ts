import type { Device } from '../../api/schema.js';
import { deviceSentence, whenLastSeen } from './sentence.js';

const NOW = Date.parse('2026-03-02T08:37:00Z');
const BERLIN = 'Europe/Berlin';

type Facts = Parameters<typeof deviceSentence>[0];

const bottle = (device: Omit<Device, 'text'>, more: Partial<Facts> = {}): Facts => ({
  device: { ...device, text: '' },
  reasons: [],
  last_heard_at: '2026-03-02T08:35:00Z',
  last_action: null,
  registered_at: '2026-02-01T10:00:00Z',
  ...more,
});

const closed = { action: 'closed', time: '2026-03-02T08:14:00Z' } as Facts['last_action'];

it.each<[string, Facts]>([
  [
    'Open since 09:14 CET, 23 min; last seen 2 min ago.',
    bottle({ status: 'open', since: '2026-03-02T08:14:00Z' }),
  ],
  ['Silent since 07:30 CET, 2 h 7 min.', bottle({ status: 'silent', since: '2026-03-02T06:30:00Z' })],
  [
    'Never connected since registration, Sun 1 Feb, 11:00 CET.',
    bottle({ status: 'unknown', since: '2026-02-01T10:00:00Z' }, { last_heard_at: null }),
  ],
  ['Not opened yet; last seen 2 min ago.', bottle({ status: 'ok', since: null })],
  [
    'Closed since 09:14 CET; last seen 2 min ago.',
    bottle({ status: 'ok', since: null }, { last_action: closed }),
  ],
])('%s', (sentence, facts) => expect(deviceSentence(facts, NOW, BERLIN)).toBe(sentence));

it('writes times in the given zone', () => {
  const open = bottle({ status: 'open', since: '2026-03-02T08:14:00Z' });
  expect(deviceSentence(open, NOW, 'America/New_York')).toBe(
    'Open since 03:14 EST, 23 min; last seen 2 min ago.',
  );
});

it('says that a silent device was open when last seen', () => {
  const reasons = [{ status: 'open', since: null, text: '' }] as const;
  expect(whenLastSeen(bottle({ status: 'silent', since: null }, { reasons: [...reasons] }))).toBe(
    'It was open when last seen.',
  );
  expect(whenLastSeen(bottle({ status: 'open', since: null }, { reasons: [...reasons] }))).toBeUndefined();
});
