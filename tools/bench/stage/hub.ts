import { hashToken } from '#platform';
import { mongo } from 'mongoose';
import { GATEWAY_TOKEN, registered } from '../load/fleet.js';
import { bigFleetId } from './big-fleet.js';

const GROUP = 5_000;

/** Registers the hub that the load speaks as, for every bottle of the database. */
export async function registerHub(db: mongo.Db): Promise<void> {
  const _id = new mongo.ObjectId();
  await db.collection('gateways').insertOne({
    _id,
    name: 'the hub',
    token_hash: hashToken(GATEWAY_TOKEN),
    revoked_token_hashes: [],
    created_at: new Date(),
  });
  await db.collection('bottles').updateMany({}, { $set: { gateway_ids: [_id] } });
}

/**
 * Registers some bottles of a big fleet, which has states only, spread over all of it.
 *
 * @param step the registered ones are number 0, `step`, 2 `step`, …
 */
export async function registerSome(db: mongo.Db, count: number, step: number): Promise<void> {
  const at = new Date();
  for (let from = 0; from < count; from += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, count - from) }, (_, index) => ({
      ...registered(from + index, at),
      _id: new mongo.ObjectId(bigFleetId((from + index) * step)),
    }));
    await db.collection<{ _id: mongo.ObjectId }>('bottles').insertMany(group, { ordered: false });
  }
}
