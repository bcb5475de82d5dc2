import type { Addressees } from '#domain';
import type {
  Alert,
  DeliveriesRepository,
  Delivery,
  OutboxRepository,
  OwedNotificationsRepository,
} from '#persistence';
import { Types } from 'mongoose';
import { OutboxService } from './outbox.service.js';
import type { Recipients } from './recipients.js';

const NOW = new Date('2026-03-02T08:00:00Z');

const alert = (more: object): Alert =>
  ({
    _id: new Types.ObjectId(),
    bottle_id: new Types.ObjectId(),
    user_id: 'anna',
    kind: 'missed_dose',
    evidence: {},
    history: [],
    escalation: [{ after: '0m', to: 'user' }],
    raised_at: NOW,
    ...more,
  }) as unknown as Alert;

/** An outbox whose one page has these alerts. */
function outboxWith(page: Alert[]) {
  const queued: Delivery[] = [];
  const quarantined: [Alert, object][] = [];
  const outbox = { enqueue: async (all: Delivery[]) => void queued.push(...all) };
  const deliveries = { findByAlerts: async () => [] };
  const owed = {
    findDueSteps: async () => page,
    armNextSteps: async () => undefined,
    endCleared: async () => undefined,
    findOwedEnds: async () => page,
    clearOwedEnds: async () => undefined,
    quarantine: async (...one: [Alert, object]) => quarantined.push(one) > 0,
  };
  const recipients = {
    contactsOf: async () => new Map(),
    addresseesOf: (): Addressees => ({ operator: ['webhook'] }),
    wanted: (notifications: Delivery[]) => notifications,
    endsWanted: (_alert: Alert, ends: Delivery[]) => ends,
  };
  const service = new OutboxService(
    outbox as unknown as OutboxRepository,
    deliveries as unknown as DeliveriesRepository,
    owed as unknown as OwedNotificationsRepository,
    recipients as unknown as Recipients,
  );
  return { service, queued, quarantined };
}

describe('an alert that cannot be read is quarantined, and holds up no other', () => {
  it('when a step is due', async () => {
    const good = alert({ state: 'open', open: true, next_step_at: NOW });
    const bad = alert({ state: 'open', open: true, next_step_at: NOW, escalation: 'never a policy' });
    const { service, queued, quarantined } = outboxWith([bad, good]);
    await service.escalate(NOW);
    expect(queued.map(({ alert_id, event }) => [alert_id, event])).toEqual([[good._id, 'raised']]);
    expect(quarantined).toEqual([
      [bad, { check: 'OutboxService', error: expect.stringContaining('TypeError'), at: NOW }],
    ]);
  });

  it('when its end is owed', async () => {
    const good = alert({ state: 'resolved', end_owed: 'partial' });
    const bad = alert({ state: 'resolved', end_owed: 'partial', escalation: 'never a policy' });
    const { service, queued, quarantined } = outboxWith([bad, good]);
    await service.queueEnds(NOW);
    expect(queued.map(({ alert_id, event }) => [alert_id, event])).toEqual([[good._id, 'partial']]);
    expect(quarantined.map(([one]) => one)).toEqual([bad]);
  });
});
