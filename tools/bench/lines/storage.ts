import { heartbeatId } from '#domain';
import { BottleHeartbeatSchema, COMPRESSED } from '#persistence';
import { mongo } from 'mongoose';
import { bottleOf } from '../load/fleet.js';
import { Random } from '../../random.js';
import { atMost, type Line } from '../report/line.js';
import { spread } from '../report/rounds.js';
import { bytesInUse } from '../fixtures/bytes-in-use.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 1_000;
const HEARTBEATS = 100;
const HALF_AN_HOUR_MS = 30 * 60_000;
const ROUNDS = 3;
const TEN_YEARS_S = 10 * 365 * 86_400;

type IdOf = (bottle: mongo.ObjectId, at: Date) => mongo.ObjectId;

/** A way to store the same heartbeats. */
interface Way {
  id: IdOf;
  collection: mongo.CreateCollectionOptions;
  /** They carry neither battery nor signal. */
  empty?: boolean;
}

const driverId: IdOf = () => new mongo.ObjectId();
const ownId: IdOf = (bottle, at) => new mongo.ObjectId(heartbeatId(bottle.toHexString(), at, at));
const configured = (configString: string): object => ({ storageEngine: { wiredTiger: { configString } } });

/** The levers one by one, from the lab's schema as written to what is in use. */
const WAYS: Record<string, Way> = {
  'the lab as written': { id: driverId, collection: {} },
  'ids made of bottle and time': { id: ownId, collection: {} },
  'data by zstd': { id: driverId, collection: configured('block_compressor=zstd') },
  'indexes by snappy': {
    id: driverId,
    collection: { indexOptionDefaults: configured('block_compressor=snappy') },
  },
  'indexes by zstd': {
    id: driverId,
    collection: { indexOptionDefaults: configured('block_compressor=zstd') },
  },
  'indexes without prefix compression': {
    id: driverId,
    collection: { indexOptionDefaults: configured('prefix_compression=false') },
  },
  'in use': { id: ownId, collection: COMPRESSED },
  'the lab as written, empty heartbeats': { id: driverId, collection: {}, empty: true },
  'in use, empty heartbeats': { id: ownId, collection: COMPRESSED, empty: true },
};

/** Line 13: bytes of a heartbeat, data and all indexes, and what each lever does. */
export async function storage(harness: BenchHarness): Promise<Line[]> {
  const bytes: Record<string, number[]> = {};
  for (const [name, way] of Object.entries(WAYS)) {
    const compared = name === 'the lab as written' || name === 'in use';
    bytes[name] = [];
    for (let round = 0; round < (compared ? ROUNDS : 1); round += 1)
      bytes[name].push(await bytesOf(harness, way));
  }
  const ratios = bytes['in use']!.map((value, round) => value / bytes['the lab as written']![round]!);
  return [
    {
      ...atMost(13, "bytes a heartbeat ÷ the lab's schema and indexes as written", 0.75, spread(ratios)),
      figures: Object.fromEntries(
        Object.entries(bytes).map(([name, values]) => [name, `${spread(values).median.toFixed(1)} B`]),
      ),
    },
  ];
}

async function bytesOf(harness: BenchHarness, way: Way): Promise<number> {
  const db = harness.newDatabase('storage');
  const heartbeats = await db.createCollection('bottle_heartbeats', way.collection);
  for (const [key, { name }] of BottleHeartbeatSchema.indexes()) {
    const ttl = name === 'TTL' ? { expireAfterSeconds: TEN_YEARS_S } : {};
    await heartbeats.createIndex(key as mongo.IndexSpecification, { name: name!, ...ttl });
  }
  for (const group of arrivals(way)) await heartbeats.insertMany(group, { ordered: false });
  // what a checkpoint leaves on disk
  await harness.client.db('admin').command({ fsync: 1 });
  const bytes = await bytesInUse(heartbeats);
  await db.dropDatabase();
  return bytes / (BOTTLES * HEARTBEATS);
}

/** As they arrive, with battery and signal: every bottle once, in any order, then again half an hour later. */
function* arrivals({ id, empty = false }: Way): Generator<mongo.Document[]> {
  const fleet = Array.from({ length: BOTTLES }, (_, n) => bottleOf(n));
  const random = new Random(17);
  const start = Date.parse('2026-03-02T00:00:00Z');
  for (let round = 0; round < HEARTBEATS; round += 1)
    yield fleet.map(({ _id, user_id, medication }, place) => {
      const time = new Date(
        start + round * HALF_AN_HOUR_MS + Math.floor((place * HALF_AN_HOUR_MS) / BOTTLES),
      );
      const vitals = { battery_percent: random.integer(20, 99), rssi_dbm: -random.integer(45, 85) };
      return { _id: id(_id, time), bottle_id: _id, user_id, medication, time, ...(!empty && vitals) };
    });
}
