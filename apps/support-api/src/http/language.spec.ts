import { languageOf } from './language.js';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, de;q=0.3, en;q=0.7', 'en'],
  ['en-GB;q=0.2, de-AT;q=0.3', 'de'],
  ['fr', 'en'],
])('for %s the language is %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

it('a header as long as a server takes is read in a moment', () => {
  const begun = performance.now();
  expect(languageOf('de-,'.repeat(4_000))).toBe('de');
  expect(performance.now() - begun).toBeLessThan(500);
});
