import type { Id } from '../bottle-state/bottle-state.js';
import { idOf } from '../bottle-state/testing.js';
import type { Attempt, Delivery } from './delivery.js';
import { chainsOf } from './one-message.js';
import { OPERATOR } from './persons.js';
import { delivery, NO_ANSWER, NOW } from './testing.js';

describe('what is sent one after the other', () => {
  const shown = (deliveries: Delivery[], digests = false): string[][] =>
    chainsOf(deliveries, digests).map((chain) =>
      chain.map((group) => group.map(({ event }) => event).join('+')),
    );

  it.each([OPERATOR, 'staff:a1'])('all to one person, and of %s what is about one alert', (recipient) => {
    const other = { alert_id: idOf(0xc1) };
    expect(shown([delivery('raised'), delivery('raised', other)])).toEqual([['raised', 'raised']]);
    expect(
      shown([
        delivery('raised', { recipient }),
        delivery('resolved', { recipient }),
        delivery('raised', { recipient, ...other }),
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

it('the summary of doses is one message to a person, and to the operator and staff one of each bottle', () => {
  const [one, other] = [idOf(0xc2), idOf(0xc3)];
  const summary = (_id: string, bottle_id: Id, recipient: string): Delivery =>
    delivery('summary', { _id, alert_id: idOf(0xc4), bottle_id, recipient });
  const of = (recipient: string): string[][][] =>
    chainsOf(
      [summary('a', one, recipient), summary('b', one, recipient), summary('c', other, recipient)],
      false,
    ).map((chain) => chain.map((group) => group.map(({ _id }) => _id)));
  expect(of('user:anna')).toEqual([[['a', 'b', 'c']]]);
  for (const recipient of [OPERATOR, 'staff:a1']) expect(of(recipient)).toEqual([[['a', 'b']], [['c']]]);
  const two = [summary('a', one, 'staff:a1'), summary('b', one, 'staff:a2')];
  expect(chainsOf(two, false)).toHaveLength(2);
});

it('what was added to a summary after an attempt is a message of its own: the receiver may have the id already', () => {
  const part = (_id: string, attempts: Attempt[]): Delivery => delivery('summary', { _id, attempts });
  const page = [part('a', [NO_ANSWER]), part('b', []), part('c', [NO_ANSWER])];
  const [chain] = chainsOf(page, false).map((groups) => groups.map((group) => group.map(({ _id }) => _id)));
  expect(chain).toEqual([['a', 'c'], ['b']]);
});
