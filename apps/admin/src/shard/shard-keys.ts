/** How a collection is to be divided among the shards. docs/sharding.md says why. */
export interface ShardKey {
  collection: string;
  key: Record<string, 1 | 'hashed'>;
}

/**
 * What `npm run shard` shards: the collections that, at the lab's size, are written at the fleet's rate or
 * grow for ever. A bottle's documents stay together as far as uniqueness needs it: a retry of an action has
 * the same `_id` and perhaps another `time`, and only its own shard can know it again.
 */
export const SHARD_KEYS: readonly ShardKey[] = [
  { collection: 'bottle_heartbeats', key: { bottle_id: 1, time: 1 } },
  { collection: 'bottle_states', key: { _id: 'hashed' } },
  { collection: 'bottle_actions', key: { bottle_id: 1 } },
  { collection: 'dose_outcomes', key: { bottle_id: 1 } },
];
