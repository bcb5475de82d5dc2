import { limitShape } from './json-body.js';

const fields = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));
const items = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 0));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each([
  ['64 fields', fields(64)],
  ['2,000 items', `{"items":${items(2_000)}}`],
  ['32 levels', nested(32)],
  [
    'fields of many objects',
    JSON.stringify({ items: Array.from({ length: 1_000 }, () => ({ a: 1, b: 2 })) }),
  ],
  ['commas and brackets in text', JSON.stringify({ [`${'[{'.repeat(40)}"\\`]: `\\"${','.repeat(3_000)}` })],
  ['what is no JSON', ']]},,{"'],
])('takes %s', (_, text) => expect(() => limitShape(text)).not.toThrow());

it.each([
  ['65 fields', fields(65), 'body_too_complex'],
  ['65 fields in an item', `{"items":[{},${fields(65)}]}`, 'body_too_complex'],
  ['65 fields after an object', `{"a":{"b":1,"c":2},${fields(64).slice(1)}`, 'body_too_complex'],
  ['2,001 items', items(2_001), 'body_too_complex'],
  ['33 levels', nested(33), 'too_deeply_nested'],
  ['33 levels of objects', '{"a":'.repeat(33), 'too_deeply_nested'],
])('refuses %s', (_, text, code) =>
  expect(() => limitShape(text)).toThrow(expect.objectContaining({ code })),
);
