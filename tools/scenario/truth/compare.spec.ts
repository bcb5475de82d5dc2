import { readFileSync } from 'node:fs';
import type { LoggedMessage } from '../message-log.js';
import { parseScenario } from '../file/parse-scenario.js';
import type { Content, WebhookData } from '../content/content.js';
import { compare, type Comparison, type Observed } from './compare.js';

type Json = Record<string, unknown>;

const MODEL = 'test/scenarios/notified-late-then-retracted.json';
const model = JSON.parse(readFileSync(MODEL, 'utf8')) as Json;
const expected = model['expect'] as { messages: [Json, Json]; outcomes: [Json]; status: [Json] };
const [raised, retracted] = expected.messages;
const [dose] = expected.outcomes;

const EVIDENCE = {
  rule: 'late_after',
  scheduled_at: '2026-03-02T08:00:00.000Z',
  late_at: '2026-03-02T09:00:00.000Z',
  missed_at: '2026-03-02T12:00:00.000Z',
  pills_scheduled: 1,
  heard_at: '2026-03-02T09:05:00.000Z',
};

function linksOf(id: string, at: string): Pick<WebhookData, 'acknowledge_url' | 'statement_url'> {
  const claim = Buffer.from(JSON.stringify([id, Date.parse(at) + 3 * 86_400_000])).toString('base64url');
  const url = `https://support.example.test/a/${claim}.address.signature`;
  return { acknowledge_url: url, statement_url: url };
}

function contentOf(
  event: string,
  more: Partial<WebhookData> & Pick<WebhookData, 'state' | 'evidence'>,
): Content {
  return {
    alert: 'a'.repeat(24),
    body: {
      type: `alert.${event}`,
      timestamp: event === 'raised' ? '2026-03-02T09:05:00.000Z' : '2026-03-02T10:20:00.000Z',
      data: {
        alert_id: 'a'.repeat(24),
        bottle_id: 'id-a',
        user_id: 'u-a',
        medication: 'Cordrazine',
        kind: 'missed_dose',
        event,
        step: event,
        recipient: { role: 'operator' },
        subject: '2026-03-02T08:00:00.000Z',
        deadline: '2026-03-02T09:00:00.000Z',
        raised_at: '2026-03-02T09:05:00.000Z',
        ...more,
      },
    },
  };
}

/** What the model's run gives. */
function observed(change: Partial<Observed> = {}): Observed {
  const message = { channel: 'webhook', bottle_id: 'id-a', kind: 'missed_dose' } as const;
  const raised = {
    state: 'open',
    evidence: { ...EVIDENCE, pills_taken: 0 },
    ...linksOf('1', '2026-03-02T09:05:00Z'),
  };
  const retracted = {
    state: 'retracted',
    ended_at: '2026-03-02T10:20:00.000Z',
    ended_as: 'retracted',
    evidence: {
      ...EVIDENCE,
      pills_taken: 1,
      outcome: 'taken_on_time',
      taken_at: '2026-03-02T08:10:00.000Z',
    },
  };
  return {
    log: {
      messages: [
        {
          ...message,
          id: '1',
          to: 'WEBHOOK_URL',
          at: new Date('2026-03-02T09:05:00Z'),
          event: 'raised',
          content: contentOf('raised', raised),
        },
        {
          ...message,
          id: '2',
          to: 'WEBHOOK_URL',
          at: new Date('2026-03-02T10:20:00Z'),
          event: 'retracted',
          content: contentOf('retracted', retracted),
        },
      ],
      repeats: 0,
      problems: [],
    },
    staff: {
      outcomes: async () => new Map([[new Date('2026-03-02T08:00:00Z').getTime(), 'taken_on_time']]),
      status: async () => 'ok',
    },
    problems: [],
    idOf: (bottle) => `id-${bottle}`,
    keyOf: (id) => id.replace('id-', ''),
    ...change,
  };
}

const comparison = (change: Json, found = observed()): Promise<Comparison> =>
  compare(parseScenario({ ...model, expect: { ...expected, ...change } }), found);

it('finds no difference in a run that matches', async () => {
  expect(await comparison({})).toEqual({
    differences: [],
    figures: { expected: 2, received: 2, repeats: 0, not_raised: 0, false_alarms: 0, outcomes: 1 },
  });
});

it.each<[what: string, change: Json, difference: string]>([
  [
    'a message that does not come',
    { messages: [raised, { ...retracted, event: 'resolved' }] },
    'not received: bottle a: missed_dose resolved by webhook from 2026-03-02T10:20',
  ],
  [
    'a message that comes later',
    { messages: [{ ...raised, before: '2026-03-02T09:01:00Z' }, retracted] },
    'not received: bottle a: missed_dose raised',
  ],
  [
    'a message of another kind',
    { messages: [{ ...raised, kind: 'bottle_open' }, retracted] },
    'not received: bottle a: bottle_open',
  ],
  [
    'a message over another channel',
    { messages: [{ ...raised, channel: 'email' }, retracted] },
    'not received: bottle a: missed_dose raised by email',
  ],
  [
    'one message for two',
    { messages: [raised, raised, retracted] },
    'not received: bottle a: missed_dose raised',
  ],
  [
    'a further message',
    { messages: [raised] },
    'received, but not expected: 2026-03-02T10:20:00.000Z bottle a: missed_dose retracted by webhook',
  ],
  [
    'an outcome',
    { outcomes: [{ ...dose, outcome: 'missed' }] },
    'dose of 2026-03-02T08:00:00.000Z, bottle a: expected missed, is taken_on_time',
  ],
  [
    'a dose that was never due',
    { outcomes: [{ ...dose, scheduled_at: '2026-03-02T08:30:00Z' }] },
    'dose of 2026-03-02T08:30:00.000Z, bottle a: expected taken_on_time, is no outcome',
  ],
  ['a status', { status: [{ bottle: 'a', status: 'silent' }] }, 'status of bottle a: expected silent, is ok'],
])('%s is a difference', async (_, change, difference) => {
  expect((await comparison(change)).differences.join('\n')).toContain(difference);
});

