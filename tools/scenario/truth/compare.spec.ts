import { readFileSync } from 'node:fs';
import { parseScenario } from '../file/parse-scenario.js';
import { compare, type Comparison, type Observed } from './compare.js';

type Json = Record<string, unknown>;

const MODEL = 'test/scenarios/notified-late-then-retracted.json';
const model = JSON.parse(readFileSync(MODEL, 'utf8')) as Json;
const expected = model['expect'] as { messages: [Json, Json]; outcomes: [Json]; status: [Json] };
const [raised, retracted] = expected.messages;
const [dose] = expected.outcomes;

/** What the model's run gives. */
function observed(change: Partial<Observed> = {}): Observed {
  const message = { channel: 'webhook', bottle_id: 'id-a', kind: 'missed_dose' } as const;
  return {
    log: {
      messages: [
        { ...message, id: '1', at: new Date('2026-03-02T09:05:00Z'), event: 'raised' },
        { ...message, id: '2', at: new Date('2026-03-02T10:20:00Z'), event: 'retracted' },
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
