import { readFileSync } from 'node:fs';

/** A test by its file and title. */
export interface Test {
  file: string;
  title: string;
}

/** A rule of docs/semantics.md with what proves it. */
export interface Rule {
  id: string;
  scenarios: string[];
  tests: Test[];
}

const SCENARIO_LIST = /^`[\w-]+`(?:, `[\w-]+`)*$/;

export function readTest(proof: string): Test | undefined {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
  return file !== undefined && title !== undefined ? { file, title } : undefined;
}

/** The list items of docs/semantics.md: a rule, and below it its proofs. */
export function readRules(): Rule[] {
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
