import { amountText, isQuarters } from './pills.js';

it('writes what is no quarter as a decimal, and what is below zero with a sign', () => {
  expect(amountText(1.3)).toBe('1.3');
  expect(amountText(-0.5)).toBe('-½');
  expect(amountText(-1.75)).toBe('-1¾');
});

it('knows quarters', () => {
  expect([0, 0.25, 1, 99.75].every(isQuarters)).toBe(true);
  expect([0.1, 1.3, NaN, Infinity].some(isQuarters)).toBe(false);
});
