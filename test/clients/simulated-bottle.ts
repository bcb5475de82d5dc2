import { MINUTE_MS } from '#domain';
import type { ManualClock } from '#platform';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Client } from './build.js';

/** An action that the bottle was ordered to report. Its number of pills names it. */
export interface Ordered {
  action: 'opened' | 'closed';
  number_of_pills: number;
  time: Date;
  /** The bottle has confirmed that it is in flash; otherwise its power failed meanwhile. */
  isRecorded: boolean;
}

/** Its state after a while. */
export interface State {
  waiting: number;
  lost: number;
  fault: number;
}

/** A client's simulated bottle, in its own time, which the service's clock follows at each request. */
export class SimulatedBottle {
  readonly ordered: Ordered[] = [];
  /** When it sent requests, and what it logged as refused, since it was last emptied. */
  readonly requests: Date[] = [];
  readonly refused: string[] = [];
  /** How many actions there is room for. */
  capacity = 240;
  /** How long the client waits for a response. Real milliseconds. */
  timeoutMs = 20_000;
  /** Called before each request goes out. */
  beforeRequest: () => void = () => undefined;

  private readonly folder = mkdtempSync(join(tmpdir(), 'pillwatch-bottle-'));
  private process: ChildProcess | undefined;
  private lines: Interface | undefined;
  private answers: AsyncIterator<string> | undefined;
  private stderr = '';
  /** When it was switched on, and for how long it has run, by true time. */
  private bootedAt: number;
  private uptime = 0;

  constructor(
    private readonly client: Client,
    private readonly clock: ManualClock,
    private readonly port: number,
    private readonly token: string,
  ) {
    this.bootedAt = clock.now().getTime();
  }

  get isOn(): boolean {
    return this.process !== undefined;
  }

  get now(): Date {
    return new Date(this.bootedAt + this.uptime);
  }

  /** Switches it on. @param offMs how long it was off @returns how many actions wait in its flash */
  async boot(offMs = 0): Promise<number> {
    this.bootedAt += this.uptime + offMs;
    this.uptime = 0;
    const [file, ...args] = this.client.program;
    const flash = join(this.folder, 'flash');
    const timeout = this.client.name === 'C' ? this.timeoutMs : this.timeoutMs / 1_000;
    const all = [
      ...args,
      flash,
      ...this.client.storage(this.capacity),
      '127.0.0.1',
      this.port,
      this.token,
      timeout,
    ];
    const child = spawn(file, all.map(String), { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.process = child;
    this.lines = createInterface({ input: child.stdout });
    this.answers = this.lines[Symbol.asyncIterator]();
    const [ready, waiting] = (await this.answer()) ?? [];
    if (ready !== 'ready') throw new Error(`it does not start: ${this.stderr}`);
    return Number(waiting);
  }

  /** The power fails in so many real milliseconds, whatever it does then. */
  killIn(ms: number): void {
    const { process } = this;
    setTimeout(() => process?.kill('SIGKILL'), ms);
  }

  /** The power fails while it does nothing. */
  async switchOff(): Promise<void> {
    if (!this.process) return;
    this.process.kill('SIGKILL');
    while (this.isOn) await this.answer();
  }

  /** The power fails after so many bytes of flash from now. */
  async cutAfter(bytes: number): Promise<void> {
    await this.order(`cut ${bytes}`);
  }

  async setToken(token: string): Promise<void> {
    await this.order(`token ${token}`);
  }

  /** Somebody opens or closes it. */
  async move(action: Ordered['action']): Promise<void> {
    const number_of_pills = this.ordered.length + 1;
    const entry: Ordered = { action, number_of_pills, time: this.now, isRecorded: false };
    this.ordered.push(entry);
    const order = action === 'opened' ? 'open' : 'close';
    const answer = await this.order(`${order} 40480 ${number_of_pills}${action === 'closed' ? ' 2' : ''}`);
    if (answer?.[0] === 'recorded' && Number(answer[1]) > 0) entry.isRecorded = true;
    else if (answer) throw new Error(`not recorded: ${answer.join(' ')}`);
  }

  /** Lets its time go by; undefined if its power failed meanwhile. */
  async tick(ms: number): Promise<State | undefined> {
    const before = this.uptime;
    const answer = await this.order(`tick ${ms}`);
    if (!answer) return undefined;
    this.uptime = before + ms;
    this.clock.set(this.now);
    const [, waiting, lost, fault] = answer.map(Number);
    return { waiting: waiting!, lost: lost!, fault: fault! };
  }

  /** Lets time go by until nothing waits. @throws if that takes more than two days */
  async empty(): Promise<State> {
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 10) {
      const state = await this.tick(10 * MINUTE_MS);
      if (!state) await this.boot();
      else if (state.waiting === 0) return state;
    }
    throw new Error('after two days actions still wait');
  }

  async stop(): Promise<void> {
    await this.switchOff();
    rmSync(this.folder, { recursive: true });
  }

  /** A factory reset empties the flash. */
  reset(): void {
    if (this.isOn) throw new Error('switch it off first');
    rmSync(join(this.folder, 'flash'), { force: true });
  }

  /** @returns its answer; undefined if its power failed */
  private async order(line: string): Promise<string[] | undefined> {
    if (!this.process) throw new Error('it is off');
    this.process.stdin!.write(`${line}\n`);
    return this.answer();
  }

  private async answer(): Promise<string[] | undefined> {
    for (;;) {
      const { value, done } = await this.answers!.next();
      if (done) return this.off();
      const parts = value.split(' ');
      if (parts[0] === 'request') {
        this.uptime = Number(parts[1]);
        this.clock.set(this.now);
        this.requests.push(this.now);
        this.beforeRequest();
        this.process!.stdin!.write('go\n');
      } else if (parts[0] === 'refused') this.refused.push(parts.slice(1).join(' '));
      else return parts;
    }
  }

  /** @throws if it was not killed: a client does not end by itself */
  private async off(): Promise<undefined> {
    const child = this.process!;
    this.process = undefined;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    if (child.signalCode !== 'SIGKILL')
      throw new Error(`it ended with ${child.signalCode ?? child.exitCode}: ${this.stderr}`);
  }
}
