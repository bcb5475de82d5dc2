import type { Id } from '#domain';
import { Types } from 'mongoose';

/** An id of the domain as the database has it. */
export function asObjectId(id: Id): Types.ObjectId {
  return id instanceof Types.ObjectId ? id : new Types.ObjectId(id.toHexString());
}
