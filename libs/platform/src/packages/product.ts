import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, above the sources and above what is compiled. */
export function rootFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The release that runs, as package.json names it: `0.2.0`. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(join(rootFolder(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
