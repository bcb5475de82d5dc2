import type { mongo } from 'mongoose';

/** The acknowledged reports, by the ids that the log must hold for them, that it does not hold. */
export async function missingFromLog(db: mongo.Db, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const logs = ['bottle_actions', 'bottle_heartbeats'].map((name) =>
    db
      .collection(name)
      .find({}, { projection: { _id: 1 } })
      .toArray(),
  );
  const logged = new Set((await Promise.all(logs)).flat().map(({ _id }) => _id.toHexString()));
  return [...acknowledged].filter((id) => !logged.has(id));
}
