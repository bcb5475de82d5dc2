import { canaryId, FIRST_CANARY_ID } from '#domain';
import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';

const FIRST_CANARY = new Types.ObjectId(FIRST_CANARY_ID);

/** Matches the ids of all bottles but canaries. */
export const NO_CANARY = { $lt: FIRST_CANARY } as const;
/** Matches the ids of canaries. */
export const CANARIES = { $gte: FIRST_CANARY } as const;

export const newCanaryId = (): Types.ObjectId => new Types.ObjectId(canaryId(randomBytes(8).toString('hex')));
