import { LAB_FLEET } from './fleet.js';
import type { CollectionMeasure } from './measure.js';
import { after, oplogPerHour, storageOf, totalAfter } from './storage.js';

const collection = (name: string): CollectionMeasure => ({
  name,
  documents: 1,
  bson: 100,
  stored: 40,
  indexes: [
    { name: '_id_', stored: 35 },
    { name: 'other', stored: 25 },
  ],
});
const collections = [
  ...['bottle_heartbeats', 'bottle_actions', 'dose_outcomes', 'bottle_states', 'bottles'].map(collection),
  { ...collection('bottle_search_terms'), documents: 20, indexes: [] },
  collection('search_entries'),
];
const sample = { bottles: 1 };
const TB = 1e12;

describe('storage', () => {
  const storage = storageOf(LAB_FLEET, { collections, sample });
  const [heartbeats, actions, outcomes] = storage.growing;

  it('keeps two weeks of heartbeats, however long it runs', () => {
    expect(after(1, heartbeats!) / TB).toBeCloseTo(2.016, 3);
    expect(after(5, heartbeats!)).toBe(after(1, heartbeats!));
    expect(after(1 / 365, heartbeats!) / TB).toBeCloseTo(0.144, 3);
  });

  it('keeps actions and outcomes for ever', () => {
    expect(after(1, actions!) / TB).toBeCloseTo(4.38, 2);
    expect(after(5, actions!) / TB).toBeCloseTo(21.9, 1);
    expect(after(1, outcomes!) / TB).toBeCloseTo(2.19, 2);
  });

  it('adds up data, indexes and what stands', () => {
    expect(storage.standing[0]).toEqual({ name: 'bottle_states', data: 1.2e9, indexes: 1.8e9 });
    // twenty entries a bottle, as in the sample
    expect(storage.standing[2]).toEqual({ name: 'bottle_search_terms', data: 24e9, indexes: 0 });
    expect(totalAfter(1, storage) / TB).toBeCloseTo(2.016 + 4.38 + 2.19 + 0.009 + 0.024, 3);
  });

  it('refuses to guess what was not measured', () =>
    expect(() => storageOf(LAB_FLEET, { collections: collections.slice(1), sample })).toThrow(
      'bottle_heartbeats',
    ));
});

describe('the oplog', () => {
  it('counts each heartbeat twice: when it comes and when it is deleted', () => {
    const hour = oplogPerHour(LAB_FLEET, { heartbeat: 300, expiry: 100, action: 500, dose: 1_000 });
    expect(hour.heartbeat).toBeCloseTo(18e9, 0);
    expect(hour.expiry).toBeCloseTo(6e9, 0);
    expect(hour.action).toBeCloseTo(2.5e9, 0);
    expect(hour.dose).toBeCloseTo(2.5e9, 0);
  });
});
