import type { CountedAction } from '../supply/doubtful-counts.js';
import { unclearClosings } from './unclear-closings.js';

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
const unclear = (...actions: CountedAction[]): string[] =>
  unclearClosings(actions, at('20:00')).map(
    ({ opened_at, at: closed_at, why }) =>
      `${opened_at.toISOString().slice(11, 16)}-${closed_at.toISOString().slice(11, 16)} ${why}`,
  );

describe('a closing from which nothing is clear', () => {
  it.each<[string, CountedAction[], string[]]>([
    ['counts more than the opening did', [opened('08:00', 5), closed('08:02', 34)], ['08:00-08:02 filled']],
    ['says that nothing was taken', [opened('08:00', 5), closed('08:02', 34, 0)], ['08:00-08:02 filled']],
    ['whose opening was lost', [closed('07:00', 5, 0), closed('08:02', 34, 0)], ['08:02-08:02 filled']],
    ['counts three more', [opened('08:00', 5), closed('08:02', 8, 0)], ['08:00-08:02 filled']],
    ['does not say what was taken', [opened('08:00'), closed('08:02')], ['08:00-08:02 not_reported']],
    [
      'counts less and does not say so',
      [opened('08:00', 5), closed('08:02', 4)],
      ['08:00-08:02 not_reported'],
    ],
    ['is all that was reported', [closed('08:02', 34)], ['08:02-08:02 not_reported']],
  ])('is one that %s', (_, actions, expected) => {
    expect(unclear(...actions)).toEqual(expected);
    expect(unclear(...actions.toReversed())).toEqual(expected);
  });

  it.each<[string, CountedAction[]]>([
    ['counts two more: a count is not always read exactly', [opened('08:00', 5), closed('08:02', 7, 0)]],
    ['reports a removal', [opened('08:00', 5), closed('08:02', 34, 1)]],
    ['has no count, and says that nothing was taken', [opened('08:00', 5), closed('08:02', undefined, 0)]],
    ['has nothing to compare with', [opened('08:00'), closed('08:02', 34, 0)]],
    ['counts as many as the opening did', [opened('08:00', 5), closed('08:02', 5)]],
    [
      'puts back what was removed',
      [opened('08:00', 9), closed('08:02', 5, 4), opened('08:20', 5), closed('08:32', 9, 0)],
    ],
    [
      'puts back what was removed, and does not say what was taken',
      [opened('08:00', 9), closed('08:02', 8, 1), opened('08:20', 8), closed('08:22', 9)],
    ],
    ['is later than what is asked for', [opened('20:00', 5), closed('20:01', 34)]],
  ])('is none that %s', (_, actions) => expect(unclear(...actions)).toEqual([]));

  it('may be one more than half an hour after a removal', () =>
    expect(
      unclear(opened('08:00', 9), closed('08:02', 5, 4), opened('08:30', 5), closed('08:33', 9, 0)),
    ).toEqual(['08:30-08:33 filled']));
});
