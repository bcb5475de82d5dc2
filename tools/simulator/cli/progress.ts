import type { WriteStream } from 'node:tty';
import type { Stats } from '../stats.js';
import { progressLine } from './progress-line.js';

const REWRITE_EVERY_MS = 1_000;
const APPEND_EVERY_MS = 5_000;

/** Shows how a run goes on: one line that is rewritten every second, or a new one every 5 s where that cannot be. */
export class Progress {
  private readonly timer: NodeJS.Timeout;
  private before = { acknowledged: 0, at: performance.now() };

  constructor(
    private readonly stats: () => Stats,
    private readonly output: WriteStream,
  ) {
    this.timer = setInterval(() => this.show(), output.isTTY ? REWRITE_EVERY_MS : APPEND_EVERY_MS);
  }

  /** Shows no more, and leaves the line. */
  stop(): void {
    clearInterval(this.timer);
    if (this.output.isTTY) this.output.write('\n');
  }

  private show(): void {
    const stats = this.stats();
    const at = performance.now();
    const rate = ((stats.acknowledged - this.before.acknowledged) * 1000) / Math.max(1, at - this.before.at);
    this.before = { acknowledged: stats.acknowledged, at };
    const line = progressLine(stats, rate);
    this.output.write(this.output.isTTY ? `\r\x1b[2K${line.slice(0, this.output.columns - 1)}` : `${line}\n`);
  }
}
