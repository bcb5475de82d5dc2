import type { Alert, DeliveriesRepository, Delivery, OwedNotificationsRepository } from '#persistence';
import { Types } from 'mongoose';
import { OutboxService } from './outbox.service.js';
import type { Recipients } from './recipients.js';

const NOW = new Date('2026-03-02T08:00:00Z');

const before = (ms: number): Date => new Date(NOW.getTime() - ms);

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
function outboxWith(page: Alert[], earlier: Delivery[] = []) {
  const queued: Delivery[] = [];
  const quarantined: [Alert, object][] = [];
  const deliveries = {
    enqueue: async (all: Delivery[]) => void queued.push(...all),
    findByAlerts: async () => earlier,
  };
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
    addresses: () => [{ recipient: 'operator', channel: 'webhook' }],
    asReached: (delivery: Delivery) => delivery,
  };
  const outbox = new OutboxService(
    deliveries as unknown as DeliveriesRepository,
    owed as unknown as OwedNotificationsRepository,
    recipients as unknown as Recipients,
  );
  return { outbox, queued, quarantined };
}

describe('an alert that cannot be read is quarantined, and holds up no other', () => {
  it('when a step is due', async () => {
    const good = alert({ state: 'open', open: true, next_step_at: NOW });
    const bad = alert({ state: 'open', open: true, next_step_at: NOW, escalation: 'never a policy' });
    const { outbox, queued, quarantined } = outboxWith([bad, good]);
    await outbox.escalate(NOW);
    expect(queued.map(({ alert_id, event }) => [alert_id, event])).toEqual([[good._id, 'raised']]);
    expect(quarantined).toEqual([
      [bad, { check: 'OutboxService', error: expect.stringContaining('TypeError'), at: NOW }],
    ]);
  });

  it('when its end is owed', async () => {
    const good = alert({ state: 'resolved', end_owed: 'partial' });
    const bad = alert({ state: 'resolved', end_owed: 'partial', escalation: 'never a policy' });
    const { outbox, queued, quarantined } = outboxWith([bad, good]);
    await outbox.queueEnds(NOW);
    expect(queued.map(({ alert_id, event }) => [alert_id, event])).toEqual([[good._id, 'partial']]);
    expect(quarantined.map(([one]) => one)).toEqual([bad]);
  });
});

it('an end comes after what was queued while its notifier hung', async () => {
  const ended = alert({ state: 'resolved', end_owed: 'resolved', ended_at: NOW });
  const address = { recipient: 'operator', channel: 'webhook' };
  const created_at = before(-5_000);
  const raised = {
    _id: 'r',
    alert_id: ended._id,
    ...address,
    event: 'raised',
    status: 'pending',
    created_at,
  };
  const { outbox, queued } = outboxWith([ended], [{ ...raised, attempts: [] } as unknown as Delivery]);
  await outbox.queueEnds(NOW);
  expect(queued).toMatchObject([{ event: 'resolved', next_attempt_at: NOW }]);
  expect(queued[0]!.created_at.getTime()).toBeGreaterThan(created_at.getTime());
});

it.each([
  [30_000, ['escalated']],
  [29_999, []],
])('a reminder %d ms after the last notification was sent is queued as %j', async (after, events) => {
  const repeating = { escalation: [{ after: '0m', to: 'user', repeat: '1m' }], raised_at: before(60_000) };
  const open = alert({
    state: 'open',
    open: true,
    next_step_at: NOW,
    stepped_until: before(1),
    ...repeating,
  });
  const address = { alert_id: open._id, recipient: 'operator', channel: 'webhook' };
  const attempts = [{ at: before(after), ok: true }];
  const sent = {
    _id: 'before',
    ...address,
    event: 'raised',
    status: 'delivered',
    attempts,
  } as unknown as Delivery;
  const { outbox, queued } = outboxWith([open], [sent]);
  await outbox.escalate(NOW);
  expect(queued.map(({ event }) => event)).toEqual(events);
});

it('repeats that were due while no notifier ran for half a year are one reminder, found at once', async () => {
  const raised_at = before(180 * 24 * 60 * 60_000);
  const escalation = [
    { after: '0m', to: 'user', repeat: '1m' },
    { after: '5m', to: 'carer', repeat: '1m' },
  ];
  const stepped_until = new Date(raised_at.getTime() + 1);
  const more = { state: 'open', open: true, next_step_at: NOW, raised_at, stepped_until, escalation };
  const { outbox, queued } = outboxWith([alert(more)]);
  await outbox.escalate(NOW);
  expect(queued.map(({ event, step }) => [event, step])).toEqual([['escalated', 'escalated:0:1']]);
});

it.each([
  ['08:00:30.000', '08:01:00.000'],
  ['08:00:30.001', '08:02:00.000'],
])('a summary that is queued at %s is sent at %s, a full minute', async (queuedAt, sentAt) => {
  const { outbox, queued } = outboxWith([alert({ state: 'resolved', end_owed: 'summary' })]);
  await outbox.queueEnds(new Date(`2026-03-02T${queuedAt}Z`));
  expect(queued.map(({ next_attempt_at }) => next_attempt_at)).toEqual([new Date(`2026-03-02T${sentAt}Z`)]);
});
