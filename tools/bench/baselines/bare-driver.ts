/** Baseline: the driver alone, in this process. */
import { mongo } from 'mongoose';
import { bottleOf } from '../load/fleet.js';
import { vitalsOf } from '../load/vitals.js';
import { percentile } from '../report/rounds.js';
import { contactUpdate, type HeartbeatDocument, writeHeartbeats } from './group-writer.js';

/** Heartbeats a second when groups of `size` are written by `writers` at a time, log and states. */
export async function groupsOf(
  db: mongo.Db,
  { size, writers, bottles, seconds }: { size: number; writers: number; bottles: number; seconds: number },
): Promise<number> {
  const fleet = Array.from({ length: bottles }, (_, n) => bottleOf(n));
  const start = performance.now();
  const end = start + seconds * 1_000;
  let next = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      const time = new Date();
      const group = Array.from({ length: size }, (): HeartbeatDocument => {
        const { _id, user_id, medication } = fleet[next++ % bottles]!;
        return {
          _id: new mongo.ObjectId(),
          bottle_id: _id,
          user_id,
          medication,
          time,
          ...vitalsOf(next),
        };
      });
      await writeHeartbeats(db, group, time);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return (next * 1_000) / (performance.now() - start);
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
