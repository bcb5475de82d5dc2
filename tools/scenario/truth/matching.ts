/**
 * Pairs as many of one side with the other as can be, each once (Kuhn's augmenting paths): what is left over on
 * either side has no partner under any pairing, however the wildcards fall.
 */
export function matchOneToOne<A, B>(
  left: readonly A[],
  right: readonly B[],
  fits: (one: A, other: B) => boolean,
): { unmatchedLeft: A[]; unmatchedRight: B[] } {
  const partnerOf = new Map<number, number>();
  const findPartner = (index: number, tried: Set<number>): boolean => {
    for (let other = 0; other < right.length; other += 1) {
      if (tried.has(other) || !fits(left[index]!, right[other]!)) continue;
      tried.add(other);
      const taken = partnerOf.get(other);
      if (taken === undefined || findPartner(taken, tried)) {
        partnerOf.set(other, index);
        return true;
      }
    }
    return false;
  };
  left.forEach((_, index) => findPartner(index, new Set()));
  const paired = new Set(partnerOf.values());
  return {
    unmatchedLeft: left.filter((_, index) => !paired.has(index)),
    unmatchedRight: right.filter((_, index) => !partnerOf.has(index)),
  };
}
