import { readFileSync } from 'node:fs';
import { ALERT_KINDS, type AlertKind } from '../alerts/alert-kinds.js';
import { CLOSE_REASONS } from '../alerts/closing.js';
import { sampleAlert } from '../alerts/testing.js';
import { SKIP_REASONS } from '../attestations/attestation.js';
import { PERIOD_REASONS } from '../doses/periods.js';
import { GERMAN } from '../language/german.js';
import { type English, pillsText, type Say, sayIn, type Phrases } from '../language/phrases.js';
import { NOTIFICATION_EVENTS } from '../notifications/notification-events.js';
import { composeMessage, type Message, messageLinks, summarize } from './message.js';
import { personLines } from './person-text.js';
import { smsOf } from './sms-text.js';

const NOTIFIER = 'apps/notifier/src/delivery/channels';
const ENGLISH = Object.keys(GERMAN) as English[];
const at = new Date('2026-03-02T09:30:00Z');
const later = (hours: number): Date => new Date(at.getTime() + hours * 3_600_000);

const PART = { pills_taken: 1, pills_scheduled: 2, part_taken_at: at };
const UNCLEAR = ['filled', 'not_reported'].map((why) => ({ unclear_closing: { at, why } }));
const LOST = { unreported_pills: 2, unreported_from: at, unreported_until: at };
const WHO = [
  'Carol',
  'ADMIN_TOKEN',
  'the patient',
  'the carer',
  ...['C', 'ADMIN_TOKEN'].flatMap((name) => [
    `the patient (recorded by ${name})`,
    `the carer (recorded by ${name})`,
  ]),
];

/** What evidence of each kind may say, besides the least. */
const VARIANTS: Record<AlertKind, object[]> = {
  missed_dose: [
    PART,
    { ...PART, outcome: 'partial' },
    { pills_taken: 0.5, pills_scheduled: 1, outcome: 'partial' },
    { open_since: at, open_at_end_since: at },
    LOST,
    ...UNCLEAR,
    { for_later_by: 'the carer' },
    { outcome: 'missed' },
    ...PERIOD_REASONS.flatMap((reason) =>
      ['not_monitored', 'unknown'].map((outcome) => ({ outcome, period: { reason, at } })),
    ),
    ...WHO.flatMap((by) =>
      ['taken', 'skipped'].flatMap((was) => [
        { reported: { settled: was, by } },
        { outcome: 'missed', reported: { settled: was, by, taken_at: at } },
        { outcome: 'missed', reported: { settled: 'withdrawn', was, by } },
      ]),
    ),
    ...SKIP_REASONS.map((reason) => ({ reported: { settled: 'skipped', by: 'the carer', reason } })),
  ],
  doses_missed_in_a_row: [{ ended_with_dose: at }],
  bottle_open: [{ ended_by: { action: 'opened' } }, LOST, { not_monitored: 'travel' }],
  bottle_silent: ['silent_after', 'never_reported'].flatMap((rule) => [
    { rule, unconfirmed_doses: [at] },
    { rule, not_monitored: 'travel' },
    { rule, other_person: true },
  ]),
  extra_dose: [
    ...['several_doses', 'schedule_paused', 'schedule_ended', 'over_daily_limit', 'under_min_interval'].map(
      (rule) => ({ rule }),
    ),
    { rule: 'taken_elsewhere', extra_pills: 2 },
    { rule: 'beyond_dose', extra_pills: 1, pills_in_all: 2 },
    { rule: 'skipped_on_advice' },
    ...[0.1, 1, 1.5, 100].flatMap((hours) => [
      { rule: 'too_early', next_dose_at: later(hours) },
      { rule: 'too_early', next_dose_at: later(hours), last_dose_at: later(-hours) },
    ]),
    { rule: 'not_monitored', not_monitored: 'pillbox' },
    { put_back_at: at },
    { pillbox_until: at },
    { pillbox_until: at, asks_pillbox: true },
  ],
  low_supply: [{ pills_after_refill: 30 }, { pills_after_refill: 1 }],
  count_mismatch: [{ number_of_pills: 1 }, { agrees_again: {} }],
  shared_token: [{ token_replaced_at: at }],
  battery_low: [{ recovered_percent: 80 }],
  fleet_incident: [],
  coverage_gap: [
    { rule: 'coverage_gap_after', doses: 3 },
    { outcome: 'not_monitored', period: { reason: 'travel', at } },
  ],
  dose_reminder: [PART, { offline_since: at }, { never_reported: true }],
  help_requested: [{ asked_by: 'carer' }],
};

