import { WebhookEndpointsRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import type { Types } from 'mongoose';
import { DeliveryError } from '../../channel.js';

/** Notes since when endpoints fail: when an attempt failed after which none has succeeded. */
@Injectable()
export class EndpointHealth {
  private readonly logger = new Logger('Webhooks');
  /** Those that fail, as far as this notifier knows: most attempts write nothing. */
  private failing = new Set<string>();

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly clock: Clock,
  ) {}

  /** What the database says of all endpoints. */
  know(failing: Iterable<string>): void {
    this.failing = new Set(failing);
  }

  /** Makes an attempt and notes whether it failed. */
  async watch<T>(id: Types.ObjectId, attempt: () => Promise<T>): Promise<T> {
    try {
      const sent = await attempt();
      if (this.failing.delete(id.toHexString())) await this.note(() => this.endpoints.noteSucceeded(id));
      return sent;
    } catch (error) {
      if (error instanceof DeliveryError && !this.failing.has(id.toHexString())) {
        this.failing.add(id.toHexString());
        await this.note(() => this.endpoints.noteFailed(id, this.clock.now()));
      }
      throw error;
    }
  }

  /** The attempt has its result, whether or not this is stored. */
  private async note(write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => this.logger.warn(`not noted: ${String(error)}`));
  }
}
