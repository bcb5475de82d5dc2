import { transformSync, type Options } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault } from './fault.js';

/** The repository; every command runs in it. */
const ROOT = process.cwd();

/** A source file with a fault in it. */
export interface PlantedFile {
  /** Its path. */
  path: string;
  /** Its TypeScript. */
  source: string;
  /** Its JavaScript, and the module that it is in `dist`. */
  compiled: { url: string; code: string };
}

/**
 * Plants a fault; writes nothing.
 *
 * @param compiler the options by which the tests are compiled
 * @throws if its text does not occur exactly once, or if it does not compile
 */
export function plant({ name, file, find, replace }: Fault, compiler: Options): PlantedFile {
  const path = join(ROOT, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`"${name}": its text occurs ${parts.length - 1} times in ${file}, not once: ${find}`);
  const source = parts.join(replace);
  const { code } = transformSync(source, { ...compiler, filename: path, swcrc: false });
  const url = pathToFileURL(join(ROOT, 'dist', file.replace(/\.ts$/, '.js'))).href;
  return { path, source, compiled: { url, code } };
}
