/** Baseline: the driver alone writes what a check of the open bottles writes, group by group. */
import { mongo } from 'mongoose';

const GROUP = 500;

/** What a check recorded of bottles that were open for too long: the same documents are written again. */
export interface Recorded {
  alerts: mongo.Document[];
  deliveries: mongo.Document[];
}

/**
 * Finds the overdue states of a database by their index, and writes alerts, deliveries and the states' changes.
 *
 * @param db has open bottles that are overdue, the same that the alerts are of.
 * @param onWritten is called with the deliveries of each group
 * @returns seconds
 */
export async function writeAlerts(
  db: mongo.Db,
  { alerts, deliveries }: Recorded,
  onWritten: (deliveries: mongo.Document[]) => void = () => undefined,
): Promise<number> {
  const states = db.collection('bottle_states');
  const byBottle = (documents: mongo.Document[]): Map<string, mongo.Document> =>
    new Map(documents.map((document) => [String(document['bottle_id']), document]));
  const [alertOf, deliveryOf] = [byBottle(alerts), byBottle(deliveries)];
  const start = performance.now();
  for (;;) {
    const overdue = { open_overdue_at: { $lte: new Date() } };
    const group = await states.find(overdue).sort({ open_overdue_at: 1 }).limit(GROUP).toArray();
    if (group.length === 0) return (performance.now() - start) / 1_000;
    const written = (documents: Map<string, mongo.Document>): mongo.Document[] =>
      group.map(({ _id }) => documents.get(_id.toHexString())!);
    await db.collection('alerts').insertMany(written(alertOf), { ordered: false });
    const messages = written(deliveryOf);
    await db.collection('deliveries').insertMany(messages, { ordered: false });
    onWritten(messages);
    await states.bulkWrite(
      group.map(({ _id, last_action }) => ({
        updateOne: {
          filter: { _id },
          update: {
            $set: { open_alerted: true, open_alerted_for: last_action.time, open_unchanged: true },
            $unset: { open_overdue_at: '' },
          },
        },
      })),
      { ordered: false },
    );
  }
}
