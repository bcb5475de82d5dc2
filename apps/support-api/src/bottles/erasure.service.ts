import {
  AlertsRepository,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  BottleStatesRepository,
  DeliveriesRepository,
  DoseOutcomesRepository,
  PillWeightsRepository,
} from '#persistence';
import { Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { FindableService } from './findable.service.js';

/** Erases a bottle and everything that is known of it. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly weights: PillWeightsRepository,
    private readonly findable: FindableService,
  ) {}

  /**
   * The token first, so that nothing more is reported; then the state, so that no check finds it; the registry
   * last, so that an erasure that was cut short can be asked for again.
   *
   * @throws Problem 404
   */
  async erase(id: Types.ObjectId): Promise<void> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    await this.bottles.disownToken(id);
    await this.states.delete(id);
    await Promise.all([
      this.actions.deleteOfBottle(id),
      this.heartbeats.deleteOfBottle(id),
      this.outcomes.deleteOfBottle(id),
      this.alerts.deleteOfBottle(id),
      this.deliveries.deleteOfBottle(id),
      this.weights.deleteOfBottle(id),
      this.findable.remove(bottle),
    ]);
    await this.bottles.delete(id);
  }
}
