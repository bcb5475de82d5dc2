import { bytes, figure, parseBytes, perSecond } from './units.js';

describe('sizes', () => {
  it.each([
    ['2TB', 2e12],
    ['500 GB', 5e11],
    ['1.5tb', 1.5e12],
    ['10B', 10],
  ])('reads %s', (text, expected) => expect(parseBytes(text)).toBe(expected));

  it.each(['', '2', 'TB', '-1TB', '0GB', '2TiB', '1e3GB'])('refuses "%s"', (text) =>
    expect(parseBytes(text)).toBeUndefined(),
  );

  it.each([
    [112, '112 B'],
    [84e9, '84 GB'],
    [1.008e12, '1.0 TB'],
    [999.9e9, '1.0 TB'],
    [4.38e12, '4.4 TB'],
    [0.4, '0.40 B'],
  ])('writes %d as %s', (count, text) => expect(bytes(count)).toBe(text));
});

describe('figures', () => {
  it.each([
    [16_666.67, '16,667'],
    [8.333, '8.3'],
    [0.0333, '0.03'],
    [0.0001, '0.0001'],
    [0, '0'],
  ])('writes %d as %s', (value, text) => expect(figure(value)).toBe(text));

  it('writes a rate', () => expect(perSecond(1_388.89)).toBe('1,389/s'));
});
