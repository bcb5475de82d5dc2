import { Random } from '../../random.js';
import { NOON } from './testing.js';
import { mayRetry, parseRetryAfter, retryDelay } from './backoff.js';

describe('retryDelay', () => {
  it('doubles from half a second to 30 s, with half of it left to chance', () => {
    const random = new Random('backoff');
    for (const [attempt, longest] of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      for (let draw = 0; draw < 50; draw += 1) {
        const delay = retryDelay(attempt + 1, undefined, random);
        expect(delay).toBeGreaterThanOrEqual(longest / 2);
        expect(delay).toBeLessThan(longest);
      }
    }
  });

  it('keeps to what the server asks for, however often it failed, and spreads the fleet after that', () => {
    const random = new Random('backoff');
    const delays = Array.from({ length: 50 }, (_, attempt) => retryDelay(attempt + 1, 5_000, random));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...delays)).toBeLessThan(7_500);
    expect(new Set(delays).size).toBeGreaterThan(40);
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['seconds', '7', 7_000],
    ['none', '0', 0],
    ['a date', 'Mon, 02 Mar 2026 12:01:30 GMT', 90_000],
    ['a date that is past', 'Mon, 02 Mar 2026 11:00:00 GMT', 0],
    ['nonsense', 'soon', undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_, header, expected) => {
    expect(parseRetryAfter(header, NOON)).toBe(expected);
  });
});

it('a device tries again what may succeed later, and nothing else', () => {
  expect([408, 425, 429, 500, 502, 503, 504].every(mayRetry)).toBe(true);
  expect([200, 201, 204, 301, 400, 401, 403, 404, 409, 413, 415].some(mayRetry)).toBe(false);
});
