import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCENARIOS = 'test/scenarios';

/** A test by its file and title. */
interface Test {
  file: string;
  title: string;
}

/** A rule of docs/semantics.md with what proves it. */
interface Rule {
  id: string;
  scenarios: string[];
  tests: Test[];
}

/** A line of docs/edge-cases.md. */
interface Line {
  /** As a scenario says in `proves` what it is for: the case and the answer. */
  text: string;
  rules: string[];
  /** Of a case that no rule is about. */
  tests: Test[];
}

const SCENARIO_LIST = /^`[\w-]+`(?:, `[\w-]+`)*$/;
const RULE_ID = /\b[A-Z]+-\d+\b/g;

function readTest(proof: string): Test | undefined {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
  return file !== undefined && title !== undefined ? { file, title } : undefined;
}

/** The list items of docs/semantics.md: a rule, and below it its proofs. */
function readRules(): Rule[] {
  const rules: Rule[] = [];
  for (const line of readFileSync('docs/semantics.md', 'utf8').split('\n')) {
    const [, id] = /^- \*\*([A-Z]+-\d+)\.\*\* \S/.exec(line) ?? [];
    if (id !== undefined) rules.push({ id, scenarios: [], tests: [] });
    else if (/^\s*- /.test(line)) readProof(rules.at(-1)!, line.trim().slice(2));
  }
  return rules;
}

function readProof(rule: Rule, proof: string): void {
  const test = readTest(proof);
  if (test) rule.tests.push(test);
  else if (SCENARIO_LIST.test(proof)) rule.scenarios.push(...proof.slice(1, -1).split('`, `'));
  else throw new Error(`${rule.id}: not a proof: ${proof}`);
}

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

  it.each(readdirSync('docs').filter((file) => file.endsWith('.md')))('that %s names exist', (file) => {
    const ids = new Set(RULES.map(({ id }) => id.split('-')[0]));
    const named = readFileSync(join('docs', file), 'utf8').match(RULE_ID) ?? [];
    expect(named.filter((id) => ids.has(id.split('-')[0]) && !PROVED_BY.has(id))).toEqual([]);
  });
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
