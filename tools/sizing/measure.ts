import { groupBy } from '#domain';
import {
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  PeopleSearchRepository,
  ReportedStatesRepository,
  type SearchablePerson,
} from '#persistence';
import type { mongo } from 'mongoose';
import { setImmediate as breathe } from 'node:timers/promises';
import { OplogMeter } from './oplog.js';
import { sampleActions, type SampleBottle, sampleBottles, sampleHeartbeats, type Sample } from './sample.js';
import { updateStates, contact, judgeDoses, register, upsertOutcomes } from './sample-states.js';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.js';

/** What one document of a collection takes. Bytes. */
export interface CollectionMeasure {
  name: string;
  documents: number;
  /** As BSON, before compression. */
  bson: number;
  /** On disk, compressed. */
  stored: number;
  indexes: { name: string; stored: number }[];
}

/** What one of each makes in the oplog, the changes of the state included. Bytes. */
export interface OplogMeasure {
  heartbeat: number;
  /** A heartbeat deleted by the TTL two weeks later. */
  expiry: number;
  action: number;
  /** A dose judged: claim, outcome, release. */
  dose: number;
}

export interface Measurement {
  version: string;
  sample: Sample;
  collections: CollectionMeasure[];
  /** Undefined where the oplog cannot be read. */
  oplog: OplogMeasure | undefined;
}

const GROUP = 1_000;
const HALF_AN_HOUR = 30 * 60_000;
const LOGS = ['bottle_heartbeats', 'bottle_actions', 'dose_outcomes'];
const REGISTRY = ['bottles', 'bottle_search_terms', 'search_entries'];
const EXPIRED_BOTTLES = 5;

/** Writes a sample into a database of its own on this server, through the real repositories, and measures it. */
export function measure(
  uri: string,
  sample: Sample,
  now: Date,
  note: (line: string) => void,
): Promise<Measurement> {
  return withScratchDatabase(uri, async (scratch) => {
    const { version } = (await scratch.db.admin().serverInfo()) as { version: string };
    const bottles = sampleBottles(sample.bottles, now);
    note(`registering ${sample.bottles} bottles`);
    await register(scratch.app, bottles, now);
    await scratch.app.get(PeopleSearchRepository).put(peopleOf(bottles));
    const meter = new OplogMeter(scratch.client, scratch.db.databaseName);
    const logged = await fill(scratch, meter, sample, bottles, now, note);
    // what is measured is what a checkpoint leaves on disk
    await scratch.client.db('admin').command({ fsync: 1 });
    const sizes = (names: string[]): Promise<CollectionMeasure[]> =>
      Promise.all(names.map((name) => sizeOf(scratch.db, name)));
    const collections = [
      ...(await sizes(LOGS)),
      await sizeOfStates(uri, scratch, sample),
      ...(await sizes(REGISTRY)),
    ];
    const expiry = await expire(scratch, meter, sample, bottles);
    return { version, sample, collections, oplog: perItem(sample, { ...logged, expiry }) };
  });
}

/** Bytes of oplog for the whole sample. */
type Logged = Record<
  'heartbeats' | 'contacts' | 'actions' | 'stateUpdates' | 'doses' | 'expiry',
  number | undefined
>;

async function fill(
  { app }: ScratchDatabase,
  meter: OplogMeter,
  sample: Sample,
  bottles: SampleBottle[],
  now: Date,
  note: (line: string) => void,
): Promise<Omit<Logged, 'expiry'>> {
  const { heartbeatBottles, heartbeatsPerBottle, actionBottles, dosesPerBottle, contacts } = sample;
  const [beating, acting] = [bottles.slice(0, heartbeatBottles), bottles.slice(0, actionBottles)];
  const states = app.get(ReportedStatesRepository);
  note(`writing ${beating.length * heartbeatsPerBottle} heartbeats`);
  const heartbeats = await meter.bytesOf(() =>
    inGroups(sampleHeartbeats(beating, heartbeatsPerBottle, now), (group) =>
      app.get(BottleHeartbeatsRepository).insert(group),
    ),
  );
  note(`writing ${2 * acting.length * dosesPerBottle} actions`);
  const actions = await meter.bytesOf(() =>
    inGroups(sampleActions(acting, dosesPerBottle, now), (group) =>
      app.get(BottleActionsRepository).insert(group),
    ),
  );
  note(`moving ${bottles.length} states on`);
  // the first contact changes more than the later ones
  await contact(states, bottles, 1, new Date(now.getTime() - (contacts + 1) * HALF_AN_HOUR));
  const reported = await meter.bytesOf(() => contact(states, bottles, contacts, now));
  const stateUpdates = await meter.bytesOf(() =>
    updateStates(states, [...sampleActions(bottles, 1, now)], now),
  );
  const judged = await meter.bytesOf(() => judgeDoses(app, bottles, now));
  await upsertOutcomes(app, acting, dosesPerBottle, now);
  return { heartbeats, actions, contacts: reported, stateUpdates, doses: judged };
}

