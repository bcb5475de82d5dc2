import { HOUR_MS, DAY_MS } from '#domain';
import { boundariesOf } from './boundaries.js';
import { type ChartRange, planFleetChart } from './fleet-plan.js';
import { TooManyPointsError } from './steps.js';

const NOW = new Date('2026-11-10T10:20:00Z');

const range = (hours: number, more: Partial<ChartRange> = {}): ChartRange => ({
  from: new Date(NOW.getTime() - hours * HOUR_MS),
  to: NOW,
  step: 'auto',
  timeZone: 'Europe/Berlin',
  ...more,
});

describe('what is read for a chart', () => {
  it.each([
    [1, '1m', '1m'],
    [8, '1m', '1m'],
    [9, '5m', '5m'],
    [41, '5m', '5m'],
    [48, '15m', '5m'],
    [20 * 24, '1h', '1h'],
    [40 * 24, '3h', '1h'],
    [48 * 24, '3h', '1h'],
    [49 * 24, '1d', '1d'],
    [365 * 24, '1d', '1d'],
    [3_000 * 24, '7d', '1d'],
  ])('of the last %d hours is by %s from the tier of %s', (hours, step, tier) => {
    const plan = planFleetChart(range(hours), NOW);
    expect(plan).toMatchObject({ step, tier });
    expect(plan.documents.length).toBeLessThanOrEqual(48);
    expect(plan.boundaries.length - 1).toBeLessThanOrEqual(500);
  });

  it('begins with a whole document where there would be one too many', () => {
    const { boundaries, documents } = planFleetChart(range(48), NOW);
    expect(documents).toHaveLength(48);
    expect(boundaries[0]).toEqual(new Date('2026-11-08T11:00:00Z'));
  });

  it('is no tier that has been dropped', () => {
    const longAgo = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-10-01T06:00:00Z') };
    expect(planFleetChart(range(0, longAgo), NOW)).toMatchObject({ step: '1h', tier: '1h' });
    const years = { from: new Date('2024-10-01T00:00:00Z'), to: new Date('2024-10-04T00:00:00Z') };
    expect(planFleetChart(range(0, years), NOW)).toMatchObject({ step: '1d', tier: '1d', timeZone: 'UTC' });
  });

  it.each([
    [range(24, { step: '1m' })],
    [range(60 * 24, { step: '1h' })],
    [range(501 * 24, { step: '1d' })],
    [range(100_000 * 24)],
  ])('is refused where a step is too fine', (wanted) => {
    expect(() => planFleetChart(wanted, NOW)).toThrow(TooManyPointsError);
  });
});

describe('the steps of a chart', () => {
  const hoursOf = (dates: Date[]): number[] =>
    dates.slice(1).map((date, index) => (date.getTime() - dates[index]!.getTime()) / HOUR_MS);

  it('follow the days of the zone, of 23 and 25 hours where the clocks change', () => {
    const spring = boundariesOf(
      new Date('2026-03-28T12:00:00Z'),
      new Date('2026-03-30T12:00:00Z'),
      '1d',
      'Europe/Berlin',
    );
    expect(spring[0]).toEqual(new Date('2026-03-27T23:00:00Z'));
    expect(hoursOf(spring)).toEqual([24, 23, 24]);
    const autumn = boundariesOf(
      new Date('2026-10-25T00:00:00Z'),
      new Date('2026-10-25T12:00:00Z'),
      '1d',
      'Europe/Berlin',
    );
    expect(hoursOf(autumn)).toEqual([25]);
  });

  it('of some hours begin again at each midnight', () => {
    const steps = boundariesOf(
      new Date('2026-10-25T00:00:00Z'),
      new Date('2026-10-25T23:30:00Z'),
      '6h',
      'Europe/Berlin',
    );
    expect(hoursOf(steps)).toEqual([6, 6, 6, 6, 1, 6]);
  });

  it('of a week begin on Monday', () => {
    const [monday] = boundariesOf(
      new Date('2026-03-01T12:00:00Z'),
      new Date('2026-03-01T13:00:00Z'),
      '7d',
      'UTC',
    );
    expect(monday).toEqual(new Date('2026-02-23T00:00:00Z'));
  });

  it.each(['1m', '5m', '15m', '1h', '3h', '6h', '1d', '7d'] as const)(
    'of %s cover the range and touch',
    (step) => {
      for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe']) {
        const [from, to] = [new Date('2026-03-28T23:17:00Z'), new Date('2026-03-29T06:41:00Z')];
        const steps = boundariesOf(from, to, step, zone);
        expect(steps.length).toBeGreaterThanOrEqual(2);
        expect(steps[0]!.getTime()).toBeLessThanOrEqual(from.getTime());
        expect(steps[1]!.getTime()).toBeGreaterThan(from.getTime());
        expect(steps.at(-1)!.getTime()).toBeGreaterThanOrEqual(to.getTime());
        expect(steps.at(-2)!.getTime()).toBeLessThan(to.getTime());
        expect(hoursOf(steps).every((hours) => hours > 0)).toBe(true);
      }
    },
  );

  it('leave out a day that the zone skipped', () => {
    const steps = boundariesOf(
      new Date('2011-12-29T12:00:00Z'),
      new Date('2011-12-31T12:00:00Z'),
      '1d',
      'Pacific/Apia',
    );
    expect(hoursOf(steps).every((hours) => hours * HOUR_MS === DAY_MS)).toBe(true);
  });
});
