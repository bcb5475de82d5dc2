import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

export async function freeAddress(): Promise<{ port: string; url: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { port: String(port), url: `http://127.0.0.1:${port}` };
}

/** A server in a process of its own, and what it costs. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts `script` and waits until `/health/ready` answers 200. */
  static async start(script: string, env: Record<string, string>, url: string): Promise<ServerProcess> {
    const child = spawn(process.execPath, [...profiling(), script], {
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4_000);
      });
    const server = new ServerProcess(child, url);
    for (let waited = 0; !(await isReady(url)); waited += 50) {
      if (child.exitCode !== null || waited > START_TIMEOUT_MS)
        throw new Error(`${script} did not start:\n${output}`);
      await sleep(50);
    }
    return server;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Time on the processor so far, of user and system. Milliseconds. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  /** The most memory that it has had. MB (10^6 bytes). */
  peakMemoryMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return (Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1_024) / 1e6;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** `BENCH_CPU_PROF=FOLDER` writes a profile of each server there. */
function profiling(): string[] {
  const folder = process.env['BENCH_CPU_PROF'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
