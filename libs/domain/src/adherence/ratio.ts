/** A share with what it was made of. */
export interface Ratio {
  numerator: number;
  denominator: number;
  /** From 0 to 1; null when the denominator is 0. */
  ratio: number | null;
}

export function ratio(numerator: number, denominator: number): Ratio {
  return { numerator, denominator, ratio: denominator === 0 ? null : numerator / denominator };
}
