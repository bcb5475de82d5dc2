import { ownedSince, type Owners } from '../../../ownership/ownership.js';
import type { Alert } from '../../alert.js';
import { type AlertBottle, type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';
import { judgeCount } from './count-mismatch.js';
import type { WeighedEvidence } from './facts.js';
import type { PillWeight } from './pill-weight.js';
import { differenceOf, toleranceOf } from './tolerance.js';
import type { Weighing } from './weighing.js';

type CountMismatch = Alert<'count_mismatch'>;

/** What a bottle's weighings mean: an alert to raise or to end; nothing if they change nothing. */
export interface CountFinding {
  raise?: AlertToRaise<'count_mismatch'>[];
  end?: AlertToEnd<'count_mismatch'>[];
}

/** Weight and count differ, or agree again. @param weighings the newest first, those of former users, too */
export function findCountMismatch(
  bottle: AlertBottle & Owners,
  open: CountMismatch | undefined,
  weighings: readonly Weighing[],
  weight: PillWeight | undefined,
  now: Date,
): CountFinding {
  const last = weighings[0];
  if (!weight || !last) return {};
  const judged = judgeCount(weighings, weight.mass);
  const owned = ownedSince(bottle);
  if (judged.result === 'differs' && !open && last.time >= owned) {
    const since = judged.since > owned ? judged.since : owned;
    return { raise: [toRaise(bottle, since, last, weight)] };
  }
  if (judged.result !== 'agrees' || !open) return {};
  const evidence = { agrees_again: numbersOf(last, weight) };
  return { end: [{ alert: open, end: resolvedEnd(now, { evidence }) }] };
}

/** The bottle holds another medication than the one whose weight and count differed. */
export function endByOtherMedication(open: CountMismatch, now: Date): AlertToEnd<'count_mismatch'> {
  return { alert: open, end: resolvedEnd(now, { note: 'there is another medication in the bottle' }) };
}

function toRaise(
  bottle: AlertBottle,
  since: Date,
  last: Weighing,
  weight: PillWeight,
): AlertToRaise<'count_mismatch'> {
  const evidence = {
    rule: 'count_tolerance',
    ...numbersOf(last, weight),
    tolerance_pills: rounded(toleranceOf(last)),
    differs_since: since,
  };
  return { bottle, kind: 'count_mismatch', subject: '', cause: since, deadline: since, evidence };
}

/** The numbers of one weighing. Grams and pills. */
function numbersOf(last: Weighing, { mass, bottles }: PillWeight): WeighedEvidence {
  const { time, number_of_pills, mass_of_contents } = last;
  return {
    weighed_at: time,
    number_of_pills,
    measured_mass: mass_of_contents,
    expected_mass: rounded(number_of_pills * mass),
    difference_pills: rounded(differenceOf(last, mass)),
    pill_mass: rounded(mass),
    learned_from_bottles: bottles,
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
