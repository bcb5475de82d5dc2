import { ALERT_KINDS, type AlertKind } from '../alerts/alert-kinds.js';
import { CLOSE_REASONS } from '../alerts/closing.js';
import { sampleAlert } from '../alerts/testing.js';
import { phrasesIn } from '../language/phrases.js';
import type { NotificationEvent } from '../notifications/notification-events.js';
import { composeMessage, type Message, messageLinks, summarize } from './message.js';
import { personText } from './person-text.js';

const at = new Date('2026-03-02T09:30:00Z');

function textOf(kind: AlertKind, event: NotificationEvent, alert: object = {}): string {
  const message = composeMessage({ event, created_at: at }, sampleAlert(kind, alert));
  const { title, lines } = personText(message, phrasesIn('en', 'UTC'), true);
  return [title, ...lines].join('\n');
}

describe('what people read when staff close an alert', () => {
  const closed = (kind: AlertKind, closing: object): string =>
    textOf(kind, 'closed_by_staff', {
      state: 'closed',
      closing: { by: 'Carol Smith', at, reason: 'duplicate', notified: true, ...closing },
    });

  it('names no setting of the services', () => {
    const by = 'ADMIN_TOKEN';
    expect(closed('bottle_open', { by })).toContain('Closed by staff.');
    const stated = (who: string): string =>
      textOf('missed_dose', 'reported_taken', { evidence: { reported: { settled: 'taken', by: who } } });
    expect(stated(by)).toContain('Dose reported taken by staff');
    expect(stated(`the carer (recorded by ${by})`)).toContain('taken by the carer (recorded by staff)');
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
    ['closed', 'All clear: bottle closed'],
    // its closing may not have come, so nobody knows whether it was open all the time
    ['opened', 'Bottle was opened again'],
  ])('a bottle left open that was %s', (action, title) => {
    const [first] = textOf('bottle_open', 'resolved', { evidence: { ended_by: { action } } }).split('\n');
    expect(first).toBe(title);
  });

  it('a closing that was lost is no all-clear', () => {
    const lost = { unreported_pills: 2, unreported_from: '2026-03-02T08:01:00Z', unreported_until: at };
    expect(textOf('bottle_open', 'resolved', { evidence: lost }).split('\n')).toEqual([
      'Bottle was probably closed',
      'Cordrazine, anna.',
      'By its count, 2 pills left the bottle between Monday, 2 March 2026 at 08:01:00 UTC and Monday, 2 March 2026 at 09:30:00 UTC. The report of its closing was lost.',
      'Check whether the bottle is closed.',
      'Noticed: Monday, 2 March 2026 at 09:30:00 UTC.',
    ]);
  });

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

describe('pills beyond the plan: how many, when, and how far the doses are', () => {
  const removed_at = new Date('2026-03-06T13:00:00Z');
  const doses = {
    last_dose_at: new Date('2026-03-06T08:00:00Z'),
    next_dose_at: new Date('2026-03-07T08:30:00Z'),
  };

  it.each([
    [
      { rule: 'too_early', extra_pills: 1, ...doses },
      [
        '1 pill more than planned was removed: Friday, 6 March 2026 at 13:00:00 UTC.',
        'The last dose was due 5 h before, the next one is due 19 h 30 min after it.',
      ],
    ],
    [
      { rule: 'several_doses', extra_pills: 3, ...doses, last_dose_at: new Date('2026-03-02T08:00:00Z') },
      [
        '3 pills more than planned were removed: Friday, 6 March 2026 at 13:00:00 UTC.',
        'The last dose was due 4 days before, the next one is due 19 h 30 min after it.',
        'No dose was due.',
      ],
    ],
    [
      { rule: 'too_early', extra_pills: 1, next_dose_at: new Date('2026-03-06T13:40:00Z') },
      ['The next dose is due 40 min after it.'],
    ],
    [{ rule: 'under_min_interval', extra_pills: 1 }, ['That is too soon after the last dose.']],
  ])('%j', (evidence, lines) => {
    const text = textOf('extra_dose', 'raised', { evidence: { removed_at, ...evidence } }).split('\n');
    expect(text).toEqual(expect.arrayContaining(['More pills taken than planned', ...lines]));
  });
});

it('a dose that is late or missed while the bottle is left open says so', () => {
  const open_since = new Date('2026-03-02T08:01:00Z');
  const line =
    'The bottle was open from Monday, 2 March 2026 at 08:01:00 UTC on: the pill may have been taken.';
  expect(textOf('missed_dose', 'raised', { evidence: { open_since } })).toContain(line);
  // it was closed since
  expect(textOf('missed_dose', 'missed', { evidence: { open_since } })).not.toContain('open');
  expect(textOf('missed_dose', 'missed', { evidence: { open_at_end_since: open_since } })).toContain(line);
});

describe('a dose of which a part was taken', () => {
  const evidence = { pills_scheduled: 2, pills_taken: 1, part_taken_at: new Date('2026-03-02T08:05:00Z') };
  const part = '1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.';

  it.each<[NotificationEvent, string]>([
    ['raised', 'Only part of the dose was taken so far'],
    ['escalated', 'Reminder: only part of the dose was taken so far'],
    ['unknown', 'Rest of the dose cannot be confirmed'],
  ])('is never called not taken: %s', (event, title) => {
    const [first, ...lines] = textOf('missed_dose', event, { evidence }).split('\n');
    expect(first).toBe(title);
    expect(lines).toContain(part);
  });

  it('is not called so when staff close its alert or a statement is withdrawn', () => {
    const closing = { by: 'Carol Smith', at, reason: 'duplicate', notified: true };
    expect(textOf('missed_dose', 'closed_by_staff', { state: 'closed', closing, evidence })).toContain(
      'Alert: Only part of the dose was taken so far.',
    );
    const reported = { settled: 'withdrawn', was: 'taken', by: 'Carol Smith', at, entry: '1' };
    const withdrawn = { state: 'resolved', evidence: { ...evidence, reported } };
    expect(textOf('missed_dose', 'statement_withdrawn', withdrawn)).toContain(part);
  });

  it('is not taken yet while no pill of it is', () => {
    const none = { pills_scheduled: 2, pills_taken: 0 };
    expect(textOf('missed_dose', 'raised', { evidence: none })).toMatch(/^Dose not taken yet\n/);
    expect(textOf('missed_dose', 'raised', { evidence: none })).not.toContain('pills were taken');
  });
});

it('names the person as the contact does, also in a summary', () => {
  const missed = { event: 'summary' as const, created_at: at };
  const alert = sampleAlert('missed_dose', {
    state: 'resolved',
    subject: '2026-03-01T08:00:00.000Z',
    evidence: { outcome: 'missed' },
  });
  const message = composeMessage(missed, alert, {}, { user_name: 'Anna Schmidt', label: 'blue' });
  const linesOf = (one: Message): string[] => personText(one, phrasesIn('en', 'UTC'), true).lines;
  expect(linesOf(message)[0]).toBe('Cordrazine (blue), Anna Schmidt.');
  expect(linesOf(summarize([message, message]))[0]).toMatch(/^Cordrazine \(blue\), Anna Schmidt: the dose/);
});

it('sums up doses of long ago in the order of their time, each with its outcome', () => {
  const summary = (subject: string, evidence: object) =>
    composeMessage(
      { event: 'summary', created_at: at },
      sampleAlert('missed_dose', { subject, state: 'resolved', evidence }),
    );
  const message = summarize([
    summary('2026-03-02T08:00:00.000Z', { outcome: 'partial', pills_taken: 1, pills_scheduled: 2 }),
    summary('2026-03-01T08:00:00.000Z', { outcome: 'missed' }),
  ]);
  expect(message.data.doses).toMatchObject([{ subject: '2026-03-01T08:00:00.000Z' }, {}]);
  expect(message.data.subject).toBe('2026-03-01T08:00:00.000Z');
  expect(personText(message, phrasesIn('en', 'UTC'), true)).toEqual({
    title: 'Doses missed earlier',
    lines: [
      'Cordrazine, anna: the dose of Sunday, 1 March 2026 at 08:00:00 UTC was missed.',
      'Cordrazine, anna: 1 of 2 pills of the dose of Monday, 2 March 2026 at 08:00:00 UTC were taken.',
    ],
  });
});

it.each([
  [{ pills_taken: 0, pills_scheduled: 2 }, 'Dose cannot be confirmed', 'it'],
  [{ pills_taken: 1, pills_scheduled: 2 }, 'Rest of the dose cannot be confirmed', 'the rest'],
])('says that pills left by the count, and asks for the dose: %j', (part, title, what) => {
  const lost = { unreported_pills: 1, unreported_from: '2026-03-02T08:01:00Z', unreported_until: at };
  const text = textOf('missed_dose', 'unknown', { evidence: { ...part, ...lost } });
  expect(text.split('\n')[0]).toBe(title);
  expect(text).toContain(
    `By its count, 1 pill left the bottle between Monday, 2 March 2026 at 08:01:00 UTC and Monday, 2 March 2026 at 09:30:00 UTC. The report of its closing was lost.\nAsk whether ${what} was taken.`,
  );
  expect(text).not.toContain('not connected');
});

it('a silence names the doses that cannot be confirmed, and its end does not say that they still cannot', () => {
  const evidence = { unconfirmed_doses: [new Date('2026-03-02T08:00:00Z')] };
  const dose = 'the dose of Monday, 2 March 2026 at 08:00:00 UTC.';
  expect(textOf('bottle_silent', 'raised', { evidence })).toContain(`Cannot be confirmed: ${dose}`);
  expect(textOf('bottle_silent', 'resolved', { state: 'resolved', evidence })).toContain(
    `Not confirmed while the bottle was offline: ${dose}`,
  );
});

it('names no medication unless it may: its bottle instead', () => {
  const message = composeMessage(
    { event: 'raised', created_at: at },
    sampleAlert('missed_dose', { bottle_id: { toHexString: () => '64b7f3c2a1d4e5f601020304' } }),
  );
  for (const each of [message, summarize([message])]) {
    const { title, lines } = personText(each, phrasesIn('en', 'UTC'), false);
    expect([title, ...lines].join(' ')).not.toContain('Cordrazine');
    expect(lines[0]).toMatch(/^Bottle 020304, anna[.:]/);
  }
});

describe('what people report of a dose', () => {
  const reported = { settled: 'taken', by: 'the carer', at, entry: '1' };
  const taken_at = new Date('2026-03-02T08:10:00Z');

  it.each<[NotificationEvent, object, string[]]>([
    ['reported_taken', { reported }, ['Dose reported taken by the carer']],
    [
      'reported_taken',
      { outcome: 'missed', reported: { ...reported, taken_at } },
      ['Correction: dose reported taken by the carer', 'Taken: Monday, 2 March 2026 at 08:10:00 UTC.'],
    ],
    [
      'reported_skipped',
      { reported: { ...reported, settled: 'skipped', by: 'Carol Smith', reason: 'side_effect' } },
      ['Dose reported skipped by Carol Smith', 'Reason: a side effect.'],
    ],
    [
      'statement_withdrawn',
      { outcome: 'missed', reported: { ...reported, settled: 'withdrawn', was: 'taken', by: 'Carol Smith' } },
      [
        'Correction: the statement no longer counts',
        'It is no longer reported taken. Changed by Carol Smith.',
        'The bottle recorded no dose.',
      ],
    ],
  ])('%s with %j', (event, evidence, lines) => {
    const text = textOf('missed_dose', event, { state: 'resolved', evidence }).split('\n');
    expect(text).toEqual(expect.arrayContaining(lines));
    expect(text[0]).toBe(lines[0]);
  });
});

it('has a link of its own for each dose that cannot be confirmed, and none for the gap itself', () => {
  const evidence = { rule: 'coverage_gap_after' } as const;
  const gap = sampleAlert('coverage_gap', { evidence });
  expect(messageLinks('raised', gap, true, 'https://x/a/1')).toEqual({ acknowledge_url: 'https://x/a/1' });
  const unconfirmed = (subject: string, url: string) => {
    const alert = sampleAlert('coverage_gap', { subject, state: 'resolved' });
    const links = messageLinks('unconfirmed', alert, false, url);
    return composeMessage({ event: 'unconfirmed', created_at: at }, alert, links);
  };
  const message = summarize([
    unconfirmed('2026-03-02T09:00:00.000Z', 'https://x/a/9'),
    unconfirmed('2026-03-02T08:00:00.000Z', 'https://x/a/8'),
  ]);
  expect(message.data.doses!.map(({ statement_url }) => statement_url)).toEqual([
    'https://x/a/8',
    'https://x/a/9',
  ]);
  expect(personText(message, phrasesIn('en', 'UTC'), true).lines.slice(1)).toEqual([
    'Cordrazine, anna: the dose of Monday, 2 March 2026 at 08:00:00 UTC.',
    'Taken or skipped? https://x/a/8',
    'Cordrazine, anna: the dose of Monday, 2 March 2026 at 09:00:00 UTC.',
    'Taken or skipped? https://x/a/9',
  ]);
});

it('names the doses of a coverage gap that cannot be confirmed, below the gap', () => {
  const unconfirmed = (subject: string, from: string) =>
    composeMessage(
      { event: 'unconfirmed', created_at: at },
      sampleAlert('coverage_gap', {
        subject,
        state: 'resolved',
        evidence: { from: new Date(from), until: at },
      }),
    );
  const message = summarize([
    unconfirmed('2026-03-02T09:00:00.000Z', '2026-03-02T07:50:00Z'),
    unconfirmed('2026-03-02T08:00:00.000Z', '2026-03-02T07:50:00Z'),
  ]);
  expect(personText(message, phrasesIn('en', 'UTC'), true)).toEqual({
    title: 'Doses cannot be confirmed',
    lines: [
      'Between Monday, 2 March 2026 at 07:50:00 UTC and Monday, 2 March 2026 at 09:30:00 UTC we could not receive reports. These doses cannot be confirmed:',
      'Cordrazine, anna: the dose of Monday, 2 March 2026 at 08:00:00 UTC.',
      'Cordrazine, anna: the dose of Monday, 2 March 2026 at 09:00:00 UTC.',
    ],
  });
});

it.each<[NotificationEvent, string]>([
  ['raised', 'Taken, later or skipped? https://x/a/1'],
  ['escalated', 'Taken, later or skipped? https://x/a/1'],
  ['missed', 'Taken or skipped? https://x/a/1'],
  ['partial', 'Taken or skipped? https://x/a/1'],
  ['unknown', 'Taken or skipped? https://x/a/1'],
])('%s of a dose asks what became of it, and offers no later time for one that is over', (event, line) => {
  const alert = sampleAlert('missed_dose');
  const links = messageLinks(event, alert, event === 'raised', 'https://x/a/1');
  const message = composeMessage({ event, created_at: at }, alert, links);
  expect(personText(message, phrasesIn('en', 'UTC'), true).lines.at(-1)).toBe(line);
});
