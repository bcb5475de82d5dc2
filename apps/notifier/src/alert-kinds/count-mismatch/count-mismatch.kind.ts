import {
  agrees,
  alertsOf,
  endByOtherMedication,
  findCountMismatch,
  isWeighed,
  learnPillWeight,
  type Weighing,
  WEIGHINGS_LOOKED_AT,
  weighOnePill,
} from '#domain';
import { type Bottle, BottleActionsRepository, type PillSample, PillWeightsRepository } from '#persistence';
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
    if (open && open.medication !== bottle.medication) return { end: [endByOtherMedication(open, now)] };
    if (last_action?.action !== 'closed' || !isWeighed(last_action)) return {};
    const samples = known.get(bottle.medication) ?? [];
    const asked = this.weights.asks(bottle._id, samples);
    const before = learnPillWeight(samples);
    if (!asked && !open && (!before || agrees(last_action, before.mass))) return {};
    const weighings = await this.actions.findWeighings(bottle._id, bottle.medication, WEIGHINGS_LOOKED_AT);
    const weight = asked ? learnPillWeight(await this.learn(bottle, weighings, samples)) : before;
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
