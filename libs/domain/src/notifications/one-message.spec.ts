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

  it('all to one person, and of the operator what is about one alert', () => {
    const other = { alert_id: idOf(0xc1) };
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
  const [one, other] = [idOf(0xc2), idOf(0xc3)];
  const summary = (_id: string, bottle_id: Id, recipient: string): Delivery =>
    delivery('summary', { _id, alert_id: idOf(0xc4), bottle_id, recipient });
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
