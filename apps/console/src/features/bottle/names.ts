interface Named {
  medication: string;
  label: string | null;
}
interface OfUser {
  user_id: string;
  user_name: string | null;
}

/** A bottle as people know it: `Metformin (blue lid)`. */
export function bottleText({ medication, label }: Named): string {
  return label === null ? medication : `${medication} (${label})`;
}

/** Whose it is, the id second: `Anna Kowalska · anna-17`. */
export function personText({ user_id, user_name }: OfUser): string {
  return user_name === null ? user_id : `${user_name} · ${user_id}`;
}

/** Bottle and person: `Metformin (blue lid) · Anna Kowalska · anna-17`. */
export function whoseBottleText(bottle: Named & OfUser): string {
  return `${bottleText(bottle)} · ${personText(bottle)}`;
}
