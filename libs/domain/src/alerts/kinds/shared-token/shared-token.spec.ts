import { DAY_MS } from '../../../time/durations.js';
import type { ReportProblem } from '../../../bottle-state/report-problems.js';
import type { DoubtfulCount } from '../../../supply/index.js';
import { sampleAlert } from '../../testing.js';
import { judgeSharedToken } from './shared-token.js';

const NOW = new Date('2026-03-20T08:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

const bottle = { _id: { toHexString: () => 'a1' }, user_id: 'anna', medication: 'Cordrazine' };
const open = sampleAlert('shared_token', { raised_at: daysAgo(9) });
const two: DoubtfulCount = {
  time: daysAgo(0.1),
  field: 'number_of_pills',
  reason: 'two_counts',
  number_of_pills: 28,
  other_number_of_pills: 11,
};
const noted = (last_at: Date, reason = 'two_counts'): ReportProblem => ({
  effect: 'kept',
  field: 'number_of_pills',
  reason,
  value_kind: 'number',
  first_at: daysAgo(9),
  last_at,
  count: 5,
});
const judge = (facts: Partial<Parameters<typeof judgeSharedToken>[0]>) =>
  judgeSharedToken({ bottle, doubts: [], problems: [], open: undefined, ...facts }, NOW);

it('is raised once for two counts, and for nothing else', () => {
  expect(judge({ doubts: [two, { ...two, time: NOW }] }).raise).toMatchObject([
    { cause: two.time, evidence: { number_of_pills: 28, other_number_of_pills: 11 } },
  ]);
  expect(judge({ doubts: [two], open }).raise).toBeUndefined();
  expect(judge({ doubts: [{ time: NOW, field: 'pills_taken', reason: 'more_than_were_there' }] })).toEqual(
    {},
  );
  expect(judge({ problems: [noted(NOW)] })).toEqual({});
});

it.each<[string, Parameters<typeof judge>[0], boolean]>([
  ['was noted 7 days ago', { problems: [noted(daysAgo(7))] }, false],
  ['was noted longer ago', { problems: [noted(new Date(daysAgo(7).getTime() - 1))] }, true],
  ['is found again', { problems: [noted(daysAgo(8))], doubts: [two] }, false],
  ['is noted no more, for another problem', { problems: [noted(NOW, 'more_than_were_there')] }, true],
])('lasts until it was not noted for 7 days: it %s', (_, facts, isOver) => {
  const { end, check_at } = judge({ ...facts, open });
  expect(end?.map(({ end: { owed } }) => owed)).toEqual(isOver ? ['resolved'] : undefined);
  expect(check_at === undefined).toBe(isOver);
  if (check_at) expect(check_at > NOW).toBe(true);
});

it('ends when the token is replaced', () => {
  const problems = [noted(daysAgo(1))];
  const replaced = (token_replaced_at: Date) =>
    judge({ bottle: { ...bottle, token_replaced_at }, problems, open });
  expect(replaced(daysAgo(1)).end).toMatchObject([{ end: { evidence: { token_replaced_at: daysAgo(1) } } }]);
  expect(replaced(daysAgo(10)).end).toBeUndefined();
});
