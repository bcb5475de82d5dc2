import type { Alert } from '../alerts/alert.js';
import { sampleAlert } from '../alerts/testing.js';
import type { DoseOutcome } from '../doses/judge.js';
import type { Delivery } from './delivery.js';
import { recheck } from './may-be-sent.js';
import type { StateAtSending } from './unchecked.js';
import { ALERT, at, BOTTLE, delivery, NO_ANSWER, NOW, REFUSED } from './testing.js';

const CLAIM = { token: 'of some notifier', until: at(20) };

const open = sampleAlert('bottle_open', { _id: ALERT, bottle_id: BOTTLE, raised_at: at(-100) });
const endedAs = (outcome: DoseOutcome): Alert => {
  const { open: _open, ...closed } = sampleAlert('missed_dose', {
    _id: ALERT,
    bottle_id: BOTTLE,
    evidence: { outcome },
  });
  return { ...closed, state: 'resolved' };
};

const anna = { details: { time_zone: 'UTC' }, channels: ['webhook', 'email'] };

const check = (
  one: Delivery,
  others: Delivery[],
  alert: Alert = endedAs(one.event === 'missed' ? 'missed' : 'taken_late'),
  state?: StateAtSending,
  now = NOW,
  person = anna,
): unknown =>
  recheck(one, {
    alert,
    notifications: new Map([[ALERT.toHexString(), [...others, one]]]),
    listing: [],
    ofUnconfirmedDoses: [],
    knownDoses: { outcomes: [], statements: new Map() },
    gaps: [],
    gathering: { bottles: [], queued: [] },
    addressees: {
      user: { id: 'anna', person },
      carers: new Map([['carer', anna]]),
      operator: ['webhook'],
    },
    incidents: [],
    state,
    now,
  });

const sent = undefined;
const cancelled = { kind: 'cancelled', reason: 'the recipient was not notified of the alert' };
const waits = (seconds: number): object =>
  expect.objectContaining({ kind: 'postponed', next_attempt_at: at(seconds) }) as object;

describe('an end', () => {
  const resolved = delivery('resolved');

  it.each<[string, Partial<Delivery>, unknown]>([
    ['arrived', { status: 'delivered' }, sent],
    ['had no answer', { attempts: [NO_ANSWER] }, sent],
    ['had no answer and was then refused', { attempts: [NO_ANSWER, { ...REFUSED, status: 500 }] }, sent],
    ['had no answer before staff sent it again', { status: 'dead', earlier_attempts: [NO_ANSWER] }, sent],
    ['could not be connected to the receiver', { attempts: [REFUSED] }, cancelled],
    ['was answered with an error', { attempts: [{ at: NOW, ok: false, status: 500 }] }, cancelled],
    ['was never attempted', {}, cancelled],
    [
      'was claimed by a notifier that was killed before it began',
      { claim: { ...CLAIM, until: NOW } },
      cancelled,
    ],
    ['is being sent', { claim: CLAIM }, waits(1)],
    ['had no answer and is being sent again', { attempts: [NO_ANSWER], claim: CLAIM }, waits(1)],
  ])('whose start %s', (_what, start, result) =>
    expect(check(resolved, [delivery('raised', start)])).toEqual(result),
  );

  it.each(['missed', 'partial', 'unknown'] as const)('is no all clear once the dose is %s', (outcome) =>
    expect(check(resolved, [delivery('raised', { status: 'delivered' })], endedAs(outcome))).toEqual({
      kind: 'cancelled',
      reason: 'what is known of the dose changed meanwhile',
    }),
  );

  it('does not wait for what was claimed with it: that has had its turn', () => {
    const start = delivery('raised', { attempts: [NO_ANSWER], claim: CLAIM });
    expect(check({ ...resolved, claim: CLAIM }, [start])).toBe(sent);
  });

  it('asks about its own recipient and channel only', () => {
    const others = [
      delivery('raised', { status: 'delivered', recipient: 'carer:anna' }),
      delivery('raised', { status: 'delivered', channel: 'email' }),
    ];
    expect(check(resolved, others)).toEqual(cancelled);
  });

  it('waits for an earlier end that is still true, and for none that is not', () => {
    const missed = delivery('missed', { created_at: at(-70), attempts: [REFUSED], next_attempt_at: at(30) });
    const raised = delivery('raised', { status: 'delivered' });
    const summary = delivery('summary');
    expect(check(summary, [raised, missed], endedAs('missed'))).toEqual(waits(30));
    // one that waits for hours may be brought forward
    const hoursLater = { ...missed, next_attempt_at: at(7_200) };
    expect(check(summary, [raised, hoursLater], endedAs('missed'))).toEqual(waits(60));
    expect(check(resolved, [raised, missed])).toBe(sent);
    const retracted = delivery('retracted');
    expect(check(retracted, [raised, missed], { ...endedAs('taken_late'), state: 'retracted' })).toBe(sent);
  });
});

