import { addMonths, instantOf, localInput, monthOf, weeksOf } from './calendar.js';

it('lays a month out in weeks that begin on Monday', () => {
  const weeks = weeksOf('2026-03');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([...Array.from({ length: 6 }, () => undefined), '2026-03-01']);
  expect(weeks[5]!.slice(0, 3)).toEqual(['2026-03-30', '2026-03-31', undefined]);
  expect(weeksOf('2021-02')).toHaveLength(4);
});

it('steps over the end of a year', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01');
  expect(addMonths('2026-01', -1)).toBe('2025-12');
});

it('names the month of the place, not of Greenwich', () => {
  const at = Date.parse('2026-03-31T23:30:00Z');
  expect(monthOf(at, 'Europe/Berlin')).toBe('2026-04');
  expect(monthOf(at, 'America/New_York')).toBe('2026-03');
});

describe('a time on the wall as an instant', () => {
  const instant = (local: string, zone: string): string => new Date(instantOf(local, zone)).toISOString();

  it('follows the zone in summer and winter', () => {
    expect(instant('2026-01-05T08:00', 'Europe/Berlin')).toBe('2026-01-05T07:00:00.000Z');
    expect(instant('2026-07-05T08:00', 'Europe/Berlin')).toBe('2026-07-05T06:00:00.000Z');
    expect(instant('2026-07-05T08:00', 'Asia/Kolkata')).toBe('2026-07-05T02:30:00.000Z');
  });

  it('goes forward over a gap and takes the first of two', () => {
    expect(instant('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(instant('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(instant('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
  });

  it('and back', () => {
    expect(localInput(Date.parse('2026-07-05T06:00:00Z'), 'Europe/Berlin')).toBe('2026-07-05T08:00');
  });

  it('is no number when it is no time', () => {
    expect(instantOf('', 'Europe/Berlin')).toBeNaN();
  });
});
