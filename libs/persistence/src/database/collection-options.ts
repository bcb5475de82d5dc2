import type { mongo, Schema } from 'mongoose';

const ZSTD = { wiredTiger: { configString: 'block_compressor=zstd' } };

/**
 * Options for the collections that grow with the fleet: zstd compresses the data and every index, `_id` included.
 * WiredTiger's default is snappy for data and prefix compression for indexes; this about halves the size of a
 * heartbeat (`npm run bench -- storage` measures it). Applies when the collection is created.
 */
export const COMPRESSED: mongo.CreateCollectionOptions = {
  storageEngine: ZSTD,
  indexOptionDefaults: { storageEngine: ZSTD },
};

/** More documents than any of our pages or groups has. */
const BATCH_SIZE = 10_000;

/** Fetches each page in one round trip. By default the first batch has 101 documents and the rest is a second one. */
export function fetchInOneBatch(schema: Schema): void {
  schema.pre('find', function () {
    this.batchSize(BATCH_SIZE);
  });
}
