import { Types } from 'mongoose';
import type { Harness } from '../../tools/harness/harness.js';

/** A fleet incident with the silent bottle of Paul, of which one message is held. */
export async function insertIncident(services: Harness): Promise<void> {
  const alerts = services.database.db.collection('alerts');
  const at = services.clock.now();
  const raised = { deadline: at, raised_at: at, history: [{ event: 'raised', at, by: 'notifier' }] };
  const shared = { subject: '', state: 'open', open: true, escalation: [], ...raised };
  await alerts.insertOne({
    ...shared,
    bottle_id: new Types.ObjectId('0'.repeat(24)),
    user_id: 'fleet',
    medication: '',
    kind: 'fleet_incident',
    evidence: { rule: 'fleet_incident_percent', percent: 20, silent_bottles: 40, heard_bottles: 100 },
  });
  const { id } = await services.register({ user_id: 'paul', medication: 'Cordrazine' });
  const bottle_id = new Types.ObjectId(id);
  const silent = await alerts.insertOne({
    ...shared,
    bottle_id,
    user_id: 'paul',
    medication: 'Cordrazine',
    kind: 'bottle_silent',
    evidence: { rule: 'silent_after', silent_after_ms: 0, last_heard_at: at, listened_ms: 0 },
  });
  await services.database.db.collection('deliveries').insertOne({
    _id: 'd'.repeat(32) as never,
    alert_id: silent.insertedId,
    bottle_id,
    kind: 'bottle_silent',
    event: 'raised',
    step: 'raised:0:0',
    recipient: 'operator',
    channel: 'webhook',
    status: 'pending',
    attempts: [],
    created_at: at,
  });
}
