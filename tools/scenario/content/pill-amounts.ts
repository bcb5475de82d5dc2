/** A number of pills as messages say it. */
export const AMOUNT = '\\d+[¼½¾]?|[¼½¾]';

const QUARTERS: Record<string, number> = { '¼': 0.25, '½': 0.5, '¾': 0.75 };

/** `1½` is 1.5. */
export function pillsOf(text: string): number {
  const fraction = QUARTERS[text.at(-1)!];
  return fraction === undefined ? Number(text) : Number(text.slice(0, -1)) + fraction;
}

/** Every amount above zero, up to and with the greatest, in quarters. */
export function amountsUpTo(most: number): number[] {
  return [...Array(4 * most).keys()].map((fewer) => (fewer + 1) / 4);
}
