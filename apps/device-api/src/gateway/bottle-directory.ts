import { type DeviceIdentity, type GatewayBottle, GatewayBottlesRepository } from '#persistence';
import { Clock, GroupCommit, LruMap } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { RegistryWatch } from '../auth/registry-watch.js';
import { REFUSED_FOR_MS } from '../auth/token-directory.js';

/** What was found when a bottle was looked up; nothing when there is none. */
interface Entry {
  bottle: GatewayBottle | undefined;
  /** Epoch milliseconds. */
  asked: number;
}

/** About 30 MB of bottles. */
const MOST_KNOWN = 50_000;
const LOOKUPS = { group: 2_000, queued: 20_000, inFlight: 2 };

/**
 * Knows which bottles a gateway may speak for, mostly without asking the database, and for as long as a token is
 * known: a bottle that was taken from a gateway is refused within a minute by every process.
 */
@Injectable()
export class BottleDirectory {
  private readonly entries = new LruMap<string, Entry>(MOST_KNOWN);
  private readonly lookups = new GroupCommit((ids: string[]) => this.lookUp(ids), LOOKUPS);

  constructor(
    private readonly bottles: GatewayBottlesRepository,
    private readonly registry: RegistryWatch,
    private readonly clock: Clock,
  ) {
    registry.onChange((hasChanged) =>
      this.entries.deleteWhere(({ bottle }) => bottle !== undefined && hasChanged(bottle.device._id)),
    );
  }

  /**
   * @param gateway its id, hex.
   * @param ids of bottles, hex in lower case.
   * @returns those of them that it may speak for.
   * @throws QueueFullError, or whatever kept the database from answering.
   */
  async spokenFor(gateway: string, ids: Iterable<string>): Promise<Map<string, DeviceIdentity>> {
    const now = this.clock.now().getTime();
    const found = new Map<string, DeviceIdentity>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const entry = this.entries.get(id);
      const allowed = entry?.bottle?.gateways.includes(gateway) ?? false;
      if (!entry || !this.holds(entry, allowed, now)) unknown.push(id);
      else if (allowed) found.set(id, entry.bottle!.device);
    }
    if (unknown.length === 0) return found;
    const answers = await this.lookups.add(unknown);
    answers.forEach((bottle, index) => {
      if (bottle?.gateways.includes(gateway)) found.set(unknown[index]!, bottle.device);
    });
    return found;
  }

  private holds({ asked }: Entry, allowed: boolean, now: number): boolean {
    return allowed ? this.registry.holds(asked, now) : asked + REFUSED_FOR_MS > now;
  }

  private async lookUp(ids: string[]): Promise<(GatewayBottle | undefined)[]> {
    const asked = this.clock.now().getTime();
    const found = await this.bottles.findByIds([...new Set(ids)].map((id) => new Types.ObjectId(id)));
    return ids.map((id) => {
      const bottle = found.get(id);
      this.entries.set(id, { bottle, asked });
      return bottle;
    });
  }
}
