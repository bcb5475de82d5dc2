/** From `from` (inclusive) up to `until` (exclusive); without one of them, without an end on that side. */
export interface Period {
  from?: Date;
  until?: Date;
}

/** A bottle's owners: the current one, and the earlier ones, oldest first, each with the instant of the handover. */
export interface Owners {
  user_id: string;
  former_owners?: readonly { user_id: string; until: Date }[];
}

/** When the bottle was a user's; empty if it never was. A bottle may come back to somebody. */
export function periodsOf({ user_id, former_owners = [] }: Owners, userId: string): Period[] {
  return [...former_owners, { user_id, until: undefined }].flatMap((owner, index) => {
    const from = former_owners[index - 1]?.until;
    return owner.user_id === userId
      ? [{ ...(from && { from }), ...(owner.until && { until: owner.until }) }]
      : [];
  });
}

/** From when the bottle is its present owner's; from the beginning if it never was another's. */
export const ownedSince = ({ former_owners = [] }: Owners): Date =>
  former_owners.at(-1)?.until ?? new Date(0);

/** Whose the bottle was at a moment. */
export const ownerAt = ({ user_id, former_owners = [] }: Owners, at: Date): string =>
  former_owners.find(({ until }) => at < until)?.user_id ?? user_id;

/** Whether something that lasts from `from` up to `until` touches one of the periods. */
export function touches(periods: readonly Period[], { from, until }: Period): boolean {
  return periods.some(
    (period) =>
      !(period.until && from && from >= period.until) && !(period.from && until && until <= period.from),
  );
}

/** Whether it lies within one of them as a whole. */
export function liesWithin(periods: readonly Period[], { from, until }: Required<Period>): boolean {
  return periods.some(
    (period) => !(period.from && from < period.from) && !(period.until && until > period.until),
  );
}
