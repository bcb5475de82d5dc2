import { createHash } from 'node:crypto';

/**
 * A stream of choices that is the same for the same seed (mulberry32). Each part of a fleet has a stream of its
 * own, named by further parts of the seed, so that what one bottle does leaves the others' choices as they were.
 */
export class Random {
  private state: number;

  constructor(...seed: readonly (string | number)[]) {
    this.state = createHash('sha256').update(JSON.stringify(seed)).digest().readUInt32LE();
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A number in [min, max). */
  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  /** Mean 0, standard deviation 1 (Box and Muller, 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** A whole number, both ends included. */
  integer(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}
