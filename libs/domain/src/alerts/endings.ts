/** How the condition of one kind of alert can end. @typeParam E its evidence */
export interface Endings<E, Name extends string = string> {
  /** The public names. */
  names: readonly Name[];
  /** Which of them it was. */
  of: (evidence: E) => Name | undefined;
}

/** @param of may be left out where there is but one name */
export function endsIn<const Name extends string, E = unknown>(
  names: readonly [Name, ...Name[]],
  of: Endings<E, Name>['of'] = () => names[0],
): Endings<E, Name> {
  return { names, of };
}
