import type { mongo } from 'mongoose';

/** One document of the charts. */
export interface Bucket {
  collection: string;
  /** Names the document. */
  key: mongo.Document;
}

/** What is added to a document: amounts by path from its root. */
export interface Counts {
  bucket: Bucket;
  sums: Map<string, number>;
}

/** Counts in memory, so that whatever is counted together costs one update a document. */
export class Tally {
  private readonly documents = new Map<string, Counts>();

  add(bucket: Bucket, path: string, amount: number): void {
    const name = `${bucket.collection} ${JSON.stringify(bucket.key)}`;
    const counts = this.documents.get(name) ?? { bucket, sums: new Map<string, number>() };
    counts.sums.set(path, (counts.sums.get(path) ?? 0) + amount);
    this.documents.set(name, counts);
  }

  counts(): Counts[] {
    return [...this.documents.values()];
  }
}
