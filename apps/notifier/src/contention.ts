const PLACES = 8;

/**
 * Where to look for the next page, in records passed over. Notifiers that look at the same moment see the same
 * page, and each wins a part of it: whoever won less than half looks somewhere further behind, so that they
 * fall apart.
 *
 * @param page how many records a page has.
 */
export function skipAfter({ found, won }: { found: number; won: number }, page: number): number {
  return won * 2 < found ? page * Math.floor(Math.random() * PLACES) : 0;
}
