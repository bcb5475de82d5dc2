import type { WriteStream } from 'node:tty';
import type { Summary } from '../simulator.js';
import type { Stats } from '../../harness/bottle/stats.js';

/** A fleet's figures in one line. @param rate reports acknowledged a second, of late */
export function progressLine(stats: Stats, rate: number): string {
  const errors = Object.entries(stats.errors).map(([code, count]) => `${code} ${whole(count)}`);
  return [
    `${whole(stats.bottles)} bottles`,
    `${rate.toFixed(rate < 100 ? 1 : 0)} reports/s`,
    `acknowledged ${whole(stats.acknowledged)}`,
    `duplicates ${whole(stats.duplicates)}`,
    `retried ${whole(stats.retried)}`,
    ...(stats.refused > 0 ? [`REFUSED ${whole(stats.refused)}`] : []),
    `errors ${errors.length === 0 ? 'none' : errors.join(', ')}`,
    `p50 ${milliseconds(stats.p50_ms)}`,
    `p99 ${milliseconds(stats.p99_ms)}`,
    `offline ${whole(stats.offline)}`,
    `backlog ${whole(stats.backlog)}`,
  ].join('  ');
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

const REWRITE_EVERY_MS = 1_000;
const APPEND_EVERY_MS = 5_000;

/** Shows a run's progress: one line that is rewritten every second, or a new line every 5 s without a terminal. */
export class Progress {
  private readonly timer: NodeJS.Timeout;
  private before = { acknowledged: 0, at: performance.now() };

  constructor(
    private readonly stats: () => Stats,
    private readonly output: WriteStream,
  ) {
    this.timer = setInterval(() => this.show(), output.isTTY ? REWRITE_EVERY_MS : APPEND_EVERY_MS);
  }

  /** Stops, and keeps the last line. */
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

/** The text at the end of a run. */
export function summaryText(summary: Summary): string {
  const { seconds, acknowledged, backlog, refusals, refused } = summary;
  return [
    `${seconds.toFixed(1)} s: ${progressLine(summary, acknowledged / Math.max(seconds, 0.001))}`,
    ...(backlog > 0
      ? [`${backlog} reports were not acknowledged before the end; a real bottle would keep trying.`]
      : []),
    ...(refused > 0 ? [`${refused} reports were refused for good, such as:`] : []),
    ...refusals.map(
      ({ bottle_id, report, result }) =>
        `  bottle ${bottle_id}: ${result.status} ${result.code ?? ''} ${result.detail ?? ''} ${JSON.stringify(report.body)}`,
    ),
  ].join('\n');
}
