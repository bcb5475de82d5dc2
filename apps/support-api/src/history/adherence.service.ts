import { adherence, extraDoses } from '#domain';
import { BottleActionsRepository, BottlesRepository, DoseOutcomesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { readRange } from '../http/time-range.js';
import type { AdherenceDto, AdherenceQuery } from './history.dto.js';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_SPAN = 30 * DAY_MS;
const LONGEST_SPAN = 400 * DAY_MS;

/** Adherence figures, computed from dose outcomes and the log. */
@Injectable()
export class AdherenceService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly actions: BottleActionsRepository,
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
    const [outcomes, dosages] = await Promise.all([
      this.outcomes.findBetween(id, from, to),
      this.actions.findDosagesSince(id, new Date(from.getTime() - DAY_MS)),
    ]);
    const { schedule_versions: versions, pauses, time_zone } = bottle;
    const removals = dosages.map(({ time, pills_taken }, index) => ({
      id: String(index),
      time,
      pills: pills_taken,
    }));
    const extra = extraDoses({ versions, pauses, removals });
    return { from, to, time_zone, ...adherence({ outcomes, extra, from, to, zone: time_zone }) };
  }
}
