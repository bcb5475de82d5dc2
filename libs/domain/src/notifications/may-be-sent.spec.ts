import type { NotificationEvent } from '#domain';
import { type Alert, type Attempt, type Delivery, mayHaveArrived } from '#persistence';
import { Types } from 'mongoose';
import { chainsOf } from './order.js';
import { recheck } from './recheck.js';
import { OPERATOR } from './recipients.js';

const NOW = new Date('2026-03-02T08:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const ALERT = new Types.ObjectId();
const CLAIM = { token: 'of some notifier', until: at(20) };
const NO_ANSWER: Attempt = { at: at(-60), ok: false, error: 'no answer in time' };
const REFUSED: Attempt = { at: at(-60), ok: false, error: 'ECONNREFUSED', unsent: true };

function delivery(event: NotificationEvent, more: Partial<Delivery> = {}): Delivery {
  return {
    _id: `${event} ${more.recipient ?? ''}`,
    alert_id: ALERT,
    kind: 'bottle_open',
    event,
    recipient: 'user:anna',
    channel: 'webhook',
    status: 'pending',
    attempts: [],
    next_attempt_at: NOW,
    created_at: event === 'raised' ? at(-100) : event === 'escalated' ? at(-80) : at(-50),
    ...more,
  } as Delivery;
}

const open = { _id: ALERT, kind: 'bottle_open', state: 'open', open: true } as Alert;
const evidence = { rule: 'any', outcome: 'missed' };
const ended = { _id: ALERT, kind: 'bottle_open', state: 'resolved', evidence } as unknown as Alert;

const check = (one: Delivery, others: Delivery[], alert = ended): unknown =>
  recheck(one, {
    alert,
    ofAlert: [...others, one],
    naming: [],
    gaps: [],
    gatheringOf: () => undefined,
    details: undefined,
    replacement: undefined,
    incidents: [],
    now: NOW,
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
    expect(check(resolved, [raised, missed])).toEqual(waits(30));
    // one that waits for hours may be brought forward
    expect(check(resolved, [raised, { ...missed, next_attempt_at: at(7_200) }])).toEqual(waits(60));
    const retracted = delivery('retracted');
    expect(check(retracted, [raised, missed], { ...ended, state: 'retracted' })).toBe(sent);
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

it('an attempt without a result may have arrived; one without a connection did not', () => {
  const results = [NO_ANSWER, REFUSED].map((attempt) =>
    mayHaveArrived(delivery('raised', { attempts: [attempt] })),
  );
  expect(results).toEqual([true, false]);
});

describe('what is sent one after the other', () => {
  const shown = (deliveries: Delivery[], digests = false): string[][] =>
    chainsOf(deliveries, digests).map((chain) =>
      chain.map((group) => group.map(({ event }) => event).join('+')),
    );

  it('all to one person, and of the operator what is about one alert', () => {
    const other = { alert_id: new Types.ObjectId() };
    const operator = { recipient: OPERATOR };
    expect(shown([delivery('raised'), delivery('raised', other)])).toEqual([['raised', 'raised']]);
    expect(
      shown([
        delivery('raised', operator),
        delivery('resolved', operator),
        delivery('raised', { ...operator, ...other }),
      ]),
    ).toEqual([['raised', 'resolved'], ['raised']]);
  });

  it('in the order of the alert, whatever the order of the page', () => {
    const created_at = NOW;
    const page = (['resolved', 'escalated', 'raised'] as const).map((event) =>
      delivery(event, { created_at }),
    );
    expect(shown(page)).toEqual([['raised', 'escalated', 'resolved']]);
    expect(shown(page, true)).toEqual([['raised+escalated+resolved']]);
  });
});

it('the summary of doses is one message to a person, and to the operator one of each bottle', () => {
  const [one, other] = [new Types.ObjectId(), new Types.ObjectId()];
  const summary = (_id: string, bottle_id: Types.ObjectId, recipient: string): Delivery =>
    delivery('summary', { _id, alert_id: new Types.ObjectId(), bottle_id, recipient });
  const of = (recipient: string): string[][][] =>
    chainsOf(
      [summary('a', one, recipient), summary('b', one, recipient), summary('c', other, recipient)],
      false,
    ).map((chain) => chain.map((group) => group.map(({ _id }) => _id)));
  expect(of('user:anna')).toEqual([[['a', 'b', 'c']]]);
  expect(of(OPERATOR)).toEqual([[['a', 'b']], [['c']]]);
});

it('what was added to a summary after an attempt is a message of its own: the receiver may have the id already', () => {
  const part = (_id: string, attempts: Attempt[]): Delivery => delivery('summary', { _id, attempts });
  const page = [part('a', [NO_ANSWER]), part('b', []), part('c', [NO_ANSWER])];
  const [chain] = chainsOf(page, false).map((groups) => groups.map((group) => group.map(({ _id }) => _id)));
  expect(chain).toEqual([['a', 'c'], ['b']]);
});
