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

/** Everything that is stored of a bottle, for whoever asks for their data. */
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
   * The text of a JSON object, piece by piece: no log is ever held whole. Documents as they are stored, but for the
   * hashes of tokens and the notifiers' leases.
   *
   * @throws Problem 404, before the first piece.
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
      bottle: shown(bottle),
      state: state && shown(state),
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

/** What is ours, and not about the bottle: secrets' hashes, and leases. */
const KEPT_BACK = new Set(['token_hash', 'revoked_token_hashes', 'silent_claim', 'open_claim', 'dose_claim']);

function shown(document: Bottle | BottleState): object {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !KEPT_BACK.has(field)));
}
