import type { Fault } from '../fault.js';

const ADDRESSES = 'libs/platform/src/auth/address-limit.ts';

/** Who gets in, how often, and how far. */
export const DOORS: readonly Fault[] = [
  {
    name: 'a person with carers and addresses is not found by a name and a medication',
    file: 'libs/persistence/src/search/tokens.ts',
    find: 'const all = [...new Set([...own, ...namesFirst(besides)])];',
    replace: 'const all = [...new Set([...own, ...namesFirst(besides)])].slice(0, MOST_TOKENS);',
    caughtBy: ['libs/persistence/src/search/tokens.spec.ts'],
  },
  {
    name: 'a lookup is counted only when it has failed',
    file: ADDRESSES,
    find: 'return failed + pending < times ||',
    replace: 'return failed < times ||',
    caughtBy: ['libs/platform/src/auth/address-limit.spec.ts'],
  },
  {
    name: 'a right token is refused at an address over its limit',
    file: ADDRESSES,
    find: 'attempts.failed >= limit.times && request.raw && isPipelined(request.raw)',
    replace: 'attempts.failed >= limit.times',
    caughtBy: ['libs/platform/src/auth/address-limit.spec.ts'],
  },
  {
    name: 'all requests of a connection begin at once',
    file: 'libs/platform/src/http/one-at-a-time.ts',
    find: 'if (!state.isBusy && state.waiting.length === 0) return begin',
    replace: 'if (state.waiting.length === 0) return begin',
    caughtBy: ['libs/platform/src/http/one-at-a-time.spec.ts'],
  },
  {
    name: 'a caller of whom many wait has as many at once as before',
    file: 'libs/platform/src/http/turns.ts',
    find: 'if (own.inProgress > 0) return;',
    replace: '',
    caughtBy: ['libs/platform/src/http/turns.spec.ts'],
  },
  {
    name: 'a link goes on working with something behind its token',
    file: 'libs/platform/src/auth/signed-link.ts',
    find: 'if (parts.length !== 3) return undefined;',
    replace: '',
    caughtBy: ['libs/platform/src/auth/signed-link.spec.ts'],
  },
  {
    name: 'an apostrophe ends the attribute that it stands in',
    file: 'libs/platform/src/http/markup.ts',
    find: '/[&<>"\'`]/g',
    replace: '/[&<>"]/g',
    caughtBy: ['libs/platform/src/http/markup.spec.ts'],
  },
  {
    name: 'a field that is added to an audit entry is not seen',
    file: 'libs/persistence/src/audit/audit-chain.ts',
    find: 'else if (added.length > 0)',
    replace: 'else if (added.length < 0)',
    caughtBy: ['libs/persistence/src/audit/audit-chain.spec.ts'],
  },
  {
    name: 'a removed head of the audit is nothing to report',
    file: 'libs/persistence/src/audit/audit-chain.ts',
    find: 'return seq === 0 ? []',
    replace: 'return seq >= 0 ? []',
    caughtBy: ['libs/persistence/src/audit/audit-chain.spec.ts'],
  },
  {
    name: 'a key of role admin changes accounts',
    file: 'apps/support-api/src/auth/sensitive.ts',
    find: 'id !== FIRST_ADMIN.id',
    replace: "id === ''",
    caughtBy: [
      'test/attacks/stolen-session.e2e.ts: a key that was made with it cannot touch accounts or make keys, and ends with the password',
    ],
  },
];
