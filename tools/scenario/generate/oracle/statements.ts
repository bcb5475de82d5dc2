/** Somebody says what became of a dose, or withdraws the latest statement about it that stands. */
export interface StatementFact {
  /** When the dose is due. */
  dose: number;
  at: number;
  what: 'taken' | 'skipped' | 'not_taken' | 'withdrawn';
  /** By the link of a mail: its address, the button that is pressed, and whose mail it was. */
  link?: { to: string; button: string; by: string };
}

/** What the statements make of a dose at a moment: nobody has to be alerted to it. */
export type SettledDose = 'taken' | 'skipped' | undefined;

/** The latest statement that stands decides. */
export function settledAt(about: readonly StatementFact[], now: number): SettledDose {
  const last = standingAt(about, now)?.what;
  return last === 'taken' || last === 'skipped' ? last : undefined;
}

/** Since when no statement settles a dose any more that one settled once. */
export function unsettledSince(about: readonly StatementFact[], now: number): number | undefined {
  const made = about.filter(({ at }) => at <= now);
  const last = made.findLastIndex(({ at }) => settledAt(about, at) !== undefined);
  return last < 0 ? undefined : made[last + 1]?.at;
}

/** Whether the statement that counts says that no pills are left. */
export function hasRunOut(about: readonly StatementFact[], now: number): boolean {
  return standingAt(about, now)?.link?.button === 'skipped-ran_out';
}

/** The latest statement that stands at a moment. */
export function standingAt(about: readonly StatementFact[], now: number): StatementFact | undefined {
  const standing: StatementFact[] = [];
  for (const statement of about) {
    if (statement.at > now) break;
    if (statement.what === 'withdrawn') standing.pop();
    else standing.push(statement);
  }
  return standing.at(-1);
}
