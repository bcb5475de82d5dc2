import { addressOver } from './addresses.js';

const email = 'anna@example.test';

it.each([
  ['was verified', { email_verified_at: new Date(0) }, email],
  ['waits for its verification', { email_verified_at: null }, undefined],
  // a process of the version before may write contacts while this one runs
  ['was written by a version without verification', {}, email],
])('an address that %s', (_what, verification, expected) =>
  expect(addressOver('email', { email, ...verification })).toBe(expected),
);
