import { mongo } from 'mongoose';

/** The server's code for a document that a unique index refuses. */
export const DUPLICATE_KEY = 11_000;

/** Whether a unique index refused a write, or one of a bulk. */
export function isDuplicateKey(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}
