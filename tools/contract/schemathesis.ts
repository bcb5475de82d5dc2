import { join, resolve } from 'node:path';
import { command } from './toolbox.js';

const SOURCE = resolve('tools/contract');

/** A service, and who asks it. */
export interface Target {
  url: string;
  token: string;
  /** Stored ids by collection of the API. */
  ids: Record<string, string[]>;
  /** Only these paths. */
  paths?: string;
}

/** How many requests were sent, and everything that schemathesis printed of a run that found something. */
export interface Findings {
  cases: number;
  failures: string;
}

/**
 * Lets schemathesis try a service until it has sent so many requests. All of its checks are on without being named;
 * naming them would undo schemathesis.toml. The first run has every phase; the coverage phase sends the same in each,
 * so later ones are random and stateful only.
 *
 * @param bin the folder of the program
 */
export async function trySchema(bin: string, target: Target, wanted: number): Promise<Findings> {
  let cases = 0;
  for (let turn = 1; cases < wanted; turn += 1) {
    const examples = Math.max(10, Math.ceil((wanted - cases) / 400));
    const { code, text } = await command(join(bin, 'schemathesis'), argumentsFor(target, turn, examples), {
      cwd: SOURCE,
      env: { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: SOURCE, CONTRACT_IDS: JSON.stringify(target.ids) },
    });
    const generated = /(\d+) generated/.exec(text);
    cases += Number(generated?.[1] ?? 0);
    if (code !== 0 || !generated) return { cases, failures: text };
  }
  return { cases, failures: '' };
}

function argumentsFor({ url, token, paths }: Target, seed: number, examples: number): string[] {
  return [
    'run',
    `${url}/docs/json`,
    '--no-color',
    '--continue-on-failure',
    '--warnings=off',
    '--suppress-health-check=all',
    // how fast it is, is measured elsewhere: this machine has other work
    '--request-timeout=60',
    '--max-response-time=60',
    '--generation-database=none',
    `--phases=${seed === 1 ? 'examples,coverage,fuzzing,stateful' : 'fuzzing,stateful'}`,
    `--seed=${seed}`,
    `--max-examples=${examples}`,
    `--header=Authorization: Bearer ${token}`,
    ...(paths === undefined ? [] : [`--include-path-regex=${paths}`]),
  ];
}
