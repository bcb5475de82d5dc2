import { transformSync, type Options } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './fault.js';

/** A source file with a fault in it, as the tests load it. */
export interface PlantedFile {
  path: string;
  code: string;
}

/**
 * Plants a fault; writes nothing.
 *
 * @param compiler the options by which the tests are compiled
 * @throws if its text does not occur exactly once, or if it does not compile
 */
export function plant({ name, file, find, replace }: Fault, compiler: Options): PlantedFile {
  const path = join(process.cwd(), file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`"${name}": its text occurs ${parts.length - 1} times in ${file}, not once: ${find}`);
  const { code } = transformSync(parts.join(replace), { ...compiler, filename: path, swcrc: false });
  return { path, code };
}
