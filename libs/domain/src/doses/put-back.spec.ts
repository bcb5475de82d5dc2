import { putBackAt } from './put-back.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const closing = (time: string, pills_taken: number, number_of_pills?: number) => ({
  time: at(time),
  pills_taken,
  ...(number_of_pills !== undefined && { number_of_pills }),
});
const REMOVAL = closing('08:05:00', 2, 28);
const EXTRA = { time: at('08:05:00'), pills: 1 };
const backAt = (...closings: ReturnType<typeof closing>[]) => putBackAt(EXTRA, [...closings, REMOVAL]);

it('so many pills more, within 30 minutes, the end included', () => {
  expect(backAt(closing('08:35:00', 0, 29))).toEqual(at('08:35:00'));
  expect(backAt(closing('08:35:01', 0, 29))).toBeUndefined();
});

it.each([
  ['a part of them', [closing('08:10:00', 0, 28)]],
  ['a refill', [closing('08:10:00', 0, 58)]],
  ['after the next removal', [closing('08:10:00', 1, 27), closing('08:12:00', 0, 29)]],
  ['a closing that counted nothing', [closing('08:10:00', 0)]],
])('not put back: %s', (_title, closings) => {
  expect(backAt(...closings)).toBeUndefined();
});

it('nobody can say what was put back after a removal that counted nothing', () => {
  expect(putBackAt(EXTRA, [closing('08:05:00', 2), closing('08:10:00', 0, 29)])).toBeUndefined();
});
