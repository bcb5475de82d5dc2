import { type Bottle, BottleStatesRepository, FirstContactsRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';

type Registered = Pick<Bottle, '_id' | 'registered_at'>;

/**
 * Since when bottles are monitored: the receipt of the first report of any kind. Nothing could be seen before. Figures,
 * calendars, charts and reports all ask here.
 */
@Injectable()
export class MonitoredSinceService {
  constructor(
    private readonly states: BottleStatesRepository,
    private readonly logs: FirstContactsRepository,
    private readonly config: SupportApiConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * By id in hex; null: it has not reported yet. Of a bottle whose first report the log has forgotten before it was noted,
   * when it was registered.
   */
  async find(bottles: readonly Registered[]): Promise<ReadonlyMap<string, Date | null>> {
    const found = await this.states.findByIds(bottles.map(({ _id }) => _id));
    const states = new Map(found.map((state) => [state._id.toHexString(), state]));
    const isUnnoted = ({ _id }: Registered): boolean => {
      const state = states.get(_id.toHexString());
      return state?.last_heard_at !== undefined && !state.first_heard_at;
    };
    const logged = await this.logs.find(
      bottles.filter(isUnnoted),
      new Date(this.clock.now().getTime() - this.config.HEARTBEAT_RETENTION),
    );
    return new Map(
      bottles.map(({ _id, registered_at }) => {
        const id = _id.toHexString();
        const state = states.get(id);
        if (!state?.last_heard_at) return [id, null];
        return [id, state.first_heard_at ?? logged.get(id) ?? registered_at];
      }),
    );
  }

  /** Of one bottle. */
  async of(bottle: Registered): Promise<Date | null> {
    return (await this.find([bottle])).get(bottle._id.toHexString()) ?? null;
  }
}
