import { hasTokens, keysOf, termsOf, tokensOf } from './tokens.js';

const TEXTS = ['jj.winkler@users.example', 'José-María Winkler', '+49 30 123456'];
const MEDICATIONS = ['Co-Trimoxazole 480 mg'];

const isFound = (query: string): boolean => {
  const terms = termsOf(TEXTS, MEDICATIONS);
  const found = keysOf(query).some((key) => terms.some((term) => term.startsWith(key)));
  return found && hasTokens(query, [...TEXTS, ...MEDICATIONS]);
};

it('reads tokens without case, accents and punctuation', () =>
  expect(tokensOf('O’Neill,  José-María')).toEqual(['oneill', 'jose', 'maria']));

it.each([
  'winkler',
  'WINK',
  'inkler',
  'jj winkler',
  'JJ.Winkler@users',
  'jose maria',
  'Winkler, José',
  'winkler jos',
  'jos winkler',
  'trimox winkler',
  'winkler trimox',
  'Winkler: trimoxazole',
  'maria winkler 480',
  'trimoxazole maria winkler',
  'w',
  '123456',
  '030 123',
  '30 12 34',
  '+49 301 234 56',
])('finds “%s”', (query) => expect(isFound(query)).toBe(true));

it.each(['', '.', 'x', 'inkler x', 'winkler aspirin', 'aspirin', 'trimoxazole', 'winkler maria aspirin'])(
  'does not find “%s”',
  (query) => expect(isFound(query)).toBe(false),
);

describe('a person with two carers and three bottles is found by a name and a medication', () => {
  const texts = [
    'patient-4711',
    'Brunhilde Sokolowska',
    '+49 170 1234567',
    'brunhilde.sokolowska@mail.example.org',
    'Margarethe Kowalczyk',
    '+49 30 7654321',
    'm.kowalczyk@clinic.example.com',
    'Ferdinand Achterberg',
    '+49 40 99887766',
    'achterberg@home.example.net',
    'kitchen',
  ];
  const medications = ['Metoprolol 50 mg', 'Ramipril 5 mg', 'Prednisolon 5 mg'];
  const terms = termsOf(texts, medications);

  it.each(['metoprolol', 'ramipril', 'prednisolon', 'predn'])('%s', (medication) => {
    for (const name of ['sokolowska', 'brunhilde', 'kowalczyk', 'achterberg'])
      for (const query of [`${name} ${medication}`, `${medication} ${name}`]) {
        const isFirst = (term: string) => keysOf(query).some((key) => term.startsWith(key));
        expect([query, terms.some(isFirst)]).toEqual([query, true]);
      }
  });
});
