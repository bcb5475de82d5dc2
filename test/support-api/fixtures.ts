import type { AlertKind } from '#domain';
import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { EVIDENCE } from '../../libs/domain/src/alerts/testing.js';
import { NOW, type Support } from './support.js';

/** The instant this many minutes after NOW. */
export const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

/** Inserts alerts as the notifier does. What a test does not say of their evidence is as in any of the kind. */
export async function insertAlerts(support: Support, alerts: object[]): Promise<string[]> {
  const documents = (alerts as { kind?: AlertKind; evidence?: object }[]).map(
    ({ kind = 'bottle_open', evidence, ...alert }) => ({
      _id: new Types.ObjectId(),
      bottle_id: new Types.ObjectId(),
      user_id: 'willcross1024',
      medication: 'Cordrazine',
      kind,
      subject: '',
      state: 'open',
      open: true,
      deadline: at(-10),
      raised_at: at(-9),
      evidence: {
        ...EVIDENCE[kind],
        ...(kind === 'bottle_open' && { opened_at: at(-15) }),
        ...evidence,
      },
      history: [{ event: 'raised', at: at(-9), by: 'notifier' }],
      ...alert,
    }),
  );
  await support.database.db.collection('alerts').insertMany(documents);
  return documents.map(({ _id }) => _id.toHexString());
}

/** Inserts deliveries as the notifier does. */
export async function insertDeliveries(support: Support, deliveries: object[]): Promise<string[]> {
  const documents = deliveries.map((delivery) => ({
    _id: randomBytes(16).toString('hex') as never,
    alert_id: new Types.ObjectId(),
    bottle_id: new Types.ObjectId(),
    kind: 'bottle_open',
    event: 'raised',
    step: 'raised',
    recipient: 'operator',
    channel: 'webhook',
    status: 'pending',
    attempts: [],
    created_at: at(-9),
    ...delivery,
  }));
  await support.database.db.collection('deliveries').insertMany(documents);
  return documents.map(({ _id }) => _id);
}

/** Changes a bottle's state, as the notifier does. */
export async function setState(support: Support, id: string, state: object): Promise<void> {
  await support.database.db
    .collection('bottle_states')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: state });
}