it('"missed" needs no start, and still waits while an earlier one is being sent', () => {
  const missed = delivery('missed');
  expect(check(missed, [delivery('raised', { attempts: [REFUSED] })])).toBe(sent);
  expect(check(missed, [delivery('raised', { claim: CLAIM })])).toEqual(waits(1));
});

it('a reminder does not overtake the first notification', () => {
  const escalated = delivery('escalated');
  expect(check(escalated, [delivery('raised', { claim: CLAIM })], open)).toEqual(waits(1));
  expect(check(escalated, [delivery('raised', { status: 'delivered' })], open)).toBe(sent);
  expect(check(escalated, [delivery('resolved')], open)).toBe(sent);
});

it.each([
  [
    'not sent where nothing was sent, while the other takes what it ends',
    ['webhook', 'webhook:a'],
    cancelled,
  ],
  ['sent to the others once that is deleted', ['webhook'], sent],
])('an end whose start moved to another endpoint is %s', (_what, channels, result) => {
  const moved_from = [{ recipient: 'user:anna', channel: 'email' }];
  const start = delivery('raised', { channel: 'webhook:a', status: 'delivered', moved_from });
  const person = { ...anna, channels };
  expect(check(delivery('resolved', { moved_from }), [start], undefined, undefined, NOW, person)).toEqual(
    result,
  );
});

it('an end that moves to endpoints is sent to those that were notified', () => {
  const moved_from = [{ recipient: 'user:anna', channel: 'email' }];
  const starts = ['email', 'webhook'].map((channel) =>
    delivery('raised', { _id: channel, channel, status: 'delivered' }),
  );
  const person = { ...anna, channels: ['webhook', 'webhook:a'] };
  const checkAt = (channel: string): unknown =>
    check(delivery('resolved', { channel, moved_from }), starts, undefined, undefined, NOW, person);
  expect(checkAt('webhook')).toBe(sent);
  expect(checkAt('webhook:a')).toEqual(cancelled);
});

it('an end whose start moved to staff is not sent to an endpoint beside them', () => {
  const moved_from = [{ recipient: 'user:anna', channel: 'email' }];
  const start = delivery('raised', {
    recipient: 'staff:a1',
    channel: 'push',
    status: 'delivered',
    moved_from,
  });
  const end = delivery('resolved', { channel: 'webhook:a', moved_from });
  expect(check(end, [start], undefined, undefined, NOW, { ...anna, channels: ['webhook:a'] })).toEqual(
    cancelled,
  );
});

it('an end of what moved to an endpoint is sent there, though staff were notified, too', () => {
  const moved_from = [{ recipient: 'user:anna', channel: 'email' }];
  const start = delivery('raised', { _id: 'email', channel: 'email', status: 'delivered' });
  const toStaff = delivery('raised', {
    _id: 'staff',
    recipient: 'staff:a1',
    channel: 'push',
    status: 'delivered',
  });
  const end = delivery('resolved', { channel: 'webhook:a', moved_from });
  const person = { ...anna, channels: ['webhook:a'] };
  expect(check(end, [start, toStaff], undefined, undefined, NOW, person)).toBe(sent);
});

it('an end that an endpoint was sent last is not sent there again, whatever another one was sent since', () => {
  const moved_from = [{ recipient: 'user:anna', channel: 'email' }];
  const before = (event: 'missed' | 'unknown', channel: string, second: number): Delivery =>
    delivery(event, {
      _id: `${event} ${channel}`,
      step: `${event} ${second}`,
      channel,
      status: 'delivered',
      created_at: at(second),
      moved_from,
    });
  const sentBefore = [before('missed', 'webhook', 1), before('missed', 'webhook:a', 1)];
  const again = delivery('missed', { step: 'missed 3', channel: 'webhook:a', created_at: at(3), moved_from });
  const person = { ...anna, channels: ['webhook', 'webhook:a'] };
  const checkAfter = (since: Delivery[]): unknown =>
    check(again, [...sentBefore, ...since], endedAs('missed'), undefined, NOW, person);
  const known = { kind: 'cancelled', reason: 'the recipient was notified of the same before' };
  expect(checkAfter([before('unknown', 'webhook', 2)])).toEqual(known);
  expect(checkAfter([before('unknown', 'webhook:a', 2)])).toBe(sent);
});

