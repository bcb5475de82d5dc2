import {
  agrees,
  type AlertEnd,
  alertsOf,
  differenceOf,
  isWeighed,
  judgeCount,
  learnPillWeight,
  type PillWeight,
  toleranceOf,
  type WeighedEvidence,
  type Weighing,
  WEIGHINGS_LOOKED_AT,
  weighOnePill,
} from '#domain';
import {
  type Alert,
  type Bottle,
  BottleActionsRepository,
  type PillSample,
  PillWeightsRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** What is known of the pills in the page's bottles, by medication. */
type KnownWeights = ReadonlyMap<string, PillSample[]>;

/**
 * Weight and count of a bottle that do not agree. What a pill weighs is learned here too, per medication, from a
 * sample of its bottles; a bottle that is not of the sample and is in order costs no read.
 */
@Injectable()
export class CountMismatchKind implements DoseKind<KnownWeights> {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly weights: PillWeightsRepository,
  ) {}

  prepare(bottles: readonly JudgedBottle[]): Promise<KnownWeights> {
    return this.weights.findByMedications([...new Set(bottles.map(({ bottle }) => bottle.medication))]);
  }

  async judge(
    { state: { last_action }, bottle, open: all }: JudgedBottle,
    known: KnownWeights,
    now: Date,
  ): Promise<DoseFinding> {
    const open = alertsOf(all, 'count_mismatch')[0];
    if (open && open.medication !== bottle.medication)
      return ended(open, { at: now, note: 'there is another medication in the bottle' });
    if (last_action?.action !== 'closed' || !isWeighed(last_action)) return {};
    const samples = known.get(bottle.medication) ?? [];
    const asked = this.weights.asks(bottle._id, samples);
    const before = learnPillWeight(samples);
    if (!asked && !open && (!before || agrees(last_action, before.mass))) return {};
    const weighings = await this.actions.findWeighings(bottle._id, bottle.medication, WEIGHINGS_LOOKED_AT);
    const weight = asked ? learnPillWeight(await this.learn(bottle, weighings, samples)) : before;
    const last = weighings[0];
    if (!weight || !last) return {};
    const judged = judgeCount(weighings, weight.mass);
    if (judged.result === 'differs' && !open) return found(bottle, judged.since, last, weight);
    if (judged.result !== 'agrees' || !open) return {};
    return ended(open, { at: now, evidence: { agrees_again: numbersOf(last, weight) } });
  }

  private async learn(bottle: Bottle, weighings: Weighing[], known: PillSample[]): Promise<PillSample[]> {
    const learned = weighOnePill(weighings);
    const isKnown = ({ mass, time }: PillSample): boolean =>
      mass === learned?.mass && time.getTime() === learned.time.getTime();
    if (!learned || known.some(isKnown)) return known;
    return this.weights.learn(bottle.medication, bottle._id, learned);
  }
}

function found(bottle: Bottle, since: Date, last: Weighing, weight: PillWeight): DoseFinding {
  const evidence = {
    rule: 'count_tolerance',
    ...numbersOf(last, weight),
    tolerance_pills: rounded(toleranceOf(last)),
    differs_since: since,
  };
  return {
    raise: [{ bottle, kind: 'count_mismatch', subject: '', cause: since, deadline: since, evidence }],
  };
}

function ended(
  alert: Alert<'count_mismatch'>,
  end: Pick<AlertEnd<'count_mismatch'>, 'at' | 'note' | 'evidence'>,
): DoseFinding {
  return {
    end: [{ alert, end: { state: 'resolved', owed: 'resolved', by: 'notifier', ...end } }],
  };
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
