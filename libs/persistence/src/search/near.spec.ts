import { isNear, nearKeysOf, nearTermsOf, soundOf } from './near.js';

const TEXTS = ['jj.winkler@users.example', 'Anna Kowalska', 'Jürgen Schmidt', '+49 30 123456'];

const isFound = (query: string): boolean => {
  const stored = nearTermsOf(TEXTS);
  const { terms, beginnings } = nearKeysOf(query);
  const found =
    terms.some((term) => stored.includes(term)) ||
    beginnings.some((beginning) => stored.some((term) => term.startsWith(beginning)));
  return found && isNear(query, TEXTS);
};

it.each([
  'kowalski',
  'Kowalsky',
  'Kovalska',
  'kowaslka',
  'kowlska',
  'kowallska',
  'Kowalzka anna',
  'anna kowalski',
  'Ana Kowalska',
  'Hanna Kowalska',
  'Shmidt',
  'Schmitt',
  'schmid',
  'Jurgen Shmidt',
  'smidt jürgen',
  'winkeler',
  'Winklr',
])('finds “%s”', (query) => expect(isFound(query)).toBe(true));

it.each(['', 'ko', 'nowak', 'kowalska peter', 'schmutzig', '123457', 'example'])(
  'does not find “%s”',
  (query) => expect(isFound(query)).toBe(false),
);

it.each([
  ['kowalski', 'kowalska'],
  ['schmidt', 'shmit'],
  ['meier', 'maier'],
  ['philipp', 'filip'],
  ['szymanski', 'schimanski'],
  ['łukasz', 'lukas'],
])('%s sounds like %s', (one, other) => expect(soundOf(one)).toBe(soundOf(other)));

it('has few terms for a person', () => expect(nearTermsOf(TEXTS).length).toBeLessThan(60));
