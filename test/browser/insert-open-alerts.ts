import { Types } from 'mongoose';
import type { Harness } from '../../tools/harness/harness.js';

/** For each of these users an alert of an open bottle, as the notifier raises it now; the bottles are not registered. */
export async function insertOpenAlerts(services: Harness, users: string[]): Promise<void> {
  const at = services.clock.now();
  await services.database.db.collection('alerts').insertMany(
    users.map((user_id) => ({
      bottle_id: new Types.ObjectId(),
      user_id,
      medication: 'Cordrazine',
      kind: 'bottle_open',
      subject: '',
      state: 'open',
      open: true,
      deadline: at,
      raised_at: at,
      evidence: { rule: 'open_after', open_after_ms: 300_000, opened_at: at },
      escalation: [],
      history: [{ event: 'raised', at, by: 'notifier' }],
    })),
  );
}
