import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DETAILS } from './details.js';
import { fieldSentence, namedSentence } from './field-sentence.js';
import { SENTENCES } from './sentences.js';

/** The codes that `scripts/error-codes.mjs` has read from the code. */
const codes = new Set(
  [...readFileSync('docs/errors.md', 'utf8').matchAll(/`([a-z_]+)` +\|/g)].map(([, code]) => code!),
);

/** What the domain says of a schedule's fields and the API of others, after their names; a number in place of `...`. */
function details(): string[] {
  const sources = ['libs/domain/src/doses', 'apps/support-api/src', 'libs/platform/src/auth'].flatMap(
    (folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const patterns = [
    /new ScheduleError\(\s*[^,]+,\s*(['`])(.*?)\1/g,
    /hint:\s*(['`])(.*?)\1/g,
    /return (['`])(must (?:have|not contain).*?|is too common)\1/g,
  ];
  return sources.flatMap((source) =>
    patterns.flatMap((pattern) =>
      [...source.matchAll(pattern)].map(([, , text]) => text!.replaceAll(/\$\{[^}]*\}/g, '7')),
    ),
  );
}

/** Only programs send these: the console lets choose, or sends what it knows. */
const OF_PROGRAMS = [
  /^must be an object$/,
  /^must be one of/,
  /^is not a known field$/,
  /a colon and an id$/,
  /^must be the id of an event$/,
  /^must be me, nobody/,
  /^must be email, sms, /,
];

describe('sentences for errors', () => {
  it('has one for each code of the API, and no other', () => {
    expect(codes.size).toBeGreaterThan(100);
    expect(Object.keys(SENTENCES).toSorted()).toEqual([...codes].toSorted());
  });

  it('has one for each detail that the API gives', () => {
    const given = details();
    expect(given.length).toBeGreaterThan(30);
    const unknown = given.filter(
      (text) => ![...OF_PROGRAMS, ...DETAILS.map(([says]) => says)].some((pattern) => pattern.test(text)),
    );
    expect(unknown).toEqual([]);
  });

  it.each([...Object.values(SENTENCES), ...DETAILS.map(([, sentence]) => sentence('1', '2'))])(
    '%s is a sentence',
    (sentence) => expect(sentence).toMatch(/^[A-Z“].*\.$/),
  );

  it.each([
    [
      'phone',
      'invalid_value',
      'phone must be a phone number such as +49 30 123456',
      'Enter a phone number such as',
    ],
    [
      'escalation[1].after',
      'invalid_value',
      'escalation[1].after must be a duration such as 30m',
      'Enter a duration',
    ],
    [
      'note',
      'out_of_range',
      'note must be shorter than or equal to 500 characters',
      'Enter at most 500 characters.',
    ],
    [
      'schedule.times[0]',
      'invalid_schedule',
      'schedule.times[0] must be a time such as "08:00"',
      'Enter a time such',
    ],
    [
      'days_of_week',
      'invalid_schedule',
      'days_of_week: must be one of mon, tue, wed, thu, fri, sat, sun',
      'Write days as mon',
    ],
    [
      'cycle',
      'invalid_schedule',
      'cycle must be days on, days off and the first day on, such as "x"',
      '21/7',
    ],
    ['schedule', 'new_code', 'A newer server explains', 'A newer server explains'],
  ])('says of %s, %s: %s', (field, code, message, sentence) => {
    expect(fieldSentence({ field, code, message })).toContain(sentence);
  });

  it('names the field where it cannot be shown beside it', () => {
    const error = { field: 'escalation[1].after', code: 'missing_field', message: '' };
    expect(namedSentence(error)).toBe('Escalation 2, after: This is required.');
    expect(namedSentence({ ...error, field: 'carer.phone' })).toBe('Phone of the carer: This is required.');
  });
});
