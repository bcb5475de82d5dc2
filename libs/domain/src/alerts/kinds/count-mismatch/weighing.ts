/** A closed bottle, weighed and counted. */
export interface Weighing {
  time: Date;
  /** Grams. */
  mass_of_contents: number;
  number_of_pills: number;
}

/** Whether a bottle reported both its weight and its count. */
export function isWeighed<W extends Partial<Pick<Weighing, 'mass_of_contents' | 'number_of_pills'>>>(
  one: W,
): one is W & Pick<Weighing, 'mass_of_contents' | 'number_of_pills'> {
  return one.mass_of_contents !== undefined && one.number_of_pills !== undefined;
}

/** By time; a clock that counts whole seconds can name two closings alike: the one with more pills came first. */
export function inOrder(weighings: readonly Weighing[]): Weighing[] {
  return weighings.toSorted(
    (one, other) =>
      one.time.getTime() - other.time.getTime() ||
      other.number_of_pills - one.number_of_pills ||
      other.mass_of_contents - one.mass_of_contents,
  );
}
