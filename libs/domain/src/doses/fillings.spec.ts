import type { CountedAction } from '../supply/doubtful-counts.js';
import { fillings } from './fillings.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}:00Z`);
const opened = (time: string, number_of_pills?: number): CountedAction => ({
  action: 'opened',
  time: at(time),
  ...(number_of_pills !== undefined && { number_of_pills }),
});
const closed = (time: string, number_of_pills?: number, pills_taken?: number): CountedAction => ({
  action: 'closed',
  time: at(time),
  ...(number_of_pills !== undefined && { number_of_pills }),
  ...(pills_taken !== undefined && { pills_taken }),
});
const filled = (...actions: CountedAction[]): string[] =>
  fillings(actions, at('20:00')).map(
    ({ opened_at, closed_at }) =>
      `${opened_at.toISOString().slice(11, 16)}-${closed_at.toISOString().slice(11, 16)}`,
  );

describe('a closing that fills the bottle', () => {
  it.each<[string, CountedAction[], string[]]>([
    ['counts more than the opening did', [opened('08:00', 5), closed('08:02', 34)], ['08:00-08:02']],
    ['says that nothing was taken', [opened('08:00', 5), closed('08:02', 34, 0)], ['08:00-08:02']],
    ['whose opening was lost', [closed('07:00', 5, 0), closed('08:02', 34, 0)], ['08:02-08:02']],
    ['counts three more', [opened('08:00', 5), closed('08:02', 8)], ['08:00-08:02']],
  ])('is one that %s', (_, actions, expected) => {
    expect(filled(...actions)).toEqual(expected);
    expect(filled(...actions.toReversed(), ...actions)).toEqual(expected);
  });

  it.each<[string, CountedAction[]]>([
    ['counts two more: a count is not always read exactly', [opened('08:00', 5), closed('08:02', 7)]],
    ['reports a removal', [opened('08:00', 5), closed('08:02', 34, 1)]],
    ['has no count', [opened('08:00', 5), closed('08:02')]],
    ['has nothing to compare with', [opened('08:00'), closed('08:02', 34)]],
    ['is the first report', [closed('08:02', 34)]],
    [
      'puts back what was removed',
      [opened('08:00', 9), closed('08:02', 5, 4), opened('08:20', 5), closed('08:32', 9)],
    ],
    ['is later than what is asked for', [opened('20:00', 5), closed('20:01', 34)]],
  ])('is none that %s', (_, actions) => expect(filled(...actions)).toEqual([]));

  it('may be one that follows a removal of half an hour before', () =>
    expect(filled(opened('08:00', 9), closed('08:02', 5, 4), opened('08:30', 5), closed('08:33', 9))).toEqual(
      ['08:30-08:33'],
    ));
});
