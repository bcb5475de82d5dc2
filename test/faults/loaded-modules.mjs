/** `--import` it: writes the files of all CommonJS modules that the process has loaded into LOADED_MODULES as it exits. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

process.once('exit', () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  writeFileSync(join(process.env.LOADED_MODULES, `${process.pid}.json`), JSON.stringify(files));
});
