import { type DeviceIdentity, type GatewayBottle, GatewayBottlesRepository } from '#persistence';
import { Clock, GroupCommit, LruMap } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { RegistryWatch } from '../auth/registry-watch.js';
import { REFUSED_FOR_MS } from '../auth/token-directory.js';

/** The result of looking up a bottle. */
interface Entry {
  /** Hex, in lower case. */
  id: string;
  /** Undefined if it does not exist. */
  bottle: GatewayBottle | undefined;
  /** When it was looked up. Epoch milliseconds. */
  lookedUpAt: number;
}

/** About 30 MB of bottles. */
const MAX_ENTRIES = 50_000;
const LOOKUPS = { group: 2_000, queued: 20_000, inFlight: 2 };

/**
 * A cache of the gateways to which bottles are assigned. Its entries live as long as those of tokens: a bottle that was
 * unassigned from a gateway is refused within a minute by every process.
 */
@Injectable()
export class BottleDirectory {
  private readonly entries = new LruMap<string, Entry>(MAX_ENTRIES);
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
   * @param gateway the gateway's id, hex.
   * @param ids of bottles, hex in lower case.
   * @returns those that are assigned to the gateway, by id.
   * @throws QueueFullError, or whatever kept the database from answering.
   */
  async findAssigned(gateway: string, ids: Iterable<string>): Promise<Map<string, DeviceIdentity>> {
    const now = this.clock.now().getTime();
    const found = new Map<string, DeviceIdentity>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const entry = this.entries.get(id);
      const assigned = entry?.bottle?.gateways.includes(gateway) ?? false;
      if (!entry || !this.isValid(entry, assigned, now)) unknown.push(id);
      else if (assigned) found.set(id, entry.bottle!.device);
    }
    if (unknown.length === 0) return found;
    for (const { id, bottle } of await this.lookups.add(unknown)) {
      if (bottle?.gateways.includes(gateway)) found.set(id, bottle.device);
    }
    return found;
  }

  private isValid({ lookedUpAt }: Entry, assigned: boolean, now: number): boolean {
    return assigned ? this.registry.isValid(lookedUpAt, now) : lookedUpAt + REFUSED_FOR_MS > now;
  }

  private async lookUp(ids: string[]): Promise<Entry[]> {
    const lookedUpAt = this.clock.now().getTime();
    const found = await this.bottles.findByIds([...new Set(ids)].map((id) => new Types.ObjectId(id)));
    return ids.map((id) => {
      const entry = { id, bottle: found.get(id), lookedUpAt };
      this.entries.set(id, entry);
      return entry;
    });
  }
}
