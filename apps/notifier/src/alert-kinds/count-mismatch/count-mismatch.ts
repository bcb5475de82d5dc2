import {
  agrees,
  type AlertEnd,
  type AlertToEnd,
  type AlertToRaise,
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
  type BottleState,
  type PillSample,
  PillWeightsRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';

/** What a bottle's weight and count mean: an alert to raise or to end. */
export interface CountFinding {
  raise: AlertToRaise<'count_mismatch'>[];
  end: AlertToEnd<'count_mismatch'>[];
}

const NOTHING: CountFinding = { raise: [], end: [] };

/**
 * Weight and count of a bottle that do not agree. What a pill weighs is learned here too, per medication, from a
 * sample of its bottles; a bottle that is not of the sample and is in order costs no read.
 */
@Injectable()
export class CountMismatch {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly weights: PillWeightsRepository,
  ) {}

  /** What is known of the pills in these bottles, by medication: read once for a page. */
  async knownWeights(bottles: readonly Bottle[]): Promise<Map<string, PillSample[]>> {
    return this.weights.findByMedications([...new Set(bottles.map(({ medication }) => medication))]);
  }

  /** @param open the bottle's open alert of this kind */
  async judge(
    { last_action }: BottleState,
    bottle: Bottle,
    known: ReadonlyMap<string, PillSample[]>,
    open: Alert<'count_mismatch'> | undefined,
    now: Date,
  ): Promise<CountFinding> {
    if (open && open.medication !== bottle.medication)
      return ended(open, { at: now, note: 'there is another medication in the bottle' });
    if (last_action?.action !== 'closed' || !isWeighed(last_action)) return NOTHING;
    const samples = known.get(bottle.medication) ?? [];
    const asked = this.weights.asks(bottle._id, samples);
    const before = learnPillWeight(samples);
    if (!asked && !open && (!before || agrees(last_action, before.mass))) return NOTHING;
    const weighings = await this.actions.findWeighings(bottle._id, bottle.medication, WEIGHINGS_LOOKED_AT);
    const weight = asked ? learnPillWeight(await this.learn(bottle, weighings, samples)) : before;
    const last = weighings[0];
    if (!weight || !last) return NOTHING;
    const judged = judgeCount(weighings, weight.mass);
    if (judged.result === 'differs' && !open) return found(bottle, judged.since, last, weight);
    if (judged.result !== 'agrees' || !open) return NOTHING;
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

function found(bottle: Bottle, since: Date, last: Weighing, weight: PillWeight): CountFinding {
  const evidence = {
    rule: 'count_tolerance',
    ...numbersOf(last, weight),
    tolerance_pills: rounded(toleranceOf(last)),
    differs_since: since,
  };
  return {
    raise: [{ bottle, kind: 'count_mismatch', subject: '', cause: since, deadline: since, evidence }],
    end: [],
  };
}

function ended(
  alert: Alert<'count_mismatch'>,
  end: Pick<AlertEnd<'count_mismatch'>, 'at' | 'note' | 'evidence'>,
): CountFinding {
  return {
    raise: [],
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
