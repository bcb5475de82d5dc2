import { execFile } from 'node:child_process';

export interface RunOptions {
  /** Milliseconds after which the command is killed and counts as failed. */
  timeout: number;
  env?: NodeJS.ProcessEnv | undefined;
}

/** Runs a command and returns its output. If it fails, the error message is the last line of its output. */
export function run(command: string, args: string[], { timeout, env }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { timeout, killSignal: 'SIGKILL', env: env ?? process.env, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        reject(new Error(reasonOf(command, error, `${stderr}\n${stdout}`), { cause: error }));
      },
    );
  });
}

function reasonOf(
  command: string,
  error: Error & { code?: unknown; killed?: boolean; signal?: unknown },
  output: string,
) {
  if (error.code === 'ENOENT') return `${command} is not installed`;
  if (error.killed) return `${command} took too long`;
  const last = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1);
  return `${command} failed (${String(error.signal ?? error.code)})${last ? `: ${last}` : ''}`;
}

/** The error's message in one line. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}
