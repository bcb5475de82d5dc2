import { withoutValues } from './without-values.js';

it.each([
  [
    'E11000 duplicate key error collection: pillwatch.contacts index: _id_ dup key: { _id: "ann@users" }',
    'E11000 duplicate key error collection: pillwatch.contacts index: _id_ dup key: { _id: "…" }',
  ],
  [
    'Cast to Number failed for value "say \\"Aspirin\\" now" (type string)',
    'Cast to Number failed for value "…" (type string)',
  ],
  ['550 5.1.1 <ann@example.org>: rejected', '550 5.1.1 <…>: rejected'],
  ['cannot reach mongodb://pillwatch:secret@db:27017/pillwatch', 'cannot reach …'],
  [
    "Cannot read properties of undefined (reading 'times')",
    "Cannot read properties of undefined (reading 'times')",
  ],
  [
    'Error: no "Aspirin"\n    at file:///app/node_modules/@nestjs/core/x.js:1:2',
    'Error: no "…"\n    at file:///app/node_modules/@nestjs/core/x.js:1:2',
  ],
  ['refused "Ann Old\n12 High Street" of Ann', 'refused "…" of Ann'],
  [
    'no "Aspirin\n  at noon\nwith water"\n    at Array.map (<anonymous>)',
    'no "…"\n    at Array.map (<anonymous>)',
  ],
  ['cut off: "Aspirin\nand\n    at x.js:1:2', 'cut off: "…"\n    at x.js:1:2'],
])('%s', (text, left) => {
  expect(withoutValues(text)).toBe(left);
});
