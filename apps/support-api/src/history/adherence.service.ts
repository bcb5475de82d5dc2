import { adherence, allExtraDoses, DAY_MS, dosesInGap, reportsBySlot, wordedAdherence } from '#domain';
import {
  AttestationsRepository,
  type Bottle,
  BottleActionsRepository,
  BottlesRepository,
  CoverageGapsRepository,
  type DoseOutcome,
  DoseOutcomesRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { readRange } from '../http/time-range.js';
import type { AdherenceDto, AdherenceQuery } from './history.dto.js';

const DEFAULT_SPAN = 30 * DAY_MS;
const LONGEST_SPAN = 400 * DAY_MS;

/** Adherence figures, computed from dose outcomes and the log; and with what people say. */
@Injectable()
export class AdherenceService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly attestations: AttestationsRepository,
    private readonly gaps: CoverageGapsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range, 404 */
  async of(id: Types.ObjectId, query: AdherenceQuery): Promise<AdherenceDto> {
    const { from, to } = readRange(query, this.clock.now(), DEFAULT_SPAN);
    if (to.getTime() - from.getTime() > LONGEST_SPAN) {
      throw Problem.field('from', 'invalid_range', 'from must be at most 400 days before to');
    }
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return this.figures(bottle, from, to);
  }

  /** The figures of the doses that were due in [from, to). */
  async figures(bottle: Bottle, from: Date, to: Date): Promise<AdherenceDto> {
    const { _id: id, schedule_versions: versions, pauses, time_zone } = bottle;
    const [outcomes, dosages, entries] = await Promise.all([
      this.outcomes.findBetween(id, from, to),
      this.actions.findDosagesSince(id, new Date(from.getTime() - DAY_MS)),
      this.attestations.findBetween(id, from, to),
    ]);
    const removals = dosages.map(({ time, pills_taken }, index) => ({
      id: String(index),
      time,
      pills: pills_taken,
    }));
    const extra = allExtraDoses({ versions, pauses }, removals);
    const input = { outcomes, extra, from, to, zone: time_zone };
    const attested = [...reportsBySlot(entries).values()].flatMap(({ latest }) => latest ?? []);
    const figures = adherence(input);
    const unknown_in_coverage_gaps = await this.countInGaps(bottle, outcomes, from, to);
    const reported = wordedAdherence(input, attested);
    return { from, to, time_zone, ...figures, unknown_in_coverage_gaps, reported };
  }

  /** How many doses with an unknown outcome fell in a gap in which no reports were accepted. */
  private async countInGaps(
    { schedule_versions, pauses }: Bottle,
    outcomes: readonly DoseOutcome[],
    from: Date,
    to: Date,
  ): Promise<number> {
    const unknown = outcomes.filter(({ outcome }) => outcome === 'unknown');
    if (unknown.length === 0) return 0;
    // a dose may end in a gap that begins after the range
    const gaps = await this.gaps.findDuring(from, new Date(to.getTime() + DAY_MS), 'device-api');
    const inGaps = gaps.flatMap((gap) => dosesInGap(schedule_versions, pauses, { until: to, ...gap }));
    const slots = new Set(inGaps.map(({ scheduled_at }) => scheduled_at.getTime()));
    return unknown.filter(({ scheduled_at }) => slots.has(scheduled_at.getTime())).length;
  }
}
