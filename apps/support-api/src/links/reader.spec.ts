import { SKIP_REASONS } from '#domain';
import { languageOf, Reader } from './reader.js';
import { DE } from './texts/de.js';
import { EN, type TextKey } from './texts/en.js';

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

describe('the German', () => {
  const valuesIn = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();

  it('has every text, with what is put into it, and no text twice in English', () => {
    for (const [key, english] of Object.entries(EN)) {
      const german = DE[key as TextKey];
      expect([key, german, valuesIn(german)]).toEqual([key, expect.stringMatching(/\S/), valuesIn(english)]);
    }
    expect(Object.keys(DE)).toHaveLength(Object.keys(EN).length);
  });

  it('has every reason to skip a dose', () => {
    expect(SKIP_REASONS.filter((reason) => !(`skip_${reason}` in DE))).toEqual([]);
  });
});

it('says times by the clock of whoever reads them; the operator reads that it is UTC', () => {
  const at = new Date('2026-07-01T06:05:00Z');
  const [anna, operator] = [new Reader('de', 'Europe/Berlin'), new Reader('en')];
  expect([anna.time(at), anna.timeOfDay(at)]).toEqual(['Mittwoch, 1. Juli, 08:05 MESZ', '08:05']);
  expect([operator.time(at), operator.timeOfDay(at)]).toEqual(['Wednesday 1 July, 06:05 UTC', '06:05 UTC']);
});
