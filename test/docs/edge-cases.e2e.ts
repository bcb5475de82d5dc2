import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCENARIOS = 'test/scenarios';

/** A line of docs/edge-cases.md. */
interface Line {
  /** As a scenario says in `proves` what it is for: the case and the answer. */
  text: string;
  scenarios: string[];
  tests: { file: string; title: string }[];
}

function readLine(cells: string[]): Line {
  const [situation, , answer, proofs = ''] = cells;
  const named = proofs.split('<br>').map((proof) => /^`([^`]+)`(?:: (.+))?$/.exec(proof.trim()));
  if (named.includes(null)) throw new Error(`not a list of proofs: ${proofs}`);
  return {
    text: `${situation}: ${answer}`,
    scenarios: named.flatMap((proof) => (proof?.[1] && proof[2] === undefined ? proof[1] : [])),
    tests: named.flatMap((proof) =>
      proof?.[1] && proof[2] !== undefined ? { file: proof[1], title: proof[2] } : [],
    ),
  };
}

const LINES = readFileSync('docs/edge-cases.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:case|-+) /.test(line))
  .map((line) =>
    readLine(
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    ),
  );

/** What the scenarios say that they are for. */
const PROVES = new Map(
  readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { proves } = JSON.parse(readFileSync(join(SCENARIOS, file), 'utf8')) as { proves: string };
      return [file.slice(0, -'.json'.length), proves];
    }),
);

/** Whether a file has a test, or a group of tests, of this title: as a text in quotes. */
function hasTitle(file: string, title: string): boolean {
  const source = readFileSync(file, 'utf8');
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}`].some((text) =>
    source.includes(text),
  );
}

it('there are lines', () => expect(LINES.length).toBeGreaterThanOrEqual(35));

it.each(LINES)('$text', ({ text, scenarios, tests }) => {
  expect(scenarios.length + tests.length).toBeGreaterThan(0);
  // those that say they are for it, and no others
  const forIt = [...PROVES].filter(([, proves]) => proves === text).map(([name]) => name);
  expect(scenarios.toSorted()).toEqual(forIt.toSorted());
  expect(tests.filter(({ file, title }) => !existsSync(file) || !hasTitle(file, title))).toEqual([]);
});
