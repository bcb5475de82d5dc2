/** Pills are counted in quarters: such numbers are exact as binary fractions, and so are their sums. */
export const QUARTER = 0.25;

const FRACTIONS = ['', '¼', '½', '¾'];

/** Whether a number of pills is a multiple of a quarter. */
export function isQuarters(pills: number): boolean {
  return Number.isInteger(pills / QUARTER);
}

/**
 * A number of pills as people read it: `1½`, `½`, `12`. A fraction cannot be taken for another number, as a decimal point
 * can that is not seen (ISMP, List of Error-Prone Abbreviations), and it is the same in every language.
 *
 * @param pills a number that is no multiple of a quarter is written as a decimal
 */
export function amountText(pills: number): string {
  if (!isQuarters(pills)) return `${pills}`;
  const whole = Math.trunc(pills);
  const fraction = FRACTIONS[Math.abs(pills - whole) / QUARTER]!;
  if (whole === 0 && fraction !== '') return `${pills < 0 ? '-' : ''}${fraction}`;
  return `${whole}${fraction}`;
}
