import type { EscalationStep } from './escalation.js';
import { OPERATOR, type Person } from './persons.js';
import type { Addressees } from './recipients.js';
import { destinationsOf } from './stand-ins.js';
import { delivery, NO_ANSWER, REFUSED } from './testing.js';

const details = { time_zone: 'UTC' };
const reachedOver = (...channels: string[]): Addressees => ({
  user: { id: 'anna', person: { details, channels } },
  carers: new Map([['carer', { details, channels: ['email'] }]]),
  operator: ['webhook'],
});
const PLAN: EscalationStep[] = [
  { after: '0m', to: 'user' },
  { after: '30m', to: 'carer' },
];

describe('what waits at whoever stands for a person', () => {
  const atCarer = { recipient: 'carer:anna', channel: 'email' };
  const standIn = { ...atCarer, stands_for: 'user:anna' };
  const moved = { ...atCarer, moved_from: [{ recipient: 'user:anna', channel: 'sms' }] };
  const reached = reachedOver('email', 'sms');
  const back = {
    to: ['email', 'sms'].map((channel) => ({ recipient: 'user:anna', channel })),
    returns: true,
  };
  const stays = { to: [] };

  it.each<[string, object, Person[], Addressees, object]>([
    ['goes to that person', standIn, ['user'], reached, back],
    ['goes back to where it moved from', moved, ['user'], reached, back],
    ['goes there if it was refused here', { ...standIn, attempts: [REFUSED] }, ['user'], reached, back],
    ['stays if it may have arrived', { ...standIn, attempts: [NO_ANSWER] }, ['user'], reached, stays],
    ['stays while nobody reaches them', standIn, ['user'], reachedOver(), stays],
    ['stays if it is theirs, too', standIn, ['user', 'carer'], reached, stays],
    [
      'goes from the operator',
      { ...standIn, recipient: OPERATOR, channel: 'webhook' },
      ['user'],
      reached,
      back,
    ],
    ['stays if it is theirs alone', atCarer, ['user'], reached, stays],
  ])('%s', (_, of, named, people, expected) =>
    expect(destinationsOf(delivery('raised', of), PLAN, named, people)).toEqual(expected),
  );
});