it.each<[what: string, change: (data: WebhookData) => void, difference: string]>([
  ['another medication', (data) => (data.medication = 'Wrong medicine'), 'medication is "Wrong medicine"'],
  ['another user', (data) => (data.user_id = 'u-b'), 'user_id is "u-b", expected "u-a"'],
  ['another bottle', (data) => (data.bottle_id = 'id-b'), 'bottle_id is "id-b"'],
  [
    'a dose that is not due',
    (data) => (data.subject = '2026-03-02T08:30:00.000Z'),
    'subject is "2026-03-02T08:30',
  ],
  ['a wrong year', (data) => (data.raised_at = '1999-03-02T09:05:00.000Z'), 'raised_at is "1999'],
  [
    'a wrong number',
    (data) => (data.evidence['pills_scheduled'] = 8),
    'evidence.pills_scheduled is 8, expected 1',
  ],
  [
    'a number of its own',
    (data) => (data.evidence['pills'] = 8),
    'evidence.pills is 8, and nothing in the scenario',
  ],
  ['no number', (data) => delete data.evidence['pills_taken'], 'evidence.pills_taken is absent'],
  ['no link', (data) => delete data.statement_url, 'statement_url is absent'],
  [
    'the link of another',
    (data) => Object.assign(data, linksOf('9', '2026-03-02T09:05:00Z')),
    'a link of 1 that is',
  ],
  [
    'a link that is valid too long',
    (data) => Object.assign(data, linksOf('1', '2026-03-03T09:05:00Z')),
    'a link of 1',
  ],
])('a message with %s is a difference', async (_, change, difference) => {
  const found = observed();
  change(found.log.messages[0]!.content.body!.data);
  expect((await comparison({}, found)).differences.join('\n')).toContain(difference);
});

it('a start after its end is a difference, and an alert that is about two things', async () => {
  const found = observed();
  const [first, second] = found.log.messages as [LoggedMessage, LoggedMessage];
  [first.at, second.at] = [second.at, first.at];
  found.log.messages.reverse();
  expect((await comparison({ only: false }, found)).differences.join()).toContain(
    'wrong order: 2026-03-02T10:20:00.000Z bottle a: missed_dose raised by webhook to WEBHOOK_URL, after',
  );
  const other = observed();
  other.log.messages[1]!.content.body!.data.raised_at = '2026-03-02T09:06:00.000Z';
  expect((await comparison({}, other)).differences.join()).toContain('one alert is about');
});

it('a message that does not say what the file states is a difference', async () => {
  const says = (content: Json): Promise<Comparison> =>
    comparison({ messages: [{ ...raised, says: content }, retracted] });
  const right = {
    user: 'u-a',
    medication: 'Cordrazine',
    doses: ['2026-03-02T08:00:00Z'],
    evidence: { pills_taken: 0 },
    link: 'ask',
  };
  expect((await says(right)).differences).toEqual([]);
  for (const wrong of [
    { user: 'u-b' },
    { medication: 'Betrazine' },
    { doses: ['2026-03-02T20:00:00Z'] },
    { doses: [] },
    { evidence: { pills_taken: 1 } },
    { link: 'none' },
    { title: 'Dose not taken yet' },
  ])
    expect((await says({ ...right, ...wrong })).differences.join()).toContain('not received: bottle a');
});

it('a further message is none where the file allows it', async () => {
  expect((await comparison({ messages: [raised], only: false })).differences).toEqual([]);
});

it('a dose that is due after the end and was taken before it is compared', async () => {
  const [taken, due] = [
    [new Date('2026-03-02T08:00:00Z'), 'taken_on_time'],
    [new Date('2026-03-03T08:00:00Z'), 'taken_early'],
  ] as const;
  const outcomes: Observed['staff']['outcomes'] = async (_bottle, from, to) =>
    new Map([taken, due].filter(([at]) => from <= at && at <= to).map(([at, is]) => [at.getTime(), is]));
  const found = observed({ staff: { outcomes, status: async () => 'ok' } });
  const early = { ...dose, scheduled_at: '2026-03-03T08:00:00Z', outcome: 'taken_early' };
  expect((await comparison({ outcomes: [dose, early] }, found)).differences).toEqual([]);
});

it('an error that no scenario expects is a difference', async () => {
  const found = observed({ problems: ['the job dose: Error: failed'] });
  expect((await comparison({}, found)).differences).toEqual(['unexpected: the job dose: Error: failed']);
});
