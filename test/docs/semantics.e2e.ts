import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRules, readTest, type Test } from './rules.js';

const SCENARIOS = 'test/scenarios';

/** A line of docs/edge-cases.md. */
interface Line {
  /** As a scenario says in `proves` what it is for: the case and the answer. */
  text: string;
  rules: string[];
  /** Of a case that no rule is about. */
  tests: Test[];
}

const RULE_ID = /\b[A-Z]+-\d+\b/g;

/** The rows of the tables of docs/edge-cases.md. */
function readLines(): Line[] {
  return readFileSync('docs/edge-cases.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:case|-+) /.test(line))
    .map((line) => {
      const cells = line.slice(1, -1).split(' | ');
      const [situation, , answer, proofs = ''] = cells.map((cell) => cell.trim());
      const tests = proofs.split('<br>').flatMap((proof) => readTest(proof) ?? []);
      const rules = tests.length > 0 ? [] : (proofs.match(RULE_ID) ?? []);
      return { text: `${situation}: ${answer}`, rules, tests };
    });
}

/** What the scenarios say that they are for, by their names. */
function readScenarios(): Map<string, string | undefined> {
  const files = readdirSync(SCENARIOS).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const { proves } = JSON.parse(readFileSync(join(SCENARIOS, file), 'utf8')) as { proves?: string };
      return [file.slice(0, -'.json'.length), proves];
    }),
  );
}

const RULES = readRules();
const LINES = readLines();
const PROVES = readScenarios();
const PROVED_BY = new Map(RULES.map(({ id, scenarios }) => [id, scenarios]));

/** Whether a file has a test, or a group of tests, of this title: as a text in quotes. */
function exists({ file, title }: Test): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``].some((text) =>
    source.includes(text),
  );
}

const DOCUMENTS = readdirSync('docs').filter((file) => file.endsWith('.md'));

const TEST_FILES = ['apps', 'libs', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.(spec|cases|e2e|soak)\.ts$/.test(file));

/** A file of tests, and after it the titles of some, or parts of them: `a.spec.ts` "one", "another". */
const NAMED_TEST = /`([\w./-]+\.(?:spec|cases|e2e|soak)\.ts)`((?:,? "[^"]+")*)/g;

/** The tests that a text names. */
function namedTests(text: string): { file: string; titles: string[] }[] {
  return [...text.matchAll(NAMED_TEST)].map(([, file, quoted]) => ({
    file: file!,
    titles: [...quoted!.matchAll(/"([^"]+)"/g)].map(([, title]) => title!),
  }));
}

/** Whether a file of this name, or path, has these texts. */
function isInAFile({ file, titles }: { file: string; titles: string[] }): boolean {
  const sources = TEST_FILES.filter((path) => `/${path}`.endsWith(`/${file}`)).map((path) =>
    readFileSync(path, 'utf8').replaceAll("\\'", "'"),
  );
  return sources.length > 0 && titles.every((title) => sources.some((source) => source.includes(title)));
}

describe('the rules of docs/semantics.md', () => {
  it('are there, each with its own id', () => {
    expect(RULES.length).toBeGreaterThanOrEqual(90);
    expect(PROVED_BY.size).toBe(RULES.length);
  });

  it.each(RULES)('$id has proofs, and they exist', ({ scenarios, tests }) => {
    expect(scenarios.length + tests.length).toBeGreaterThan(0);
    expect(scenarios.filter((name) => !PROVES.has(name))).toEqual([]);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
  });

  it('leave no scenario out', () => {
    const named = new Set(RULES.flatMap(({ scenarios }) => scenarios));
    expect([...PROVES.keys()].filter((name) => !named.has(name))).toEqual([]);
  });

  it.each(DOCUMENTS)('that %s names exist', (file) => {
    const ids = new Set(RULES.map(({ id }) => id.split('-')[0]));
    const named = readFileSync(join('docs', file), 'utf8').match(RULE_ID) ?? [];
    expect(named.filter((id) => ids.has(id.split('-')[0]) && !PROVED_BY.has(id))).toEqual([]);
  });
});

it('docs/runbook.md has a section for each alert of ops/prometheus/alerts.yaml, in their order, and no other but what is asked without one', () => {
  const rules = readFileSync('ops/prometheus/alerts.yaml', 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name!);
  const links = [...rules.matchAll(/runbook: docs\/runbook\.md#(\w+)$/gm)].map(([, anchor]) => anchor);
  expect(links).toEqual(alerts.map((name) => name.toLowerCase()));
  const [ofAlerts = ''] = readFileSync('docs/runbook.md', 'utf8').split(/^## Without an alert$/m);
  const sections = ofAlerts.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts);
  for (const section of sections)
    for (const part of ['Means', 'Do', 'Ended when'])
      expect(section).toMatch(new RegExp(`^\\*\\*${part}\\.\\*\\* \\S`, 'm'));
});

describe('docs/security.md', () => {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => cells.map((cell) => cell.trim()));

  it('has each of the 253 requirements of ASVS 5.0.0 up to level 2 once', () => {
    const ids = rows.flatMap(([id]) => (/^\d+\.\d+\.\d+\b/.test(id!) ? id!.split(', ') : []));
    expect(ids).toHaveLength(253);
    expect(new Set(ids).size).toBe(253);
  });

  it.each(rows.filter(([, state]) => state === 'met'))('%s is met, and a test proves it', (...cells) => {
    expect(namedTests(cells.at(-1)!)).not.toEqual([]);
  });

  it('quotes titles after the file that has them, and nothing else', () => {
    const proofs = rows.map((cells) => cells.at(-1)!.replaceAll(NAMED_TEST, ''));
    expect(proofs.filter((proof) => proof.includes('"'))).toEqual([]);
  });
});

it.each(DOCUMENTS)('the tests that docs/%s names in backticks exist, with the titles in quotes', (file) => {
  const named = namedTests(readFileSync(join('docs', file), 'utf8'));
  expect(named.filter((test) => !isInAFile(test))).toEqual([]);
});

describe('the cases of docs/edge-cases.md', () => {
  it('are there, each once', () => {
    expect(LINES.length).toBeGreaterThanOrEqual(45);
    expect(new Set(LINES.map(({ text }) => text)).size).toBe(LINES.length);
  });

  it.each(LINES)('$text', ({ text, rules, tests }) => {
    expect(rules.length + tests.length).toBeGreaterThan(0);
    expect(rules.filter((id) => !PROVED_BY.has(id))).toEqual([]);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
    // a scenario that says it is for the case proves one of its rules
    const proofs = new Set(rules.flatMap((id) => PROVED_BY.get(id) ?? []));
    const forIt = [...PROVES].filter(([, proves]) => proves === text).map(([name]) => name);
    expect(forIt.filter((name) => !proofs.has(name))).toEqual([]);
  });
});
