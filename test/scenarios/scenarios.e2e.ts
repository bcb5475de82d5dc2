import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileResult, type Run, runFiles } from './cli.js';
import { DECISIVE, OTHERS } from './decisive.js';
import { itAgrees } from './it-agrees.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const MODEL = 'notified-late-then-retracted.json';

type Json = Record<string, unknown>;

function read(file: string): Json {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Json;
}

itAgrees('the decisive scenario of each rule', DECISIVE);

it('every scenario has a name of its own', () => {
  const files = [...DECISIVE, ...OTHERS];
  expect(new Set(files.map((file) => read(file)['name'])).size).toBe(files.length);
});

/** Changes of a scenario that agrees, and what the runner says of each; compare.spec.ts has the other differences. */
const model = read(MODEL);
const expected = model['expect'] as { messages: [Json, Json] };
const [raised, retracted] = expected.messages;
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
    for (const [what, change] of WRONG) {
      await writeFile(join(folder, fileOf(what)), JSON.stringify({ ...model, ...change }));
    }
    run = runFiles(
      folder,
      WRONG.map(([what]) => fileOf(what)),
    );
  });

  afterAll(async () => {
    await run?.exitCode;
    await rm(folder, { recursive: true, force: true });
  });

  const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.json`;
  const resultOf = (what: string): Promise<FileResult> => run.resultOf(fileOf(what));

  it.each(WRONG)('%s is named', async (what, _, problems) => {
    const text = (await resultOf(what)).differences.join('\n');
    for (const line of problems) expect(text).toContain(line);
  });

  it('the exit code is 1', async () => {
    expect(await run.exitCode).toBe(1);
  });
});
