import { SKIP_REASONS } from '#domain';
import { Reader } from './reader.js';
import { DE } from './texts/de.js';
import { EN, type TextKey } from './texts/en.js';

describe('the German', () => {
  const valuesIn = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();

  it('has every text, with what is put into it, and no text twice in English', () => {
    for (const [key, english] of Object.entries(EN)) {
      const german = DE[key as TextKey];
      expect([key, german, valuesIn(german)]).toEqual([key, expect.stringMatching(/\S/), valuesIn(english)]);
    }
    expect(Object.keys(DE)).toHaveLength(Object.keys(EN).length);
  });

  it('calls to acknowledge what the console does', () => {
    const texts = Object.keys(EN) as TextKey[];
    const german = texts.filter((key) => EN[key].includes('acknowledged')).map((key) => DE[key]);
    expect(german.length).toBeGreaterThan(0);
    expect(german.filter((text) => !text.includes('quittiert'))).toEqual([]);
  });

  it('has every reason to skip a dose', () => {
    expect(SKIP_REASONS.filter((reason) => !(`skip_${reason}` in DE))).toEqual([]);
  });
});

it('says times by the clock of whoever reads them; the operator reads that it is UTC', () => {
  const at = new Date('2026-07-01T06:05:00Z');
  const [anna, operator] = [new Reader('de', 'Europe/Berlin'), new Reader('en')];
  const [day, inUtc] = [anna.time(at), new Reader('en').time(at)];
  expect(anna.say('you_promised', { at: day, until: day })).toBe(
    `Sie haben am ${day} geantwortet: Die Einnahme erfolgt am ${day}.`,
  );
  expect(operator.say('who_promised', { who: 'Anna', at: inUtc, until: inUtc })).toBe(
    `Anna answered on ${inUtc}: it will be taken on ${inUtc}.`,
  );
  expect([anna.time(at), anna.timeOfDay(at)]).toEqual(['Mittwoch, 1. Juli, 08:05 MESZ', '08:05']);
  expect([operator.time(at), operator.timeOfDay(at)]).toEqual(['Wednesday 1 July, 06:05 UTC', '06:05 UTC']);
});
