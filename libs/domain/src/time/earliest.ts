/** The first of these moments; undefined if none is known. */
export function earliest(...moments: readonly (Date | undefined)[]): Date | undefined {
  return moments
    .filter((moment) => moment !== undefined)
    .sort((one, other) => one.getTime() - other.getTime())[0];
}
