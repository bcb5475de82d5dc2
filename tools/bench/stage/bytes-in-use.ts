import type { mongo } from 'mongoose';

interface Stats {
  storageSize: number;
  freeStorageSize: number;
  indexSizes: Record<string, number>;
  indexDetails: Record<string, { 'block-manager': Record<'file bytes available for reuse', number> }>;
}

/**
 * Bytes of a collection and its indexes, as the last checkpoint left them; room that is free within the files is
 * filled before they grow.
 */
export async function bytesInUse(collection: mongo.Collection): Promise<number> {
  const [found] = await collection
    .aggregate<{ storageStats: Stats }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  const { storageSize, freeStorageSize, indexSizes, indexDetails } = found!.storageStats;
  const indexes = Object.entries(indexSizes).map(
    ([name, size]) => size - indexDetails[name]!['block-manager']['file bytes available for reuse'],
  );
  return storageSize - freeStorageSize + indexes.reduce((sum, size) => sum + size, 0);
}
