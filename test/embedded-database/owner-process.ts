import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { transform } from '@swc/core';

const ROOT = process.cwd();
const LIBRARY = join(ROOT, 'libs/platform/src/embedded-database');
const SCRIPT = `
import { startEmbeddedDatabase } from './embedded-database/index.js';
try {
  const { uri, pid } = await startEmbeddedDatabase({ dataDir: process.argv[2] });
  console.log(JSON.stringify({ uri, pid }));
  setInterval(() => {}, 1000);
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
  process.exitCode = 1;
}
`;

export interface OwnerProcess {
  child: ChildProcess;
  /** What it said: where its database is, or why it has none. */
  said: { uri: string; pid: number; error?: string };
}

/** Writes the library as plain JavaScript, so that another Node process can run it without a build. */
export async function writeOwnerScript(folder: string): Promise<string> {
  const files = (await readdir(LIBRARY, { recursive: true })).filter((name) => name.endsWith('.ts'));
  await Promise.all(
    files.map(async (name) => {
      const { code } = await transform(await readFile(join(LIBRARY, name), 'utf8'), {
        swcrc: false,
        filename: name,
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
      });
      const path = join(folder, 'embedded-database', name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, code);
    }),
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'owner.js'), SCRIPT);
  return join(folder, 'owner.js');
}

export async function startOwner(script: string, dataDir: string): Promise<OwnerProcess> {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, said: JSON.parse(line) as OwnerProcess['said'] };
}

export async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
