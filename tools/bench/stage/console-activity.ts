import type { mongo } from 'mongoose';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** For how long a measurement may last. Minutes. */
const AHEAD = 15;

interface Counts {
  _id: object;
  [field: string]: unknown;
}

/** What device-api has counted of a fleet that reports twice an hour: by the minute of a day, by the second of now. */
export async function activity(db: mongo.Db, bottles: number, now: Date): Promise<void> {
  const perMinute = Math.ceil(bottles / 30);
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  for (let ago = -1; ago < 24; ago += 1) {
    const timestamp = new Date(hour - ago * HOUR_MS);
    for (const minutes of [1, 5])
      await db.collection<Counts>(`ts_${minutes}m_${digits(timestamp)}`).insertOne({
        _id: { metric: 'reports', timestamp },
        values: numbered(60, { heartbeats: minutes * perMinute, opened: 100, closed: 100 }, minutes),
        listening: numbered(60, minutes, minutes),
      });
  }
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let ahead = -10; ahead < AHEAD; ahead += 1) {
    const timestamp_minute = new Date(minute + ahead * MINUTE_MS);
    await db.collection<Counts>(`ts_live_${digits(timestamp_minute)}`).insertMany(
      [
        { kind: 'heartbeats', total: perMinute },
        { kind: 'opened', total: 60 },
        { kind: 'closed', total: 60 },
      ].map(({ kind, total }) => ({
        _id: { kind, timestamp_minute },
        total,
        seconds: numbered(60, Math.ceil(total / 60)),
      })),
    );
  }
}

const numbered = (count: number, value: unknown, every = 1): object =>
  Object.fromEntries(Array.from({ length: count / every }, (_, field) => [field * every, value]));

/** `20260301`: the end of the name of a collection that holds this day. */
const digits = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');
