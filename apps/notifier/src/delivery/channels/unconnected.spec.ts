import { connect } from 'node:net';
import { isUnconnected } from './unconnected.js';

const failureOf = (host: string, port: number): Promise<unknown> =>
  new Promise((resolve) => connect({ host, port }).once('error', resolve));

it.each(['127.0.0.1', 'localhost', 'no-such-host.invalid'])(
  'a connection to %s that was not made carried nothing',
  async (host) => expect(isUnconnected(await failureOf(host, 1))).toBe(true),
);

it.each([{ code: 'UND_ERR_CONNECT_TIMEOUT' }])('%j: nothing was sent', (error) =>
  expect(isUnconnected(error)).toBe(true),
);

it.each([
  undefined,
  new Error('socket hang up'),
  new AggregateError([]),
  { code: 'ECONNRESET', syscall: 'read' },
  { code: 'UND_ERR_SOCKET' },
])('%j: something may have arrived', (error) => expect(isUnconnected(error)).toBe(false));
