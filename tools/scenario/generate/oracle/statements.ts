/** Somebody says what became of a dose, or withdraws the latest statement about it that stands. */
export interface StatementFact {
  /** When the dose is due. */
  dose: number;
  at: number;
  what: 'taken' | 'skipped' | 'not_taken' | 'withdrawn';
}

/** What the statements make of a dose at a moment: nobody has to be alerted to it. */
export type SettledDose = 'taken' | 'skipped' | undefined;

/** The latest statement that stands decides. */
export function settledAt(about: readonly StatementFact[], now: number): SettledDose {
  const standing: StatementFact['what'][] = [];
  for (const { at, what } of about) {
    if (at > now) break;
    if (what === 'withdrawn') standing.pop();
    else standing.push(what);
  }
  const last = standing.at(-1);
  return last === 'taken' || last === 'skipped' ? last : undefined;
}
