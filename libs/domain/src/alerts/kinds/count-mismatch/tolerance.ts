import type { Weighing } from './weighing.js';

type Weighed = Pick<Weighing, 'mass_of_contents' | 'number_of_pills'>;

const PILLS = 1.5;
const SHARE = 0.05;
/** Share of the tolerance below which weight and count agree: the band between is the hysteresis. */
const AGREES_AT = 0.5;

/** Pills by weight less pills by count. */
export function differenceOf({ mass_of_contents, number_of_pills }: Weighed, pillMass: number): number {
  return mass_of_contents / pillMass - number_of_pills;
}

/**
 * Pills by which weight and count may differ: one and a half, or 5 % of a large count. Load cells creep with heat
 * by a few parts in a hundred of the load (HX711 libraries' issues).
 */
export function toleranceOf({ number_of_pills }: Weighed): number {
  return Math.max(PILLS, SHARE * number_of_pills);
}

/** Weight and count say the same, and not only just. */
export function agrees(weighed: Weighed, pillMass: number): boolean {
  return Math.abs(differenceOf(weighed, pillMass)) <= toleranceOf(weighed) * AGREES_AT;
}

/** Weight and count differ by more than a scale's error explains. */
export function differs(weighed: Weighed, pillMass: number): boolean {
  return Math.abs(differenceOf(weighed, pillMass)) > toleranceOf(weighed);
}
