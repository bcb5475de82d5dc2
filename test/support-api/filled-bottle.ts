import { Types } from 'mongoose';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, type Support } from './support.js';

const DAY = { hours: { 12: {} } };

/** How many documents `fill` makes. */
export const COUNTS = {
  actions: 3,
  heartbeats: 1,
  doses: 1,
  attestations: 1,
  alerts: 2,
  deliveries: 1,
  vitals: 2,
  notes: 1,
};

/** A bottle that is registered. */
interface Bottle {
  id: string;
  token: string;
}

/** Fills every log with data of a bottle. */
export async function fill(support: Support, { id, token }: Bottle): Promise<void> {
  const { db } = support.database;
  const bottle_id = new Types.ObjectId(id);
  await support.report(token, 'heartbeats');
  for (const minute of [0, 1, 2]) {
    await support.report(token, 'actions', {
      action: 'opened',
      time: at(-minute),
      mass_of_contents: 1,
      number_of_pills: 1,
    });
  }
  const [alert] = await insertAlerts(support, [{ bottle_id }, { bottle_id, kind: 'low_supply' }]);
  await insertDeliveries(support, [{ bottle_id, alert_id: new Types.ObjectId(alert) }]);
  await db.collection('dose_outcomes').insertOne({ bottle_id, scheduled_at: NOW });
  await support.post(`/v1/bottles/${id}/notes`, { text: 'The lid is stiff.' });
  await db.collection('attestations').insertOne({ bottle_id, scheduled_at: NOW, note: 'by phone' });
  for (const [name, timestamp] of [
    ['ts_vitals_202601', '2026-01-31T00:00:00Z'],
    ['ts_vitals_202602', '2026-02-28T00:00:00Z'],
  ] as const) {
    await db
      .collection(name)
      .insertOne({ ...DAY, _id: { bottle_id, timestamp: new Date(timestamp) } } as never);
  }
}
