import { pillsText, sayIn, phrasesIn } from './phrases.js';

it.each([
  [1, '1 pill'],
  [2, '2 pills'],
  [0, '0 pills'],
  [0.25, '¼ pill'],
  [0.5, '½ pill'],
  [0.75, '¾ pill'],
  [1.5, '1½ pills'],
  [12.25, '12¼ pills'],
])('%d is %s', (pills, text) => expect(pillsText(pills, sayIn('en'))).toBe(text));

it.each([
  [0.5, '½ Tablette'],
  [1, '1 Tablette'],
  [1.5, '1½ Tabletten'],
])('in German, %d is %s', (pills, text) => expect(phrasesIn('de', 'UTC').pills(pills)).toBe(text));

it('says times in the zone of the recipient, in English without a language', () => {
  const at = '2026-07-02T08:05:00.000Z';
  expect(phrasesIn('de', 'Europe/Berlin').at(at)).toBe('Donnerstag, 2. Juli 2026 um 10:05:00 MESZ');
  expect(phrasesIn(undefined, 'Europe/Berlin').at(at)).toBe('Thursday, 2 July 2026 at 10:05:00 CEST');
});
