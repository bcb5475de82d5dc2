/** At least three, as one round on a shared machine says little. */
export const ROUNDS = 3;

/**
 * Measures several ways in turn, round after round; every other round in the reverse order, so that none is
 * always the first. Gives the figure of each way by round.
 */
export async function inTurn<Way extends string>(
  ways: Record<Way, () => Promise<number>>,
  rounds = ROUNDS,
): Promise<Record<Way, number[]>> {
  const names = Object.keys(ways) as Way[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Way, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await ways[name]());
  }
  return figures;
}
