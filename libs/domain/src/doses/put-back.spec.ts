import { mayBePutBack, netRemovals, pillsPutBack } from './put-back.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const closing = (time: string, pills_taken: number | undefined, number_of_pills?: number) => ({
  time: at(time),
  ...(pills_taken !== undefined && { pills_taken }),
  ...(number_of_pills !== undefined && { number_of_pills }),
});
type Closings = ReturnType<typeof closing>[];
const REMOVAL = closing('08:05:00', 2, 28);
const back = (...closings: Closings) => pillsPutBack(REMOVAL.time, [...closings, REMOVAL]);

describe('pills came back', () => {
  it.each([
    ['one of two', [closing('08:10:00', 0, 29)], '08:10:00', 1],
    ['all', [closing('08:10:00', 0, 30)], '08:10:00', 2],
    ['a quarter', [closing('08:10:00', 0, 28.25)], '08:10:00', 0.25],
    [
      'by a closing that does not say how many were taken out',
      [closing('08:10:00', undefined, 29)],
      '08:10:00',
      1,
    ],
    ['half an hour later, the end included', [closing('08:35:00', 0, 29)], '08:35:00', 1],
    ['one after the other', [closing('08:20:00', 0, 30), closing('08:10:00', 0, 29)], '08:20:00', 2],
    ['and counted again', [closing('08:10:00', 0, 29), closing('08:20:00', 0, 29)], '08:10:00', 1],
    ['and counted without a count', [closing('08:10:00', 0, 29), closing('08:20:00', 0)], '08:10:00', 1],
    ['before a refill', [closing('08:10:00', 0, 29), closing('08:20:00', 0, 59)], '08:10:00', 1],
    ['before the next removal', [closing('08:10:00', 0, 29), closing('08:12:00', 1, 28)], '08:10:00', 1],
  ])('are found: %s', (_title, closings, time, pills) => {
    expect(back(...closings)).toEqual({ at: at(time), pills });
    expect(back(...closings.toReversed())).toEqual({ at: at(time), pills });
  });

  it.each([
    ['no more than were left', [closing('08:10:00', 0, 28)]],
    ['a refill', [closing('08:10:00', 0, 58)]],
    ['more than were taken out', [closing('08:10:00', 0, 31)]],
    ['a second too late', [closing('08:35:01', 0, 29)]],
    ['after the next removal', [closing('08:10:00', 1, 27), closing('08:12:00', 0, 29)]],
    ['at the moment of the next removal', [closing('08:10:00', 1, 27), closing('08:10:00', 0, 29)]],
    ['a closing that counted nothing', [closing('08:10:00', 0)]],
    ['taken out again without a removal', [closing('08:10:00', 0, 29), closing('08:12:00', 0, 28)]],
    ['after a refill', [closing('08:10:00', 0, 58), closing('08:12:00', 0, 29)]],
  ])('are none: %s', (_title, closings) => {
    expect(back(...closings)).toBeUndefined();
    expect(back(...closings.toReversed())).toBeUndefined();
  });

  it('nobody can say after a removal that counted nothing', () => {
    expect(pillsPutBack(REMOVAL.time, [closing('08:05:00', 2), closing('08:10:00', 0, 29)])).toBeUndefined();
  });
});

describe('removals', () => {
  const net = (...closings: Closings) =>
    netRemovals(closings, closings).map(({ time, pills_taken }) => [
      time.toISOString().slice(11, 16),
      pills_taken,
    ]);

  it('have the pills that did not come back, and one of which all did is none', () => {
    expect(
      net(
        closing('08:00:00', 1, 29),
        closing('08:10:00', 0, 30),
        closing('08:20:00', 2, 28),
        closing('08:25:00', 0, 29),
        closing('12:00:00', 1, 28),
      ),
    ).toEqual([
      ['08:20', 1],
      ['12:00', 1],
    ]);
  });

  it('of one moment are one, of which some came back', () => {
    const two = [closing('08:00:00', 1, 29), closing('08:00:00', 2, 27)];
    expect(net(...two)).toEqual([
      ['08:00', 1],
      ['08:00', 2],
    ]);
    expect(net(...two, closing('08:10:00', 0, 28))).toEqual([['08:00', 2]]);
    expect(net(closing('08:10:00', 0, 30), ...two.toReversed())).toEqual([]);
  });

  it('of which pills may have come back are those that a closing without a removal follows soon', () => {
    expect(
      mayBePutBack([
        closing('08:40:01', 0),
        closing('08:00:00', 1),
        closing('08:10:00', 1),
        closing('12:30:00', 0),
        closing('12:00:00', 1),
        closing('12:00:00', 0),
      ]),
    ).toEqual([at('12:00:00')]);
  });
});
