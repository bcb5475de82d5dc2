import {
  BottleActionSchema,
  BottleHeartbeatSchema,
  BottleStateSchema,
  DoseOutcomeSchema,
} from '#persistence';
import { SHARD_KEYS } from './shard-keys.js';

const SCHEMAS = {
  bottle_heartbeats: BottleHeartbeatSchema,
  bottle_states: BottleStateSchema,
  bottle_actions: BottleActionSchema,
  dose_outcomes: DoseOutcomeSchema,
};

/** `a,b` begins `a,b,c`. */
const begins = (prefix: object, keys: object): boolean =>
  `${Object.entries(keys).join(';')};`.startsWith(`${Object.entries(prefix).join(';')};`);

describe.each(SHARD_KEYS)('the shard key of $collection', ({ collection, key }) => {
  const schema = SCHEMAS[collection as keyof typeof SCHEMAS];
  const indexes = schema.indexes();

  it('begins every unique index: MongoDB cannot keep another one unique across shards', () => {
    for (const [keys, { unique }] of indexes) if (unique) expect(begins(key, keys)).toBe(true);
  });

  it('has an index of ours, or is hashed and gets its own', () => {
    const supported = indexes.some(
      ([keys, { partialFilterExpression }]) => begins(key, keys) && !partialFilterExpression,
    );
    expect(supported || Object.values(key).includes('hashed')).toBe(true);
  });
});

it('knows every schema that it shards', () =>
  expect(SHARD_KEYS.map(({ collection }) => collection).sort()).toEqual(Object.keys(SCHEMAS).sort()));

it('leaves a retry of an action no other shard than the first: what it says of its time may be corrected', () => {
  const { key } = SHARD_KEYS.find(({ collection }) => collection === 'bottle_actions')!;
  expect(Object.keys(key)).toEqual(['bottle_id']);
});
