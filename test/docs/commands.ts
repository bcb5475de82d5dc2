import { readFileSync } from 'node:fs';
import { blocksOf, DOCUMENTS } from './blocks.js';

/** A command that a document tells its reader to run. */
export interface Command {
  /** File and line of its block, or of the sentence. */
  where: string;
  text: string;
}

/** Why a command is not run by `commands.soak.ts`: another test runs it, or no test can. */
type Elsewhere = { test: string } | { exempt: string };

const TESTS = { exempt: 'runs the tests' };
const CONTAINERS = {
  exempt:
    'needs a container engine or a cluster; test/docs/compose.e2e.ts and test/ops/kit.soak.ts read its files',
};

const ELSEWHERE: [RegExp, Elsewhere][] = [
  [/^npm (test|run (test|check)(:\w+)?)$/, TESTS],
  [/^(docker|kubectl|helm)\b/, CONTAINERS],
  [/^(umask|for name in)\b/, { test: 'test/docs/compose.e2e.ts' }],
  [/^gcc\b/, { test: 'test/clients/documented.soak.ts' }],
  [/^npm run sizing\b/, { test: 'test/admin/sizing.e2e.ts' }],
  [/^npm run restore-drill$/, { test: 'test/restore-drill/restore-drill.soak.ts' }],
  [/^npm run scenario -- --outages$/, { test: 'test/scenarios/outages.soak.ts' }],
  [/\bnpm run shard$/, { exempt: 'needs a mongos' }],
  [/^npm run (bench\b|matching$)/, { exempt: 'measures or computes for minutes' }],
  [/^npm run screenshots$/, { exempt: 'makes the pictures of the documentation again' }],
  [/^npm run dev$/, { exempt: 'compiles the sources anew for as long as it runs' }],
  [/^npm audit\b/, { exempt: 'asks the registry of packages; the workflow runs it' }],
  [
    /^npm run (admin|timeseries)( -- reset-second-factor)?$/,
    { exempt: 'names a program, whose commands are run' },
  ],
];

/** Who runs it, if not `commands.soak.ts`, and why. */
export const elsewhere = ({ text }: Command): Elsewhere | undefined =>
  ELSEWHERE.find(([pattern]) => pattern.test(text))?.[1];

/** Reasons for which no command is left. */
export const unused = (commands: readonly Command[]): string[] =>
  ELSEWHERE.filter(([pattern]) => !commands.some(({ text }) => pattern.test(text))).map(
    ([{ source }]) => source,
  );

/** The commands of a script: one over several lines is one, and comments are none. */
function commandsIn(script: string): string[] {
  const whole = script
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/\|\n\s*/g, '| ')
    .replaceAll(/; do\n[^]*?\ndone/g, (loop) => loop.replaceAll('\n', ' '));
  return whole
    .split('\n')
    .map((line) => line.replace(/ {2,}#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Each command of the documentation once: those of its blocks, and npm's in its sentences. */
export function documentedCommands(): Command[] {
  const found = new Map<string, Command>();
  for (const file of DOCUMENTS) {
    const blocks = blocksOf(file)
      .filter(({ language }) => language === 'sh' || language === 'bash')
      .flatMap(({ where, text }) => commandsIn(text).map((command) => ({ where, text: command })));
    const text = readFileSync(file, 'utf8');
    const sentences = [...text.matchAll(/`((?:[A-Z_]+=\S+ )*npm [^`\n]+)`/g)].map((match) => ({
      where: `${file}:${text.slice(0, match.index).split('\n').length}`,
      text: match[1]!,
    }));
    for (const command of [...blocks, ...sentences])
      if (!found.has(command.text)) found.set(command.text, command);
  }
  return [...found.values()];
}