describe('what moves to another person', () => {
  const JONAS = 'carer.jonas:anna';
  const start = delivery('raised', { recipient: 'carer.kay:anna', channel: 'email' });
  const notified = (channel: string, more: Partial<Delivery> = {}) =>
    delivery('raised', { _id: channel, channel, status: 'delivered', ...more });
  const to = (...channels: string[]) => {
    const [first, ...also] = channels.map((channel) => ({ recipient: 'user:anna', channel }));
    return { kind: 'moved', to: first, also, at: NOW };
  };
  const known = { kind: 'cancelled', reason: 'the same goes to another address' };

  it.each<[string, Delivery[], unknown]>([
    ['goes over every channel of theirs', [], to('webhook', 'email')],
    ['not where they were notified of the alert', [notified('webhook')], to('email')],
    ['nowhere if they were notified over each', [notified('webhook'), notified('email')], known],
    [
      'waits while the same is still to be sent',
      [notified('webhook'), notified('email', { status: 'pending' })],
      waits(60),
    ],
  ])('%s', (_what, others, result) => expect(check(start, others, open)).toEqual(result));

  it('is not known to them because it was sent to a former one at another address', () => {
    const moved_from = [{ recipient: start.recipient, channel: start.channel }];
    const waiting = { ...start, recipient: JONAS, moved_from };
    const other = notified('sms', { recipient: JONAS, moved_from });
    expect(check(waiting, [other], open)).toEqual(to('webhook', 'email'));
  });

  it('is the same at each address: none of them knows it by another', () => {
    const moved_from = [{ recipient: start.recipient, channel: start.channel }];
    const before = notified('sms', { recipient: JONAS, moved_from });
    const [mail, webhook] = ['email', 'webhook'].map((channel) =>
      delivery('reported_taken', { _id: channel, channel, moved_from }),
    );
    const stated = endedAs('taken_late');
    const alert = {
      ...stated,
      evidence: { ...stated.evidence, reported: { settled: 'taken' } },
    } as unknown as Alert;
    expect(check(mail!, [before, { ...webhook!, status: 'delivered' }], alert)).toBe(sent);
  });
});

describe('a reminder of a dose', () => {
  // due at 08:00, late at 09:00
  const reminder = sampleAlert('dose_reminder', { _id: ALERT, bottle_id: BOTTLE, raised_at: NOW });
  const one = delivery('raised', { kind: 'dose_reminder', created_at: NOW });

  it('is sent until the dose is late (excluded)', () => {
    expect(check(one, [], reminder, undefined, at(3_599))).toBe(sent);
    expect(check(one, [], reminder, undefined, at(3_600))).toEqual({
      kind: 'cancelled',
      reason: 'the dose was late before it was sent',
    });
  });

  it('goes to another address of its user, and to nobody else', () => {
    const elsewhere = check({ ...one, channel: 'sms' }, [], reminder);
    expect(elsewhere).toMatchObject({ kind: 'moved', to: { recipient: 'user:anna' } });
    const unreached = { ...anna, channels: [] };
    expect(check(one, [], reminder, undefined, NOW, unreached)).toEqual({
      kind: 'cancelled',
      reason: 'the user cannot be reached, and a reminder goes to nobody else',
    });
  });
});

describe('of a bottle that is not in use', () => {
  const notInUse: StateAtSending = { life: 'retired' };
  const arrived = [delivery('raised', { status: 'delivered' })];

  it.each(['raised', 'escalated', 'missed', 'partial', 'summary', 'unconfirmed', 'unknown'] as const)(
    'what alarms is cancelled: %s',
    (event) =>
      expect(
        check(delivery(event), arrived, event === 'raised' ? open : endedAs('missed'), notInUse),
      ).toEqual({
        kind: 'cancelled',
        reason: 'the bottle is no longer in use',
      }),
  );

  it('what says that something is over is sent', () =>
    expect(check(delivery('resolved'), arrived, endedAs('taken_late'), notInUse)).toBe(sent));
});
