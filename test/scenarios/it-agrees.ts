import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, runFiles } from './cli.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const SLOW = 600_000;

/** Runs scenarios as a user runs them, in two processes: each has to agree. */
export function itAgrees(which: string, files: readonly string[]): void {
  describe(which, () => {
    const halves = [0, 1].map((half) => files.filter((_, place) => place % 2 === half));
    let runs: Run[];

    beforeAll(() => {
      runs = halves.map((half) => runFiles(FOLDER, half));
    });

    afterAll(async () => void (await Promise.all(runs.map(({ exitCode }) => exitCode))));

    it.each(files.map((file, place) => [file, place] as const))(
      '%s',
      async (file, place) => {
        expect(await runs[place % 2]!.resultOf(file)).toMatchObject({ differences: [], notes: [] });
      },
      SLOW,
    );

    it('all agree: the exit code is 0', async () => {
      expect(await Promise.all(runs.map(({ exitCode }) => exitCode))).toEqual([0, 0]);
    });
  });
}
