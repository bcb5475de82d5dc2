/** Baseline: the driver alone, in this process. */
import { mongo } from 'mongoose';
import { actionId } from '#domain';
import { actionOf, bottleOf } from '../load/fleet.js';
import { vitalsOf } from '../load/vitals.js';
import { percentile } from '../report/rounds.js';
import {
  type ActionDocument,
  contactUpdate,
  type HeartbeatDocument,
  writeActions,
  writeHeartbeats,
} from './group-writer.js';

/** Heartbeats a second when groups of `size` are written by `writers` at a time, log and states. */
export async function groupsOf(
  db: mongo.Db,
  { size, writers, bottles, seconds }: { size: number; writers: number; bottles: number; seconds: number },
  writeGroup: (db: mongo.Db, group: Bottles, turn: number) => Promise<void> = heartbeatsOf,
): Promise<number> {
  const fleet = Array.from({ length: bottles }, (_, n) => bottleOf(n));
  const start = performance.now();
  const end = start + seconds * 1_000;
  let next = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = next;
      next += size;
      await writeGroup(
        db,
        Array.from({ length: size }, (_, index) => fleet[(from + index) % bottles]!),
        Math.floor(from / bottles),
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return (next * 1_000) / (performance.now() - start);
}

type Bottles = ReturnType<typeof bottleOf>[];

async function heartbeatsOf(db: mongo.Db, group: Bottles): Promise<void> {
  const time = new Date();
  const documents = group.map(({ _id, user_id, medication }, n): HeartbeatDocument => ({
    _id: new mongo.ObjectId(),
    bottle_id: _id,
    user_id,
    medication,
    time,
    ...vitalsOf(n),
  }));
  await writeHeartbeats(db, documents, time);
}

/** Each is opened and closed in turn. @param turn how often the whole fleet has come before */
export async function actionsOf(db: mongo.Db, group: Bottles, turn: number): Promise<void> {
  const received_at = new Date();
  const documents = group.map(({ _id: bottle_id, user_id, medication }): ActionDocument => {
    const reported = { ...actionOf(turn), time: received_at };
    const _id = new mongo.ObjectId(actionId(bottle_id.toHexString(), reported));
    return { _id, bottle_id, user_id, medication, ...reported, received_at };
  });
  await writeActions(db, documents);
}

/** The median time of one insert and one update, one after the other. Milliseconds. */
export async function lonePair(db: mongo.Db, bottles: number, seconds: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < end; n += 1) {
    const { _id, user_id, medication } = bottleOf(n % bottles);
    const start = performance.now();
    const time = new Date();
    await db
      .collection('bottle_heartbeats')
      .insertOne({ bottle_id: _id, user_id, medication, time, ...vitalsOf(n) });
    await db.collection<{ _id: mongo.ObjectId }>('bottle_states').updateOne({ _id }, contactUpdate(time));
    times.push(performance.now() - start);
  }
  return percentile(
    times.sort((one, other) => one - other),
    0.5,
  );
}
