import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { eventually } from './eventually.js';

export type ServiceName = 'device-api' | 'notifier' | 'support-api';

/** How a process ended, and how long after the signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  ms: number;
}

const START_TIMEOUT_MS = 120_000;
/** A stopped process gives no answer at all. */
const ANSWER_TIMEOUT_MS = 15_000;
const KEPT_OUTPUT = 4_000;
/** As the services write it where no terminal reads it. */
const ERROR_LINE = /"level":"(error|fatal)"/;
/** Linux counts a process's time in hundredths of a second. */
const CPU_TICK_MS = 10;

/** A service in a process of its own, as an operator runs it, always on the same port. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private output = '';
  private stdout = '';

  /**
   * @param env its settings; the port is added as `NAME_PORT`
   * @param script what Node runs, relative to the repository's root or absolute
   */
  constructor(
    private readonly name: string,
    private readonly port: number,
    private readonly env: Record<string, string>,
    private readonly script = `dist/apps/${name}/src/main.js`,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it and waits until `/health/ready` answers 200. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...profiling(), this.script], {
      env: {
        ...recordingCommands(),
        OPERATIONS_KEY: 'off',
        ...this.env,
        [`${this.name.replace('-', '_').toUpperCase()}_PORT`]: String(this.port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const keep = (chunk: Buffer): void => {
      this.output = (this.output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr.on('data', keep);
    const ready = await eventually(async () => {
      if (child.exitCode !== null) return false;
      if ((await this.readiness()) === 200) return true;
      throw new Error(`${this.name} is not ready:\n${this.output}`);
    }, START_TIMEOUT_MS);
    if (!ready) throw new Error(`${this.name} ended at its start with ${child.exitCode}:\n${this.output}`);
  }

  /** The status of `/health/ready`; undefined when there is no answer. */
  async readiness(): Promise<number | undefined> {
    return (await this.get('/health/ready'))?.status;
  }

  /** The complete lines of its stdout so far, of all its runs. */
  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  /** Those of its {@link lines} that are errors. */
  get errors(): string[] {
    return this.lines.filter((line) => ERROR_LINE.test(line));
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** CPU time so far, user and system. Milliseconds. */
  cpuMs(): number {
    return cpuMsOf(this.pid);
  }

  /** Peak resident memory. MB (10^6 bytes). */
  peakMemoryMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return (Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1_024) / 1e6;
  }

  /** The value of a metric's sample, given as in the text format: `name{label="x"}`; 0 when there is none. */
  async metric(sample: string): Promise<number> {
    const text = (await (await this.get('/metrics'))?.text()) ?? '';
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? 0 : Number(line.slice(sample.length));
  }

  /** Suspends it until {@link goOn}. */
  async holdStill(): Promise<void> {
    await holdStill(this.pid);
  }

  goOn(): void {
    this.child!.kill('SIGCONT');
  }

  /** The processes that it started: the workers of a service. */
  async children(): Promise<number[]> {
    const { pid } = this;
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  }

  /** Waits for a service that exits by itself. */
  async ended(): Promise<{ code: number | null; output: string }> {
    const { child } = this;
    if (child && child.exitCode === null) await once(child, 'exit');
    return { code: child?.exitCode ?? null, output: this.output };
  }

  /** Sends a signal and waits until the process has exited. */
  async end(name: NodeJS.Signals): Promise<Exit> {
    const { child } = this;
    if (!child || !this.isRunning) throw new Error(`${this.name} is not running:\n${this.output}`);
    const began = performance.now();
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    child.kill(name);
    const [code, signal] = await exited;
    return { code, signal, ms: performance.now() - began };
  }

  /** Stops it in order, unless it has exited already. */
  async stop(): Promise<void> {
    if (this.isRunning) await this.end('SIGTERM');
  }

  /** `kill -9`, then a new start. */
  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL');
    await this.start();
  }

  /** Kills it, unless it has exited already. */
  async dispose(): Promise<void> {
    if (this.isRunning) await this.end('SIGKILL');
  }

  private get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private async get(path: string): Promise<Response | undefined> {
    try {
      return await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    } catch {
      return undefined;
    }
  }
}

/** CPU time of a process so far, user and system. Milliseconds. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_MS;
}

/** Lets test/sharding read the service's commands to the database. */
function recordingCommands(): Record<string, string> {
  const folder = process.env['PILLWATCH_TEST_COMMANDS'];
  if (folder === undefined) return {};
  return {
    PILLWATCH_TEST_COMMANDS: folder,
    NODE_OPTIONS: `--import ${pathToFileURL('test/support/record-commands.mjs').href}`,
  };
}

/**
 * Stops a process, to go on at `SIGCONT`, and waits until each of its threads stands still: `kill` comes back
 * as soon as the signal is noted, and threads that run meanwhile may still answer what they are asked.
 *
 * Reads /proc, so it needs Linux.
 */
export async function holdStill(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const allStopped = async (): Promise<void> => {
    const running = (await threadStates(pid)).filter((state) => state !== 'T');
    if (running.length > 0) throw new Error(`${running.length} threads of ${pid} still run`);
  };
  await eventually(allStopped, 60_000, 5);
}

/** The states of its threads, as in `ps`: T is stopped. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lines = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  // the name before the state stands in brackets, and may hold anything
  return lines.map((line) => line.charAt(line.lastIndexOf(')') + 2));
}

/** `BENCH_CPU_PROF=FOLDER` writes a CPU profile of each process there. */
function profiling(): string[] {
  const folder = process.env['BENCH_CPU_PROF'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
