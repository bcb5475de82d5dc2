import { jest } from '@jest/globals';
import { Throttled } from './throttled.js';

it('the first has a line, and then once a minute how many there were', () => {
  jest.useFakeTimers();
  try {
    const throttled = new Throttled();
    expect([throttled.count(), throttled.count(), throttled.count()]).toEqual([1, undefined, undefined]);
    jest.advanceTimersByTime(59_999);
    expect(throttled.count()).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect([throttled.count(), throttled.count()]).toEqual([4, undefined]);
  } finally {
    jest.useRealTimers();
  }
});
