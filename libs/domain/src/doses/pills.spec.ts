import { amountText, isQuarters, pillsText } from './pills.js';

it.each([
  [1, '1 pill'],
  [2, '2 pills'],
  [0, '0 pills'],
  [0.25, '¼ pill'],
  [0.5, '½ pill'],
  [0.75, '¾ pill'],
  [1.5, '1½ pills'],
  [12.25, '12¼ pills'],
])('%d is %s', (pills, text) => expect(pillsText(pills)).toBe(text));

it('writes what is no quarter as a decimal, and what is below zero with a sign', () => {
  expect(amountText(1.3)).toBe('1.3');
  expect(amountText(-0.5)).toBe('-½');
  expect(amountText(-1.75)).toBe('-1¾');
});

it('knows quarters', () => {
  expect([0, 0.25, 1, 99.75].every(isQuarters)).toBe(true);
  expect([0.1, 1.3, NaN, Infinity].some(isQuarters)).toBe(false);
});
