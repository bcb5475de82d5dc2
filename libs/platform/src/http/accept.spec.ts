import { weightIn } from './accept.js';

it.each<[string | undefined, string[], number]>([
  [undefined, ['gzip'], 0],
  ['gzip, br', ['gzip'], 1],
  ['gzip;q=0', ['gzip'], 0],
  ['GZIP ; Q=0.5', ['gzip'], 0.5],
  ['text/csv;q=0.5, application/json', ['text/csv'], 0.5],
  ['*/*;q=0.8, text/csv;q=0.1', ['application/json', 'application/*', '*/*'], 0.8],
  ['application/json;q=0.2, */*', ['application/json', 'application/*', '*/*'], 0.2],
  ['text/csv;header=present;q=0.3', ['text/csv'], 0.3],
  ['text/csv;q=much', ['text/csv'], 1],
])('in %j %j has %d', (header, names, weight) => expect(weightIn(header, ...names)).toBe(weight));
