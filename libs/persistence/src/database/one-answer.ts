import type { Schema } from 'mongoose';

/** More than any page or group of ours has. */
const DOCUMENTS = 10_000;

/**
 * A page comes in one answer: a server that is not told otherwise sends 101 documents and waits until it is asked for
 * the rest.
 */
export function fetchInOneBatch(schema: Schema): void {
  schema.pre('find', function () {
    this.batchSize(DOCUMENTS);
  });
}
