import { progressLine, summaryText } from './output.js';
import { Histogram } from '../../harness/bottle/histogram.js';
import { StatsCollector } from '../../harness/bottle/stats.js';

describe('Histogram', () => {
  it('has no percentiles without durations', () => {
    expect(new Histogram().percentile(0.5)).toBe(0);
  });

  it('is right to within a tenth', () => {
    const histogram = new Histogram();
    for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms);
    for (const [share, exact] of [
      [0.01, 10],
      [0.5, 500],
      [0.99, 990],
      [1, 1000],
    ] as const) {
      expect(histogram.percentile(share)).toBeGreaterThanOrEqual(exact * 0.999);
      expect(histogram.percentile(share)).toBeLessThan(exact * 1.11);
    }
    expect(histogram.count).toBe(1000);
  });

  it('takes durations beyond its ends', () => {
    const histogram = new Histogram();
    histogram.add(0);
    histogram.add(1e9);
    expect(histogram.percentile(0.5)).toBeCloseTo(0.1);
    expect(histogram.percentile(1)).toBeGreaterThan(300_000);
  });
});

function someStats(): StatsCollector {
  const stats = new StatsCollector();
  stats.bottles = 1200;
  stats.offline = 7;
  stats.backlog = 31;
  stats.answered(4);
  stats.acknowledged(false);
  stats.acknowledged(true);
  stats.retried(3, 'rate_limited');
  stats.retried(1, 'rate_limited');
  return stats;
}

it('counts what a fleet does', () => {
  expect(someStats().snapshot()).toEqual({
    bottles: 1200,
    acknowledged: 2,
    duplicates: 1,
    retried: 4,
    refused: 0,
    errors: { rate_limited: 2 },
    requests: 1,
    p50_ms: expect.closeTo(4, 0),
    p99_ms: expect.closeTo(4, 0),
    offline: 7,
    backlog: 31,
  });
});

it('is shown in one line', () => {
  const line = progressLine(someStats().snapshot(), 45.25);
  expect(line).toMatch(
    /^1,200 bottles {2}45\.3 reports\/s {2}acknowledged 2 {2}duplicates 1 {2}retried 4 {2}errors rate_limited 2 {2}p50 4\.\d ms {2}p99 4\.\d ms {2}offline 7 {2}backlog 31$/,
  );
  expect(progressLine(new StatsCollector().snapshot(), 0)).toContain('errors none');
});

it('names what was refused, at the end', () => {
  const stats = someStats();
  const body = { sent_at: '2026-03-02T12:00:00.000Z' };
  const result = { status: 401, code: 'token_unknown', detail: 'No bottle has this token.' };
  for (let count = 0; count < 20; count += 1) {
    stats.refused({ bottle_id: 'b1', report: { type: 'heartbeat', madeAt: 0, body }, result });
  }
  expect(stats.refusals).toHaveLength(10);
  const text = summaryText({ ...stats.snapshot(), seconds: 2, refusals: stats.refusals });
  expect(text).toContain('REFUSED 20');
  expect(text).toContain('bottle b1: 401 token_unknown No bottle has this token.');
});
