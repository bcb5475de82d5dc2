import { type CountedAction, findAlternatingHeartbeats, findDoubtfulCounts } from './doubtful-counts.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 8, minute));

/** Openings and closings, one a minute: `30` an opening that counts 30, `29-1` a closing after which 29 are left. */
function actions(...texts: string[]): CountedAction[] {
  return texts.map((text, minute) => {
    const [count, taken] = text.split('-');
    const counted = count === '' ? {} : { number_of_pills: Number(count) };
    return taken === undefined
      ? { action: 'opened', time: at(minute), ...counted }
      : { action: 'closed', time: at(minute), ...counted, pills_taken: Number(taken) };
  });
}

const doubts = (...texts: string[]): string[] =>
  findDoubtfulCounts(actions(...texts)).map(({ time, reason }) => `${time.getUTCMinutes()} ${reason}`);

it.each([
  ['all that was there', ['3', '0-3'], []],
  ['more than was there', ['3', '0-4'], ['1 more_than_were_there']],
  ['more than was there, without a count since', ['3', '-4'], ['1 more_than_were_there']],
  ['pills of a bottle that never counted', ['', '-4'], []],
])('takes out %s', (_, texts, found) => expect(doubts(...texts)).toEqual(found));

it.each([
  ['doses, and one refill', ['30', '29-1', '29', '28-1', '60', '59-1', '59', '58-1'], []],
  ['a refill and its correction', ['5', '35-0', '5', '4-1', '34-0'], []],
  ['a count that is not read exactly', ['30', '28', '30', '28', '30', '28', '30'], []],
  ['two bottles', ['30', '12', '30', '12', '30', '12'], ['4 two_counts', '5 two_counts']],
  ['two that are taken from', ['30', '29-1', '12', '11-1', '29', '28-1', '10-1', '27-1'], ['7 two_counts']],
])('counts of %s', (_, texts, found) => expect(doubts(...texts)).toEqual(found));

it('does not depend on the order of arrival', () => {
  const all = actions('30', '12', '30', '12', '30');
  expect(findDoubtfulCounts(all.toReversed())).toEqual(findDoubtfulCounts(all));
});

describe('counts of heartbeats', () => {
  const found = (...counts: [minute: number, pills: number][]): number[] =>
    findAlternatingHeartbeats(
      counts.map(([minute, number_of_pills]) => ({ time: at(minute), number_of_pills })),
    ).map(({ time }) => time.getUTCMinutes());

  it('alternate if a copy of the bottle reports, too, also if nobody opens it', () =>
    expect(found([0, 28], [10, 12], [30, 28], [40, 12], [50, 28])).toEqual([50]));

  it.each<[string, [number, number][]]>([
    [
      'doses and refills',
      [
        [0, 2],
        [10, 30],
        [20, 29],
        [30, 2],
        [40, 30],
      ],
    ],
    [
      'a count that is not read exactly',
      [
        [0, 28],
        [10, 26],
        [20, 28],
        [30, 26],
        [40, 28],
        [50, 26],
      ],
    ],
    [
      'a backlog, which is one report',
      [
        [0, 28],
        [10, 28],
        [10, 12],
        [20, 28],
        [20, 12],
        [30, 28],
        [30, 12],
      ],
    ],
  ])('do not with %s', (_, counts) => expect(found(...counts)).toEqual([]));
});
