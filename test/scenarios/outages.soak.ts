import { nameOfOutage, outagesOf } from '../../tools/scenario/generate/outage.js';
import { type Run, runOutages } from './cli.js';

/** Half of the parts each: those that use the database, and those that lose it and wait for it. */
const HALVES = [
  ['device-api', 'notifier'],
  ['database', 'all'],
] as const;

/** Outages of ours: everyone who is owed is notified once, and nobody else. */
describe('outages', () => {
  let runs: Run[];

  beforeAll(() => {
    runs = HALVES.map((parts) => runOutages(parts));
  });

  afterAll(async () => void (await Promise.all(runs.map(({ exitCode }) => exitCode))));

  it.each(
    HALVES.flatMap((parts, half) =>
      parts.flatMap(outagesOf).map((outage) => [nameOfOutage(outage), half] as const),
    ),
  )('%s', async (name, half) => {
    expect(await runs[half]!.resultOf(name)).toMatchObject({ differences: [], notes: [] });
  });
});
