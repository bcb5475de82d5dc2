import {
  agrees,
  alertsOf,
  DAY_MS,
  endByOtherMedication,
  endForAnother,
  findCountMismatch,
  isOfAnother,
  isWeighed,
  learnPillWeight,
  type Weighing,
  WEIGHINGS_LOOKED_AT,
  weighOnePill,
} from '#domain';
import {
  type Bottle,
  BottleActionsRepository,
  type BottleState,
  type PillSample,
  PillWeightsRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** How many bottles of a page are asked what their pills weigh: each costs a read. */
export const ASKED_OF_A_PAGE = 50;

/** What a page of bottles takes. */
interface Weights {
  /** What is known of the pills in them, by medication. */
  known: ReadonlyMap<string, PillSample[]>;
  /** Which of them are asked what their pills weigh. */
  asked: ReadonlySet<JudgedBottle>;
}

/**
 * Weight and count of a bottle that do not agree. What a pill weighs is learned here too, per medication, from a
 * sample of its bottles; a bottle that is not of the sample and is in order costs no read.
 */
@Injectable()
export class CountMismatchKind implements DoseKind<Weights> {
  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly weights: PillWeightsRepository,
  ) {}

  async prepare(bottles: readonly JudgedBottle[], now: Date): Promise<Weights> {
    const known = await this.weights.findByMedications([
      ...new Set(bottles.map(({ bottle }) => bottle.medication)),
    ]);
    const wanted = bottles.filter(
      ({ state, bottle }) =>
        hasWeighed(state) && this.weights.asks(bottle._id, known.get(bottle.medication) ?? []),
    );
    return { known, asked: new Set(inTurn(wanted, now)) };
  }

  async judge(one: JudgedBottle, { known, asked }: Weights, now: Date): Promise<DoseFinding> {
    const { state, bottle } = one;
    const open = alertsOf(one.open, 'count_mismatch')[0];
    if (open && isOfAnother(open, bottle)) return { end: [endForAnother(open, now)] };
    if (open && open.medication !== bottle.medication) return { end: [endByOtherMedication(open, now)] };
    if (!hasWeighed(state)) return {};
    const samples = known.get(bottle.medication) ?? [];
    const isAsked = asked.has(one);
    const before = learnPillWeight(samples);
    const isInOrder = !before || (!open && agrees(state.last_action, before.mass));
    if (!isAsked && isInOrder) return {};
    const weighings = await this.actions.findWeighings(bottle._id, bottle.medication, WEIGHINGS_LOOKED_AT);
    const weight = isAsked ? learnPillWeight(await this.learn(bottle, weighings, samples)) : before;
    return findCountMismatch(bottle, open, weighings, weight, now);
  }

  private async learn(bottle: Bottle, weighings: Weighing[], known: PillSample[]): Promise<PillSample[]> {
    const learned = weighOnePill(weighings);
    const isKnown = ({ mass, time }: PillSample): boolean =>
      mass === learned?.mass && time.getTime() === learned.time.getTime();
    if (!learned || known.some(isKnown)) return known;
    return this.weights.learn(bottle.medication, bottle._id, learned);
  }
}

/**
 * Of many bottles some, others each day: until the samples of their medications are full, every one would be asked at
 * each dose, and most have nothing to teach yet.
 */
export function inTurn<T>(all: readonly T[], now: Date): readonly T[] {
  if (all.length <= ASKED_OF_A_PAGE) return all;
  const first = (Math.floor(now.getTime() / DAY_MS) * ASKED_OF_A_PAGE) % all.length;
  return [...all.slice(first), ...all].slice(0, ASKED_OF_A_PAGE);
}

/** Whether the last that a bottle did was to be closed, with a mass and a count. */
function hasWeighed(state: BottleState): state is BottleState & { last_action: Weighing } {
  const { last_action: last } = state;
  return last?.action === 'closed' && isWeighed(last);
}
