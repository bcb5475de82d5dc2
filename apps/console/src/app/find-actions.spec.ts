import { actionsFor } from './find-actions.js';

const labels = (query: string, rights = { isSupport: true, isAdmin: true }): string[] =>
  actionsFor(query, rights).map(({ label }) => label);

it('finds actions by words in any order, without punctuation', () => {
  expect(labels('bottle, register')).toEqual(['Register a bottle']);
  expect(labels('LOG aud')).toEqual(['Go to Audit log']);
  expect(labels('x')).toEqual([]);
  expect(labels('metformin')).toEqual([]);
});

it('offers only what the role allows', () => {
  const viewer = { isSupport: false, isAdmin: false };
  expect(labels('register', viewer)).toEqual([]);
  expect(labels('api keys', viewer)).toEqual([]);
  expect(labels('go alerts', viewer)).toEqual(['Go to Alerts']);
});
