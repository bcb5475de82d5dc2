import { fieldsIn } from './form-body.js';

it.each([
  [
    { at: ' 12:10 ', source: 'elsewhere' },
    { at: '12:10', source: 'elsewhere' },
  ],
  [{ at: 1210, note: { $ne: null }, source: null, reason: ['a'] }, {}],
  [undefined, {}],
  [null, {}],
  [7, {}],
])('of the body %j the fields of a form are %j', (body, fields) => {
  expect(fieldsIn(body)).toEqual(fields);
});
