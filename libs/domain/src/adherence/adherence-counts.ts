import { type DoseOutcome, isTaken } from '../doses/index.js';
import { type AttestedDose, countedAs, isKnown } from './adherence.js';

/**
 * What shares of many doses are made of: the numerators and denominators of `taking` and `timing`, as measured and with
 * people's word, and of the share that rests on it. `excused`: skipped on medical advice, in no other count of `reported`.
 */
export const ADHERENCE_COUNTS = [
  'measured_taken',
  'measured_on_time',
  'measured_known',
  'reported_taken',
  'reported_on_time',
  'reported_known',
  'attested',
  'excused',
] as const;
export type AdherenceCount = (typeof ADHERENCE_COUNTS)[number];

/**
 * In which counts a judged dose is, once in each.
 *
 * @param statement the latest that stands about it
 */
export function adherenceCounts(
  outcome: DoseOutcome,
  statement: Pick<AttestedDose, 'outcome' | 'reason'> | undefined,
): AdherenceCount[] {
  const measured: AdherenceCount[] = [
    ...known('measured_known', outcome),
    ...taken('measured_taken', 'measured_on_time', outcome),
  ];
  if (statement?.reason === 'doctors_advice') return [...measured, 'excused'];
  const reported = statement ? countedAs(statement.outcome) : outcome;
  return [
    ...measured,
    ...known('reported_known', reported),
    ...taken('reported_taken', 'reported_on_time', reported),
    ...(statement ? (['attested'] as const) : []),
  ];
}

const known = (count: AdherenceCount, outcome: DoseOutcome): AdherenceCount[] =>
  isKnown(outcome) ? [count] : [];

function taken(count: AdherenceCount, onTime: AdherenceCount, outcome: DoseOutcome): AdherenceCount[] {
  if (!isTaken(outcome)) return [];
  return outcome === 'taken_on_time' ? [count, onTime] : [count];
}
