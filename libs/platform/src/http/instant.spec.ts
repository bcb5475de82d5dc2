import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { isInstant } from './instant.js';

const digits = (length: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));

/** Nearly instants: each part may be a little too large. */
const near = fc
  .tuple(
    digits(4, 9_999),
    digits(2, 13),
    fc.oneof(digits(2, 32), fc.constantFrom('28', '29', '30', '31')),
    fc.constantFrom('T', 't'),
    digits(2, 25),
    digits(2, 61),
    fc.option(digits(2, 59), { nil: undefined }),
    fc.option(digits(1, 999_999_999), { nil: undefined }),
    fc.oneof(
      fc.constantFrom('Z', 'z', ''),
      fc
        .tuple(fc.constantFrom('+', '-'), digits(2, 24), fc.constantFrom(':', ''), digits(2, 60))
        .map((all) => all.join('')),
    ),
  )
  .map(
    ([year, month, day, t, hour, minute, second, fraction, zone]) =>
      `${year}-${month}-${day}${t}${hour}:${minute}${second === undefined ? '' : `:${second}`}${
        second === undefined || fraction === undefined ? '' : `.${fraction}`
      }${zone}`,
  );

function isReadByTemporal(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}

it('agrees with Temporal on 100,000 strings', () => {
  fc.assert(
    fc.property(near, (text) => isInstant(text) === isReadByTemporal(text)),
    { numRuns: 100_000, seed: 1 },
  );
});

it.each([
  undefined,
  null,
  1_772_438_400_000,
  '',
  '2026-03-02',
  '2026-03-02T08:00:00',
  ' 2026-03-02T08:00:00Z',
])('is no instant: %p', (value) => {
  expect(isInstant(value)).toBe(false);
});
