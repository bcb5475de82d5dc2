import { countTaken, emptyMonth, type Removal } from '../counting/taken.js';
import { Tally } from '../counting/tally.js';
import { localMidnights, wallClock, sameHours } from './wall-clock.js';

describe('the wall clock', () => {
  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59:59Z'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00Z'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00Z'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00Z'],
    ['2026-06-01T00:00:00Z', 'Asia/Kathmandu', '2026-06-01T05:45:00Z'],
    ['2026-04-04T14:45:00Z', 'Australia/Lord_Howe', '2026-04-05T01:45:00Z'],
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-05T01:30:00Z'],
  ])('shows %s in %s as %s', (instant, zone, shown) => {
    expect(wallClock(new Date(instant), zone)).toEqual(new Date(shown));
  });

  it('has a midnight for every day, where one is skipped the first moment', () => {
    const midnights = localMidnights(
      new Date('2018-11-03T12:00:00Z'),
      new Date('2018-11-05T12:00:00Z'),
      'America/Sao_Paulo',
    );
    expect(midnights.map((midnight) => midnight.toISOString())).toEqual([
      '2018-11-03T03:00:00.000Z',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
      '2018-11-06T02:00:00.000Z',
    ]);
  });
});

describe('what is taken', () => {
  const sumsOf = (removal: Partial<Removal>): [object, Record<string, number>][] => {
    const tally = new Tally();
    const time = new Date('2026-03-29T01:20:00Z');
    countTaken(tally, {
      time,
      pills_taken: 2,
      medication: 'Cordrazine',
      time_zone: 'Europe/Berlin',
      ...removal,
    });
    return tally.counts().map(({ bucket, sums }) => [bucket.key, Object.fromEntries(sums)]);
  };

  it('is counted at every level, in its zone and in all together', () => {
    const sums = {
      pills_taken: 2,
      doses: 1,
      'days.28.pills_taken': 2,
      'days.28.doses': 1,
      'days.28.hours.3.pills_taken': 2,
      'days.28.hours.3.doses': 1,
      'days.28.hours.3.minutes.1.pills_taken': 2,
      'days.28.hours.3.minutes.1.doses': 1,
    };
    const date = new Date('2026-03-01T00:00:00Z');
    expect(sumsOf({})).toEqual([
      [{ medication: 'Cordrazine', time_zone: 'Europe/Berlin', date }, sums],
      [{ medication: 'Cordrazine', time_zone: '*', date }, sums],
    ]);
  });

  it('is nothing where no pill was removed', () => expect(sumsOf({ pills_taken: 0 })).toEqual([]));

  it('belongs to the month that the wall clock shows', () => {
    const [[key]] = sumsOf({ time: new Date('2026-03-31T22:30:00Z') }) as [[{ date: Date }, object]];
    expect(key.date).toEqual(new Date('2026-04-01T00:00:00Z'));
  });

  it.each([
    ['2026-02-01', 28],
    ['2028-02-01', 29],
    ['2026-12-01', 31],
  ])('has a place for every quarter of an hour of %s', (month, days) => {
    const empty = emptyMonth({
      medication: 'Cordrazine',
      time_zone: '*',
      date: new Date(`${month}T00:00:00Z`),
    }) as {
      days: { date: Date; hours: { minutes: { date: Date }[] }[] }[];
    };
    expect(empty.days).toHaveLength(days);
    const last = empty.days.at(-1)!.hours.at(-1)!.minutes.at(-1)!.date;
    expect(last.toISOString()).toBe(`${month.slice(0, 8)}${days}T23:45:00.000Z`);
  });
});

it('the same hour of earlier weeks is that of the wall clock, also before clocks changed', () => {
  const hours = sameHours(new Date('2026-04-05T06:00:00Z'), 2, 'Europe/Berlin');
  expect(hours).toEqual([new Date('2026-03-29T06:00:00Z'), new Date('2026-03-22T07:00:00Z')]);
});
