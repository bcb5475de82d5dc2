/** Groups by a key that is made of each, in the order in which the keys first appear; Map.groupBy comes with Node 21. */
export function groupBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
