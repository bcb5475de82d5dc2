import { ALERT_KINDS, type AlertKind } from '../alert-kinds/alert-kinds.js';
import { CLOSE_REASONS } from '../alert-kinds/closing.js';
import type { NotificationEvent } from '../alert-kinds/notification-events.js';
import { composeMessage, summarize } from './message.js';
import { personText } from './person-text.js';

const at = new Date('2026-03-02T09:30:00Z');
const id = { toHexString: () => 'a1' };

function textOf(kind: AlertKind, event: NotificationEvent, alert: object = {}): string {
  const message = composeMessage(
    { event, created_at: at },
    {
      _id: id,
      bottle_id: id,
      user_id: 'anna',
      medication: 'Cordrazine',
      kind,
      subject: kind === 'missed_dose' ? '2026-03-02T08:00:00Z' : '',
      state: 'open',
      deadline: at,
      raised_at: at,
      evidence: {},
      ...alert,
    },
  );
  const { title, lines } = personText(message, 'UTC', true);
  return [title, ...lines].join('\n');
}

describe('what people read when staff close an alert', () => {
  const closed = (kind: AlertKind, closing: object): string =>
    textOf(kind, 'closed_by_staff', {
      state: 'closed',
      closing: { by: 'Carol Smith', at, reason: 'duplicate', notified: true, ...closing },
    });

  it.each(ALERT_KINDS)('says nothing of how a %s ended', (kind) => {
    for (const reason of CLOSE_REASONS) {
      const text = closed(kind, { reason, note: 'see the file' });
      expect(text).toContain('Closed by Carol Smith.');
      expect(text).not.toMatch(
        /all clear|(?<!whether the dose) was (taken|closed|refilled)|online again|agree|Ended/i,
      );
    }
  });

  it('has the note only as the reason "other": beside another reason staff write for each other', () => {
    expect(closed('bottle_open', { reason: 'other', note: 'the lid is broken' })).toContain(
      'Reason: the lid is broken.',
    );
    expect(closed('bottle_open', { reason: 'device_fault', note: 'was rude' })).not.toContain('rude');
  });
});

describe('an all-clear says what ended the condition', () => {
  it.each([
    [{ pills: 4, pills_after_refill: 30 }, 'All clear: bottle refilled'],
    [{ pills: 4, pills_after_refill: 4 }, 'All clear: pills last long enough'],
  ])('low supply with %j', (evidence, title) => {
    expect(textOf('low_supply', 'resolved', { state: 'resolved', evidence })).toContain(title);
  });

  it.each([
    [{ agrees_again: {} }, 'All clear: weight and pill count agree'],
    [{}, 'All clear: another medication is in the bottle'],
  ])('a count that differed, with %j', (evidence, title) => {
    expect(textOf('count_mismatch', 'resolved', { state: 'resolved', evidence })).toContain(title);
  });
});

it('sums up doses of long ago in the order of their time, each with its outcome', () => {
  const summary = (subject: string, evidence: object) =>
    composeMessage(
      { event: 'summary', created_at: at },
      {
        _id: id,
        bottle_id: id,
        user_id: 'anna',
        medication: 'Cordrazine',
        kind: 'missed_dose',
        subject,
        state: 'resolved',
        deadline: at,
        raised_at: at,
        evidence: { ...evidence },
      },
    );
  const message = summarize([
    summary('2026-03-02T08:00:00.000Z', { outcome: 'partial', pills_taken: 1, pills_scheduled: 2 }),
    summary('2026-03-01T08:00:00.000Z', { outcome: 'missed' }),
  ]);
  expect(message.data.doses).toMatchObject([{ subject: '2026-03-01T08:00:00.000Z' }, {}]);
  expect(message.data.subject).toBe('2026-03-01T08:00:00.000Z');
  expect(personText(message, 'UTC', true)).toEqual({
    title: 'Doses missed earlier',
    lines: [
      'Cordrazine, anna: the dose of Sunday, 1 March 2026 at 08:00:00 UTC was missed.',
      'Cordrazine, anna: 1 of 2 pills of the dose of Monday, 2 March 2026 at 08:00:00 UTC were taken.',
    ],
  });
});

it('names no medication unless it may: its bottle instead', () => {
  const message = composeMessage(
    { event: 'raised', created_at: at },
    {
      _id: id,
      bottle_id: { toHexString: () => '64b7f3c2a1d4e5f601020304' },
      user_id: 'anna',
      medication: 'Cordrazine',
      kind: 'missed_dose',
      subject: '2026-03-02T08:00:00Z',
      state: 'open',
      deadline: at,
      raised_at: at,
      evidence: {},
    },
  );
  for (const each of [message, summarize([message])]) {
    const { title, lines } = personText(each, 'UTC', false);
    expect([title, ...lines].join(' ')).not.toContain('Cordrazine');
    expect(lines[0]).toMatch(/^Bottle 020304, anna[.:]/);
  }
});
