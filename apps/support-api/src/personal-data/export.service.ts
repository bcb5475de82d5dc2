import { CLAIM_FIELDS } from '#domain';
import {
  AlertsRepository,
  type Bottle,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  PillWeightsRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { BottleVitals } from '#timeseries';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { jsonOf, type Parts } from './json-parts.js';

/** Exports everything that is stored about a bottle, for people who ask for their data. */
@Injectable()
export class ExportService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly vitals: BottleVitals,
    private readonly weights: PillWeightsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the text of a JSON object in chunks, so that no log is held in memory. Documents are exported as they are
   * stored, without token hashes and leases.
   *
   * @throws Problem 404, before the first chunk
   */
  async of(id: Types.ObjectId): Promise<AsyncIterable<string>> {
    const [bottle, state, pill_weights] = await Promise.all([
      this.bottles.findById(id),
      this.states.findById(id),
      this.weights.findOfBottle(id),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    const parts: Parts = {
      exported_at: this.clock.now(),
      bottle: withoutInternals(bottle),
      state: state && withoutInternals(state),
      pill_weights,
      actions: this.actions.ofBottle(id),
      heartbeats: this.heartbeats.ofBottle(id),
      doses: this.outcomes.ofBottle(id),
      alerts: this.alerts.ofBottle(id),
      deliveries: this.deliveries.ofBottle(id),
      vitals: this.vitals.ofBottle(id),
    };
    return jsonOf(parts);
  }
}

/** Fields that are not about the bottle: token hashes and leases. */
const INTERNAL_FIELDS = new Set(['token_hash', 'revoked_token_hashes', ...CLAIM_FIELDS]);

function withoutInternals(document: Bottle | BottleState): object {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !INTERNAL_FIELDS.has(field)));
}
