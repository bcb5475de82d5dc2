import {
  endpointFails,
  endWithoutStart,
  movedToAll,
  programChannels,
  whileHeld,
  withoutUnwanted,
} from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import type { NotificationEvent } from './notification-events.js';
import { addressedTo } from './owed.js';
import { delivery } from './testing.js';

const FIRST: Endpoint = { channel: 'webhook' };
const DOSES: Endpoint = { channel: 'webhook:a', kinds: ['missed_dose'] };
const STARTS: Endpoint = { channel: 'webhook:b', events: ['alert.raised'] };
const at = (hours: number): Date => new Date(Date.UTC(2026, 2, 2) + hours * 3_600_000);

describe('programChannels', () => {
  const held = (endpoint: Endpoint): Endpoint => ({ ...endpoint, hold: 'paused' });

  it.each<[string, Endpoint[], string[], string[]]>([
    ['the output stands in for all', [], ['console'], ['console']],
    ['each that wants the kind', [FIRST, DOSES, STARTS], ['webhook', 'webhook:b'], ['webhook', 'webhook:b']],
    [
      'one that is paused waits with the others',
      [FIRST, held(STARTS)],
      ['webhook', 'webhook:b'],
      ['webhook', 'webhook:b'],
    ],
    ['if all wait it is printed, too, and nobody is reached', [held(STARTS)], ['webhook:b', 'console'], []],
    ['if none wants it it is printed, and nobody is reached', [DOSES], ['console'], []],
  ])('%s', (_what, endpoints, operator, people) =>
    expect(programChannels('bottle_open', endpoints)).toEqual({ operator, people }),
  );
});

describe('events that an endpoint does not want', () => {
  const reminder = (recipient: string, channel: string) =>
    addressedTo(delivery('escalated', { step: 'escalated:1:0' }), { recipient, channel });

  it('are left out there', () =>
    expect(
      withoutUnwanted(
        ['webhook', 'webhook:b'].map((channel) => reminder('operator', channel)),
        [FIRST, STARTS],
      ).map(({ channel }) => channel),
    ).toEqual(['webhook']));

  it('are printed if nobody else gets them', () =>
    expect(
      withoutUnwanted([reminder('operator', 'webhook:b'), reminder('user:anna', 'webhook:b')], [STARTS]).map(
        ({ recipient, channel }) => [recipient, channel],
      ),
    ).toEqual([['operator', 'console']]));

  it('are not printed for a person who gets them elsewhere', () =>
    expect(
      withoutUnwanted([reminder('user:anna', 'webhook:b'), reminder('user:anna', 'email')], [STARTS]).map(
        ({ channel }) => channel,
      ),
    ).toEqual(['email']));

  it('are not printed for whoever gets the end as a correction', () => {
    const corrected = delivery('corrected', { recipient: 'operator', channel: 'webhook' });
    const partial = delivery('partial', { recipient: 'operator', channel: 'webhook:b' });
    expect(withoutUnwanted([corrected, partial], [FIRST, STARTS])).toEqual([corrected]);
    expect(withoutUnwanted([partial], [FIRST, STARTS]).map(({ channel }) => channel)).toEqual(['console']);
  });

  it('are refused if they are ends without their start', () => {
    expect(endWithoutStart(['alert.missed', 'alert.resolved'])).toBe('alert.resolved');
    expect(endWithoutStart(['alert.raised', 'alert.resolved'])).toBeUndefined();
    expect(endWithoutStart(['alert.missed', 'alert.escalated', 'addresses.refused'])).toBeUndefined();
  });
});

it('what moves to an endpoint goes to all that want it, under an id for each', () => {
  const moving = addressedTo(delivery('escalated', { step: 'escalated:1:0' }), {
    recipient: 'user:anna',
    channel: 'email',
  });
  const to = ['webhook', 'webhook:a', 'webhook:b'].map((channel) => ({ recipient: 'operator', channel }));
  const moved = movedToAll(moving, to, [FIRST, DOSES, STARTS], at(1));
  expect(moved.to).toEqual({ recipient: 'operator', channel: 'webhook' });
  expect(moved.copies).toMatchObject([
    {
      recipient: 'operator',
      channel: 'webhook:a',
      step: 'escalated:1:0',
      status: 'pending',
      next_attempt_at: at(1),
    },
  ]);
  expect(moved.copies[0]!._id).not.toBe(moving._id);
  expect(movedToAll(moving, to.slice(2), [STARTS], at(1)).to).toEqual({
    recipient: 'operator',
    channel: 'console',
  });
});

describe('what is owed to a paused endpoint', () => {
  const paused: Endpoint = { ...STARTS, hold: 'paused' };
  const waiting = {
    kind: 'postponed',
    next_attempt_at: new Date(at(0).getTime() + 600_000),
    reason: 'the endpoint is paused',
  };
  const held = (event: NotificationEvent, endpoints: Endpoint[], recipient = 'operator') =>
    whileHeld(
      delivery(event, { recipient, channel: 'webhook:b' }),
      { evidence: { rule: 'late' } },
      'paused',
      endpoints,
      at(0),
    );

  it('waits without an attempt', () => {
    expect(held('raised', [FIRST, paused])).toEqual(waiting);
    expect(held('raised', [paused], 'user:anna')).toEqual(waiting);
  });

  it.each<[NotificationEvent, Endpoint[], object]>([
    ['raised', [paused], {}],
    ['raised', [DOSES, paused], {}],
    ['missed', [{ ...STARTS, channel: 'webhook:c' }, paused], {}],
    ['resolved', [paused], { moved_from: [{ recipient: 'operator', channel: 'webhook:b' }] }],
  ])(
    'is printed meanwhile, if it is for the operator and no other endpoint takes it: %s, %j',
    (event, endpoints, from) => {
      const { copies } = held(event, endpoints) as { copies: object[] };
      const printed = addressedTo(delivery(event), { recipient: 'operator', channel: 'console' });
      expect(copies).toEqual([{ ...printed, next_attempt_at: at(0), ...from }]);
    },
  );
});

describe('an endpoint that fails', () => {
  const failing = { failing_since: at(0) };
  const noticed = (hours: number) => ({ ...failing, noticed_at: at(hours) });

  it.each<[string, Parameters<typeof endpointFails>[0], number, string | undefined]>([
    ['works', {}, 999, undefined],
    ['for less than 4 days', failing, 95.99, undefined],
    ['for 4 days', failing, 96, 'notice'],
    ['for less than 5 days', noticed(96), 119.99, undefined],
    ['for 5 days', noticed(96), 120, 'disable'],
    ['for 9 days, without a notice before', failing, 216, 'notice'],
    ['for 9 days, less than a day after the notice', noticed(200), 216, undefined],
    ['and is paused', { ...noticed(96), hold: 'paused' }, 120, undefined],
  ])('%s', (_what, endpoint, hours, follows) => expect(endpointFails(endpoint, at(hours))).toBe(follows));
});
