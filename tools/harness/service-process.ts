import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
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

/** A service as an operator runs it, always on the same port. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private output = '';

  /**
   * @param env its settings; the port is added as `NAME_PORT`.
   * @param script what Node runs, seen from the repository's root.
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

  /** Starts it and waits until it says that it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.script], {
      env: {
        ...recordingCommands(),
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
    child.stderr.on('data', keep);
    const ready = await eventually(async () => {
      if (child.exitCode !== null) return false;
      if ((await this.readiness()) === 200) return true;
      throw new Error(`${this.name} is not ready:\n${this.output}`);
    }, START_TIMEOUT_MS);
    if (!ready) throw new Error(`${this.name} ended at its start with ${child.exitCode}:\n${this.output}`);
  }

  /** What `/health/ready` answers; undefined when nobody does. */
  async readiness(): Promise<number | undefined> {
    return (await this.get('/health/ready'))?.status;
  }

  /** The value of a metric's sample, given as in the text format: `name{label="x"}`; 0 when there is none. */
  async metric(sample: string): Promise<number> {
    const text = (await (await this.get('/metrics'))?.text()) ?? '';
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? 0 : Number(line.slice(sample.length));
  }

  /** It hangs until {@link goOn}. */
  async holdStill(): Promise<void> {
    await holdStill(this.child!.pid!);
  }

  goOn(): void {
    this.child!.kill('SIGCONT');
  }

  /** The processes that it has started itself: the workers of a service that has some. */
  async children(): Promise<number[]> {
    const pid = this.child!.pid!;
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  }

  /** Waits for a service that ends by itself. */
  async ended(): Promise<{ code: number | null; output: string }> {
    const { child } = this;
    if (child && child.exitCode === null) await once(child, 'exit');
    return { code: child?.exitCode ?? null, output: this.output };
  }

  /** Sends a signal and waits for the end. */
  async end(name: NodeJS.Signals): Promise<Exit> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${this.name} does not run:\n${this.output}`);
    }
    const began = performance.now();
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    child.kill(name);
    const [code, signal] = await exited;
    return { code, signal, ms: performance.now() - began };
  }

  /** `kill -9` and a new start. */
  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL');
    await this.start();
  }

  /** Whatever its state, it is gone afterwards. */
  async dispose(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await this.end('SIGKILL');
  }

  private async get(path: string): Promise<Response | undefined> {
    try {
      return await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    } catch {
      return undefined;
    }
  }
}

/** What it asks of the database is read by test/sharding. */
function recordingCommands(): Record<string, string> {
  const folder = process.env['PILLWATCH_TEST_COMMANDS'];
  if (folder === undefined) return {};
  return {
    PILLWATCH_TEST_COMMANDS: folder,
    NODE_OPTIONS: `--import ${new URL('../support/record-commands.mjs', import.meta.url).href}`,
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
  await eventually(allStopped, 10_000, 5);
}

/** The states of its threads, as in `ps`: T is stopped. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lines = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  // the name before the state stands in brackets, and may hold anything
  return lines.map((line) => line.charAt(line.lastIndexOf(')') + 2));
}
