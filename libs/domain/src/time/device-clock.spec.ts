import { HOUR_MS } from './durations.js';
import { CLOCK_TOLERANCE_MS, clockOffset, correctEventTime, PLAUSIBLE_SPAN_MS } from './device-clock.js';

const NOW = new Date('2026-03-02T08:00:00Z');
const fromNow = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('clockOffset', () => {
  it('is nothing when the device says nothing', () => expect(clockOffset(undefined, NOW)).toBe(0));

  it.each([
    [0, 0],
    [CLOCK_TOLERANCE_MS, 0],
    [-CLOCK_TOLERANCE_MS, 0],
    [CLOCK_TOLERANCE_MS + 1, CLOCK_TOLERANCE_MS + 1],
    [-CLOCK_TOLERANCE_MS - 1, -CLOCK_TOLERANCE_MS - 1],
    [-NOW.getTime(), -NOW.getTime()],
  ])('of a clock that is %d ms off is %d', (off, offset) =>
    expect(clockOffset(fromNow(off), NOW)).toBe(offset),
  );
});

describe('correctEventTime', () => {
  it('leaves a right time alone', () => {
    const time = fromNow(-HOUR_MS);
    expect(correctEventTime(time, 0, NOW)).toEqual({ time });
    expect(correctEventTime(NOW, 0, NOW)).toEqual({ time: NOW });
  });

  it.each([-5 * HOUR_MS, 3 * HOUR_MS])('shifts by %d ms and keeps the device’s own time', (offset) => {
    const device_time = fromNow(offset - HOUR_MS);
    expect(correctEventTime(device_time, offset, NOW)).toEqual({ time: fromNow(-HOUR_MS), device_time });
  });

  it('takes the future for now', () => {
    const device_time = fromNow(90_000);
    expect(correctEventTime(device_time, 0, NOW)).toEqual({ time: NOW, device_time });
    // after the shift, not before it
    expect(correctEventTime(fromNow(2 * HOUR_MS), HOUR_MS, NOW)).toEqual({
      time: NOW,
      device_time: fromNow(2 * HOUR_MS),
    });
  });

  it.each([
    ['the clock was reset to 1970 after the event', -HOUR_MS, -NOW.getTime()],
    ['the clock was set back after the event', -HOUR_MS, -3 * HOUR_MS],
    ['the event is a year old at most', -PLAUSIBLE_SPAN_MS, -PLAUSIBLE_SPAN_MS * 2],
    ['the clock was far ahead when it sent', -HOUR_MS, PLAUSIBLE_SPAN_MS],
  ])('leaves a time that the shift would make impossible: %s', (_case, ago, offset) => {
    expect(correctEventTime(fromNow(ago), offset, NOW)).toEqual({ time: fromNow(ago) });
  });

  it('shifts a time that is possible both ways, and clamps one that is hardly in the future', () => {
    const device_time = fromNow(-3 * HOUR_MS);
    const shift = (to: number): Date => correctEventTime(device_time, -3 * HOUR_MS - to, NOW)!.time;
    expect(shift(-HOUR_MS)).toEqual(fromNow(-HOUR_MS));
    expect(shift(CLOCK_TOLERANCE_MS)).toEqual(NOW);
    expect(shift(CLOCK_TOLERANCE_MS + 1)).toEqual(device_time);
  });

  it('takes an event by the clock that it can be by', () => {
    // since the reset: by the batch's clock
    const since = new Date(5 * 60_000);
    const offset = HOUR_MS - NOW.getTime();
    expect(correctEventTime(since, offset, NOW)).toEqual({ time: fromNow(-55 * 60_000), device_time: since });
    // before it: by its own
    expect(correctEventTime(fromNow(-2 * HOUR_MS), offset, NOW)).toEqual({ time: fromNow(-2 * HOUR_MS) });
  });

  it('refuses what cannot be meant, and what can be meant only with the clock’s offset', () => {
    expect(correctEventTime(fromNow(-PLAUSIBLE_SPAN_MS), 0, NOW)).toEqual({
      time: fromNow(-PLAUSIBLE_SPAN_MS),
    });
    expect(correctEventTime(fromNow(-PLAUSIBLE_SPAN_MS - 1), 0, NOW)).toBeUndefined();
    expect(correctEventTime(fromNow(PLAUSIBLE_SPAN_MS + 1), 0, NOW)).toBeUndefined();
    const epoch = new Date(0);
    // recorded with a clock that was never set, and sent after it was: nobody knows when
    expect(correctEventTime(epoch, clockOffset(NOW, NOW), NOW)).toBeUndefined();
    expect(correctEventTime(epoch, -NOW.getTime(), NOW)).toEqual({ time: NOW, device_time: epoch });
  });
});
