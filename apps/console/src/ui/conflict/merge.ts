/** A field, named by its path: `carer.phone`. A list is one field. */
type Path = string;

/** A field that two people have changed differently. */
export interface FieldConflict {
  path: Path;
  mine: unknown;
  theirs: unknown;
}

export interface Comparison {
  conflicts: FieldConflict[];
  /** What only the other person has changed: it stays. */
  theirs: { path: Path; value: unknown }[];
}

/** Compares what two people have made of the same thing. */
export function compare(base: object, mine: object, theirs: object): Comparison {
  const [was, ours, others] = [leavesOf(base), leavesOf(mine), leavesOf(theirs)];
  const result: Comparison = { conflicts: [], theirs: [] };
  for (const path of new Set([...was.keys(), ...ours.keys(), ...others.keys()])) {
    const [before, own, other] = [was.get(path), ours.get(path), others.get(path)];
    if (isSame(own, other) || isSame(other, before)) continue;
    if (isSame(own, before)) result.theirs.push({ path, value: other });
    else result.conflicts.push({ path, mine: own, theirs: other });
  }
  return result;
}

/** What one has entered, with what the other has changed in those fields. */
export function withTheirs<T extends object>(mine: T, theirs: object, paths: readonly Path[]): T {
  const others = leavesOf(theirs);
  const merged = leavesOf(mine);
  for (const path of paths) {
    const value = others.get(path);
    if (value === undefined) merged.delete(path);
    else merged.set(path, value);
  }
  return fromLeaves(merged) as T;
}

type Leaves = Map<Path, unknown>;

function leavesOf(value: object, parent = ''): Leaves {
  return new Map(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]): [Path, unknown][] => {
      if (inner === undefined) return [];
      const path = parent + name;
      return isObject(inner) ? [...leavesOf(inner, `${path}.`)] : [[path, inner]];
    }),
  );
}

function fromLeaves(leaves: Leaves): object {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of leaves) {
    const names = path.split('.');
    const last = names.pop()!;
    let place = whole;
    for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return whole;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
