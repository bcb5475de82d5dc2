import type { Stats } from '../stats.js';

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
