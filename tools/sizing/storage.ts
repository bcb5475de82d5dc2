import { bottlesOf, type Fleet, type Growth, growth, HEARTBEATS_KEPT, reportRates, YEAR } from './fleet.js';
import type { CollectionMeasure, OplogMeasure } from './measure.js';
import type { Sample } from './sample.js';

/** A log or a history: what it takes by time, indexes included. Bytes on disk, of one copy. */
export interface GrowingCollection {
  name: string;
  data: Growth;
  indexes: Growth;
  /** Seconds after which a document is deleted; undefined is never. */
  kept: number | undefined;
}

/** As many documents a bottle as in the sample, one or more. Bytes on disk, of one copy. */
export interface StandingCollection {
  name: string;
  data: number;
  indexes: number;
}

export interface Storage {
  growing: GrowingCollection[];
  standing: StandingCollection[];
}

export const indexBytes = ({ indexes }: CollectionMeasure): number =>
  indexes.reduce((sum, { stored }) => sum + stored, 0);

export function storageOf(
  fleet: Fleet,
  { collections, sample }: { collections: CollectionMeasure[]; sample: Pick<Sample, 'bottles'> },
): Storage {
  const rates = reportRates(fleet);
  const growing = [
    { name: 'bottle_heartbeats', rate: rates.heartbeats, kept: HEARTBEATS_KEPT },
    { name: 'bottle_actions', rate: rates.actions, kept: undefined },
    { name: 'dose_outcomes', rate: rates.doses, kept: undefined },
  ].map(({ name, rate, kept }) => {
    const found = named(collections, name);
    return { name, kept, data: growth(rate, found.stored), indexes: growth(rate, indexBytes(found)) };
  });
  const standing = ['bottle_states', 'bottles', 'bottle_search_terms', 'search_entries'].map((name) => {
    const found = named(collections, name);
    const documents = bottlesOf(fleet) * (found.documents / sample.bottles);
    return { name, data: documents * found.stored, indexes: documents * indexBytes(found) };
  });
  return { growing, standing };
}

/** What a collection takes on disk after so many years. Bytes. */
export function after(years: number, { data, indexes, kept }: GrowingCollection): number {
  const seconds = Math.min(years * YEAR, kept ?? Number.POSITIVE_INFINITY);
  return ((data.year + indexes.year) * seconds) / YEAR;
}

/** Everything, after so many years. Bytes on disk, of one copy. */
export function totalAfter(years: number, { growing, standing }: Storage): number {
  return (
    growing.reduce((sum, collection) => sum + after(years, collection), 0) +
    standing.reduce((sum, { data, indexes }) => sum + data + indexes, 0)
  );
}

/** What the oplog of the whole fleet takes in an hour, by cause. Bytes. */
export function oplogPerHour(fleet: Fleet, oplog: OplogMeasure): Record<keyof OplogMeasure, number> {
  const { heartbeats, actions, doses } = reportRates(fleet);
  return {
    heartbeat: growth(heartbeats, oplog.heartbeat).hour,
    expiry: growth(heartbeats, oplog.expiry).hour,
    action: growth(actions, oplog.action).hour,
    dose: growth(doses, oplog.dose).hour,
  };
}

function named(collections: CollectionMeasure[], name: string): CollectionMeasure {
  const found = collections.find((collection) => collection.name === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}
