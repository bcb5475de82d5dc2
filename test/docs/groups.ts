import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything in the folder of the tests, by its path from the repository. */
export const TEST_FILES = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) =>
  join('test', file),
);

/** The files of cases that a file imports. */
export function casesOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import '\.\/(.+)\.js';$/gm);
  return [...imports].map(([, name]) => join(dirname(file), `${name}.ts`));
}
