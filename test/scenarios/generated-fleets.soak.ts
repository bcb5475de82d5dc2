import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileResult, LONG_SCENARIOS, type Run, runFiles, runFleets } from './cli.js';

/** Small, so that they run in minutes; `npm run scenario -- --generate` makes larger ones. */
const SIZE = { bottles: 12, days: 6 };
const SEEDS = [1, 2];
/** A fleet in which nothing happens proves nothing. */
const HAPPENS = 50;
const SLOW = 600_000;

/** Fleets that are made up, with all that can happen to them, against an oracle of their own. */
describe('made-up fleets', () => {
  let run: Run;

  beforeAll(() => {
    run = runFleets(SIZE, SEEDS);
  });

  afterAll(async () => void (await run.exitCode));

  it.each(SEEDS)(
    'seed %i: no false alarm, none not raised, each received exactly once, every dose as it was',
    async (seed) => {
      const { differences, figures }: FileResult = await run.resultOf(String(seed));
      expect(differences).toEqual([]);
      expect(figures).toMatchObject({ false_alarms: 0, not_raised: 0 });
      expect(figures!.expected).toBeGreaterThan(HAPPENS);
      expect(figures!.outcomes).toBeGreaterThan(HAPPENS);
      expect(figures!.received).toBe(figures!.expected);
    },
    SLOW,
  );

  it(
    'all agree: the exit code is 0',
    async () => {
      expect(await run.exitCode).toBe(0);
    },
    SLOW,
  );
});

it.each(LONG_SCENARIOS)(
  'the scenario %s, which is too long for `npm test`',
  async (file) => {
    const run = runFiles(dirname(fileURLToPath(import.meta.url)), [file]);
    expect(await run.resultOf(file)).toMatchObject({ differences: [], notes: [] });
  },
  SLOW,
);