/** The owners of these bottles, each with a name and a carer's phone number. */
function peopleOf(bottles: readonly SampleBottle[]): SearchablePerson[] {
  return [...groupBy(bottles, ({ user_id }) => user_id)].map(([user_id, own]) => ({
    user_id,
    texts: [user_id.replaceAll(/\d/g, ''), '+49 30 901820'],
    bottles: own.map(({ _id, medication }) => ({ id: _id.toHexString(), medication })),
  }));
}

/** Writes in the order of arrival, in groups as they form under load. */
async function inGroups<T>(documents: Iterable<T>, write: (group: T[]) => Promise<unknown>): Promise<void> {
  let group: T[] = [];
  for (const document of documents) {
    group.push(document);
    if (group.length < GROUP) continue;
    await write(group);
    group = [];
    await breathe();
  }
  if (group.length > 0) await write(group);
}

/** Deletes some bottles' heartbeats, as the TTL deletes everybody's. */
async function expire(
  { app }: ScratchDatabase,
  meter: OplogMeter,
  { heartbeatBottles }: Sample,
  bottles: SampleBottle[],
): Promise<number | undefined> {
  const some = bottles.slice(0, Math.min(EXPIRED_BOTTLES, heartbeatBottles));
  const bytes = await meter.bytesOf(async () => {
    for (const { _id } of some) await app.get(BottleHeartbeatsRepository).deleteOfBottle(_id);
  });
  return bytes && bytes / some.length;
}

function perItem(sample: Sample, logged: Logged): OplogMeasure | undefined {
  const { heartbeats, contacts, actions, stateUpdates, doses, expiry } = logged;
  if (!heartbeats || !contacts || !actions || !stateUpdates || !doses || !expiry) return undefined;
  const contacted = contacts / (sample.bottles * sample.contacts);
  return {
    heartbeat: heartbeats / (sample.heartbeatBottles * sample.heartbeatsPerBottle) + contacted,
    expiry: expiry / sample.heartbeatsPerBottle,
    action:
      actions / (2 * sample.actionBottles * sample.dosesPerBottle) +
      contacted +
      stateUpdates / (2 * sample.bottles),
    dose: doses / sample.bottles,
  };
}

/**
 * The states as they are now, in a fresh collection: what they were minutes ago is still kept in the files,
 * for readers of old snapshots, and a sample is changed much more often in a minute than a fleet.
 */
function sizeOfStates(uri: string, { db }: ScratchDatabase, { bottles }: Sample): Promise<CollectionMeasure> {
  return withScratchDatabase(uri, async (fresh) => {
    const states = await db.collection('bottle_states').find().limit(bottles).toArray();
    const shuffled = states.sort(() => Math.random() - 0.5);
    if (shuffled.length > 0) await fresh.db.collection('bottle_states').insertMany(shuffled);
    await fresh.client.db('admin').command({ fsync: 1 });
    return sizeOf(fresh.db, 'bottle_states');
  });
}

interface StorageStats {
  count: number;
  avgObjSize: number;
  storageSize: number;
  freeStorageSize: number;
  indexSizes: Record<string, number>;
  indexDetails: Record<string, { 'block-manager': Record<'file bytes available for reuse', number> }>;
}

/** Counts only what is in use: space that updates free in the files is reused before the files grow. */
async function sizeOf(db: mongo.Db, name: string): Promise<CollectionMeasure> {
  const [found] = await db
    .collection(name)
    .aggregate<{ storageStats: StorageStats }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  const { count, avgObjSize, storageSize, freeStorageSize, indexSizes, indexDetails } = found!.storageStats;
  const free = (index: string): number =>
    indexDetails[index]?.['block-manager']['file bytes available for reuse'] ?? 0;
  return {
    name,
    documents: count,
    bson: avgObjSize,
    stored: (storageSize - freeStorageSize) / count,
    indexes: Object.entries(indexSizes).map(([index, size]) => ({
      name: index,
      stored: (size - free(index)) / count,
    })),
  };
}
