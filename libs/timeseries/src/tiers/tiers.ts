import { DAY, endOf, HOUR, MINUTE, startOf, type Span } from '../time/units.js';

/** Copies of the same counts at several granularities; the finer, the sooner they go. */
export const TIER_NAMES = ['1m', '5m', '1h', '1d'] as const;
export type TierName = (typeof TIER_NAMES)[number];

export interface Tier {
  name: TierName;
  /** What one value counts. Milliseconds. */
  step: number;
  /** What one document holds, under numbered fields. */
  document: Span;
  /** The unit of those numbers: `values.37` is the minute 37 of the hour. Milliseconds. */
  numbered: number;
}

export const TIERS: Record<TierName, Tier> = {
  '1m': { name: '1m', step: MINUTE, document: 'hour', numbered: MINUTE },
  '5m': { name: '5m', step: 5 * MINUTE, document: 'hour', numbered: MINUTE },
  '1h': { name: '1h', step: HOUR, document: 'day', numbered: HOUR },
  '1d': { name: '1d', step: DAY, document: 'year', numbered: DAY },
};

/** Where one value of a tier lies: the document's start and the numbered field. */
export interface Slot {
  start: Date;
  field: number;
}

/** The document and the field that count what happened at `at`. */
export function slotOf(tier: TierName, at: Date): Slot {
  const { document, step, numbered } = TIERS[tier];
  const start = startOf(document, at);
  const steps = Math.floor((at.getTime() - start.getTime()) / step);
  return { start, field: (steps * step) / numbered };
}

/** When the value of a slot begins. */
export function timeOfSlot(tier: TierName, { start, field }: Slot): Date {
  return new Date(start.getTime() + field * TIERS[tier].numbered);
}

/** For how long the finest two tiers are kept after the end of their day, and hours after that of their month. */
export const MINUTES_KEPT = 2 * DAY;
export const HOURS_KEPT = 62 * DAY;

/**
 * The tiers that hold an instant, the finest first. A collection outlives this by some hours, so nobody counts into
 * one that is dropped.
 */
export function tiersOf(at: Date, now: Date): readonly TierName[] {
  if (now.getTime() < endOf('day', at).getTime() + MINUTES_KEPT) return TIER_NAMES;
  return now.getTime() < endOf('month', at).getTime() + HOURS_KEPT ? ['1h', '1d'] : ['1d'];
}

/** The finest of them: what is counted by the hour is counted there, and coarser tiers are rolled up from it. */
export function homeOf(at: Date, now: Date): '1m' | '1h' | '1d' {
  return tiersOf(at, now)[0] as '1m' | '1h' | '1d';
}
