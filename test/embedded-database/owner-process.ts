import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const LIBRARY = pathToFileURL(join(process.cwd(), 'dist/libs/platform/src/embedded-database/index.js')).href;
const SCRIPT = `
const { startEmbeddedDatabase } = await import('${LIBRARY}');
try {
  const { uri, pid } = await startEmbeddedDatabase({ dataDir: process.argv[1] });
  console.log(JSON.stringify({ uri, pid }));
  setInterval(() => {}, 1000);
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
  process.exitCode = 1;
}
`;

export interface OwnerProcess {
  child: ChildProcess;
  /** Its first line of output: where its database is, or why it has none. */
  status: { uri: string; pid: number; error?: string };
}

/** Starts another process with an embedded database in `dataDir`. */
export async function startOwner(dataDir: string): Promise<OwnerProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, status: JSON.parse(line) as OwnerProcess['status'] };
}

export async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