/** Every message that there can be, each with its link. */
function everyMessage(): Message[] {
  const closings = CLOSE_REASONS.flatMap((reason) =>
    ['Carol', 'ADMIN_TOKEN'].map((by) => ({ by, at, reason, notified: true })),
  );
  return ALERT_KINDS.flatMap((kind) =>
    [{}, ...VARIANTS[kind]].flatMap((evidence) =>
      NOTIFICATION_EVENTS.flatMap((event) => {
        const subjects = kind === 'coverage_gap' ? ['notifier', 'device-api', at.toISOString()] : [undefined];
        const ofEvent = event === 'closed_by_staff' ? closings : [undefined];
        return subjects.flatMap((subject) =>
          ofEvent.map((closing) => {
            const alert = sampleAlert(kind, {
              evidence,
              ended_at: at,
              ...(subject !== undefined && { subject }),
              ...(closing && { closing }),
            });
            const links = messageLinks(event, alert, true, 'https://x.test/a');
            const message = composeMessage({ event, created_at: at }, alert, links, { label: 'blue' });
            return event === 'summary' || event === 'unconfirmed' ? summarize([message]) : message;
          }),
        );
      }),
    ),
  );
}

/** Phrases that mark what is from the catalogue, and note it. */
function marking(used: Set<English>): Phrases {
  const say: Say = (text, values = {}) => {
    used.add(text);
    const put = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`"${text}" without its ${name}`);
      return '';
    });
    return `«${put.replaceAll(/[«»]/g, '')}»`;
  };
  return { say, at: () => '«»', pills: (count) => pillsText(count, say) };
}

describe('the German of messages', () => {
  it('calls to acknowledge what the console does', () => {
    expect(GERMAN.Acknowledge).toBe('Alarm quittieren');
  });

  it('has what is put into each sentence', () => {
    const valuesIn = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();
    const wrong = ENGLISH.filter(
      (text) =>
        `${valuesIn(text).join()} ${(GERMAN[text] as string) === ''}` !==
        `${valuesIn(GERMAN[text]).join()} false`,
    );
    expect(wrong).toEqual([]);
  });

  it('has every sentence of every message: none is left in English', () => {
    const phrases = marking(new Set());
    const left = everyMessage().flatMap((message) => {
      const { title, lines } = personLines(message, phrases, false);
      return [title, ...lines.map((line) => (typeof line === 'string' ? line : line.ask))].filter(
        // a bottle and its user are named as they are
        (text) => !/^[\s:.,]*$/.test(text.replace('(blue), anna', '').replaceAll(/«[^«»]*»/g, '')),
      );
    });
    expect([...new Set(left)]).toEqual([]);
  });

  it('has no sentence that no message says', () => {
    const used = new Set<English>();
    const phrases = marking(used);
    for (const message of everyMessage())
      smsOf(message, phrases, { namesMedication: false, takesReplies: true });
    const sources = [
      'email/mail.ts',
      'email/email.channel.ts',
      'sms/sms.channel.ts',
      'push/push.channel.ts',
      'webhook/endpoint-upkeep.ts',
    ]
      .map((file) => readFileSync(`${NOTIFIER}/${file}`, 'utf8'))
      .join('\n');
    expect(ENGLISH.filter((text) => !used.has(text) && !sources.includes(`'${text}'`))).toEqual([]);
  });

  it('reads as a daughter in Berlin gets it', () => {
    const say = sayIn('de');
    const phrases: Phrases = { say, at: () => 'heute um 08:00', pills: (count) => pillsText(count, say) };
    const alert = sampleAlert('missed_dose', { evidence: PART });
    const links = messageLinks('raised', alert, true, 'https://x.test/a');
    const message = composeMessage({ event: 'raised', created_at: at }, alert, links, { label: 'blau' });
    expect(personLines(message, phrases, false)).toEqual({
      title: 'Bisher nur ein Teil der Einnahme',
      lines: [
        'Pillendose a1 (blau), anna.',
        'Fällig: heute um 08:00.',
        '1 von 2 Tabletten genommen: heute um 08:00.',
        'Bemerkt: heute um 08:00.',
        { ask: 'Genommen, später oder ausgelassen?', url: 'https://x.test/a' },
      ],
    });
  });
});
