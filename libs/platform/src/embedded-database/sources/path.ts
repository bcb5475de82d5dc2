import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import type { SourceContext } from '../find-mongod.js';
import type { MongodBinary } from '../mongod-binary.js';
import { verifyMongod } from '../mongod-binary.js';

/** A mongod that the machine already has. */
export async function findOnPath({ env }: SourceContext): Promise<MongodBinary> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const candidate = join(folder, process.platform === 'win32' ? 'mongod.exe' : 'mongod');
    const executable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return verifyMongod(candidate);
  }
  throw new Error('there is none');
}
