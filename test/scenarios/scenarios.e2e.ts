import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileResult, type Run, runFiles } from './cli.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const MODEL = 'notified-late-then-retracted.json';
const SLOW = 600_000;

type Json = Record<string, unknown>;

function read(file: string): Json {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Json;
}

/** Every scenario that is shipped, run as a user runs it. */
describe('scenarios', () => {
  const halves = [0, 1].map((half) => FILES.filter((_, place) => place % 2 === half));
  let runs: Run[];

  beforeAll(() => {
    runs = halves.map((files) => runFiles(FOLDER, files));
  });

  afterAll(async () => void (await Promise.all(runs.map(({ exitCode }) => exitCode))));

  it.each(FILES.map((file, place) => [file, place] as const))(
    '%s',
    async (file, place) => {
      expect(await runs[place % 2]!.resultOf(file)).toMatchObject({ differences: [], notes: [] });
    },
    SLOW,
  );

  it('all agree: the exit code is 0', async () => {
    expect(await Promise.all(runs.map(({ exitCode }) => exitCode))).toEqual([0, 0]);
  });

  it('are at least 40, each with a name and what it proves', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(40);
    for (const file of FILES) expect(read(file)).toMatchObject({ proves: expect.any(String) as string });
    expect(new Set(FILES.map((file) => read(file)['name'])).size).toBe(FILES.length);
  });
});

/** Changes of a scenario that agrees, and what the runner has to say of each. */
const model = read(MODEL);
const expected = model['expect'] as { messages: [Json, Json]; outcomes: [Json]; status: [Json] };
const [raised, retracted] = expected.messages;
const [dose] = expected.outcomes;
const truth = (change: Json): Json => ({ expect: { ...expected, ...change } });
const event = (change: Json): Json => ({ at: '2026-03-02T07:00:00Z', ...change });

const WRONG: [what: string, change: Json, problems: string[]][] = [
  [
    'a message that does not come',
    truth({ messages: [raised, { ...retracted, event: 'resolved' }] }),
    [
      'not received: bottle a: missed_dose resolved by webhook from 2026-03-02T10:20',
      'received, but not expected: 2026-03-02T10:20:00.000Z bottle a: missed_dose retracted by webhook',
    ],
  ],
  [
    'a message that comes later',
    truth({ messages: [{ ...raised, before: '2026-03-02T09:01:00Z' }, retracted] }),
    ['not received: bottle a: missed_dose raised'],
  ],
  [
    'a message of another kind',
    truth({ messages: [{ ...raised, kind: 'bottle_open' }, retracted] }),
    ['not received: bottle a: bottle_open'],
  ],
  [
    'a message over another channel',
    truth({ messages: [{ ...raised, channel: 'email' }, retracted] }),
    ['not received: bottle a: missed_dose raised by email'],
  ],
  [
    'one message for two',
    truth({ messages: [raised, raised, retracted] }),
    ['not received: bottle a: missed_dose raised'],
  ],
  ['a further message', truth({ messages: [raised] }), ['not expected']],
  [
    'an outcome',
    truth({ outcomes: [{ ...dose, outcome: 'missed' }] }),
    ['dose of 2026-03-02T08:00:00.000Z, bottle a: expected missed, is taken_on_time'],
  ],
  [
    'a dose that was never due',
    truth({ outcomes: [{ ...dose, scheduled_at: '2026-03-02T08:30:00Z' }] }),
    ['is no outcome'],
  ],
  [
    'a status',
    truth({ status: [{ bottle: 'a', status: 'silent' }] }),
    ['status of bottle a: expected silent, is ok'],
  ],
  [
    'staff without an alert to act upon',
    {
      events: [
        ...(model['events'] as Json[]),
        event({ staff: { acknowledge: { bottle: 'a', kind: 'bottle_open' } } }),
      ],
    },
    ['there is no open alert "bottle_open" to acknowledge'],
  ],
  ['an unknown key', { evnts: [] }, ['unknown key "evnts"']],
  ['an unknown expectation', { expect: { mesages: [] } }, ['expect: unknown key "mesages"']],
  [
    'an unknown bottle',
    { events: [event({ bottle: 'z', action: { action: 'opened' } })] },
    ['events[0].bottle: must be one of a'],
  ],
  ['an event of no kind', { events: [event({})] }, ['events[0]: must have exactly one of']],
  [
    'an event before the start',
    { events: [event({ at: '2025-03-02T07:00:00Z', system: 'start-notifier' })] },
    ['lies before start'],
  ],
  ['a time without a zone', { start: '2026-03-02T06:00:00' }, ['start: must be a time']],
];

/** The proof that agreement means something. */
describe('scenarios that are wrong', () => {
  let folder: string;
  let run: Run;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pillwatch-wrong-scenarios-'));
    const variants = [...WRONG.map(([what, change]) => [what, change] as const), LENIENT];
    for (const [what, change] of variants) {
      await writeFile(join(folder, fileOf(what)), JSON.stringify({ ...model, ...change }));
    }
    run = runFiles(
      folder,
      variants.map(([what]) => fileOf(what)),
    );
  });

  afterAll(async () => {
    await run?.exitCode;
    await rm(folder, { recursive: true, force: true });
  });

  const LENIENT = ['a further message that is allowed', truth({ messages: [raised], only: false })] as const;
  const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.json`;
  const resultOf = (what: string): Promise<FileResult> => run.resultOf(fileOf(what));

  it.each(WRONG)('%s is named', async (what, _, problems) => {
    const text = (await resultOf(what)).differences.join('\n');
    for (const line of problems) expect(text).toContain(line);
  });

  it('further messages are no difference where the file says so', async () => {
    expect((await resultOf(LENIENT[0])).differences).toEqual([]);
  });

  it('the exit code is 1', async () => {
    expect(await run.exitCode).toBe(1);
  });
});
