/** The rule of a `bottle_silent` that was raised though there was no report to be silent since. */
export const NEVER_REPORTED = 'never_reported';

interface SilentAlert {
  kind: string;
  evidence: Record<string, unknown>;
}

/** By the evidence of a `bottle_silent`. */
export function hasNeverReported({ rule }: Record<string, unknown>): boolean {
  return rule === NEVER_REPORTED;
}

/** The doses that a silence names: those that it hides, and that cannot be confirmed. None of another alert. */
export function namedDoses({ kind, evidence }: SilentAlert): Date[] {
  const doses = evidence['unconfirmed_doses'];
  return kind === 'bottle_silent' && Array.isArray(doses) ? doses.filter((dose) => dose instanceof Date) : [];
}
