import type { mongo } from 'mongoose';

/**
 * A part of a document that is counted, fenced and recounted as one: the whole document, one numbered field of
 * it, or one hour of a month's.
 */
export interface Unit {
  collection: string;
  /** Names the document. */
  key: mongo.Document;
  /** Where the unit lies in the document. */
  part: Part;
}

export type Part =
  { kind: 'document' } | { kind: 'field'; field: number } | { kind: 'hour'; day: number; hour: number };

/** What is added to a unit: sums, and the extremes that came with them. Paths from the document's root. */
export interface Counts {
  unit: Unit;
  sums: Map<string, number>;
  least: Map<string, number>;
  greatest: Map<string, number>;
}

/** Counts in memory, so that a group of reports costs one update a document. */
export class Tally {
  private readonly units = new Map<string, Counts>();

  get isEmpty(): boolean {
    return this.units.size === 0;
  }

  add(unit: Unit, path: string, amount: number): void {
    const { sums } = this.of(unit);
    sums.set(path, (sums.get(path) ?? 0) + amount);
  }

  /** Adds a sample under `path`: its number, its sum and its extremes. */
  addSample(unit: Unit, path: string, value: number): void {
    const { least, greatest } = this.of(unit);
    this.add(unit, `${path}.num_samples`, 1);
    this.add(unit, `${path}.total`, value);
    least.set(`${path}.min`, Math.min(value, least.get(`${path}.min`) ?? value));
    greatest.set(`${path}.max`, Math.max(value, greatest.get(`${path}.max`) ?? value));
  }

  counts(): Counts[] {
    return [...this.units.values()];
  }

  find(unit: Unit): Counts | undefined {
    return this.units.get(nameOf(unit));
  }

  private of(unit: Unit): Counts {
    const name = nameOf(unit);
    const known = this.units.get(name);
    if (known) return known;
    const counts: Counts = { unit, sums: new Map(), least: new Map(), greatest: new Map() };
    this.units.set(name, counts);
    return counts;
  }
}

/** The same text for the same unit. */
export function nameOf({ collection, key, part }: Unit): string {
  return `${collection} ${JSON.stringify(key)} ${JSON.stringify(part)}`;
}

/**
 * The field that keeps counts out: what was received up to that moment is not to be added, because it has been,
 * or will be, counted from the log.
 */
export function fencePath(part: Part): string {
  switch (part.kind) {
    case 'document':
      return 'fence';
    case 'field':
      return `fences.${part.field}`;
    case 'hour':
      return `days.${part.day}.hours.${part.hour}.fence`;
  }
}

/** The field that says for which fence the unit has been counted from the log: it is not to be done twice. */
export function recountedPath(part: Part): string {
  return fencePath(part).replace('fence', 'recounted');
}
