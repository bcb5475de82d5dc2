import { browserIn } from './browser.js';

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const ENDPOINT = 'https://push.example.net/send/1';

it('is what a browser posts', () => {
  expect(browserIn({ endpoint: ENDPOINT, ...KEYS }, false)).toEqual({ endpoint: ENDPOINT, ...KEYS });
});

it.each([
  ['no address', { endpoint: '' }],
  ['no TLS', { endpoint: 'http://push.example.net/send/1' }],
  ['a port', { endpoint: 'https://push.example.net:8443/send/1' }],
  ['a password', { endpoint: 'https://a:b@push.example.net/send/1' }],
  ['another protocol', { endpoint: 'file:///etc/passwd' }],
  ['a long address', { endpoint: `${ENDPOINT}${'x'.repeat(1_000)}` }],
  ['a key that is short', { p256dh: KEYS.p256dh.slice(4) }],
  ['a key that is not on the curve', { p256dh: `B${'A'.repeat(86)}` }],
  ['a secret that is short', { auth: 'BTBZ' }],
  ['a secret in another alphabet', { auth: 'BTBZMqHH6r4Tts7J/aSIgg' }],
])('is not one with %s', (_what, fields) =>
  expect(browserIn({ endpoint: ENDPOINT, ...KEYS, ...fields }, false)).toBeUndefined(),
);

it.each([
  ['http://127.0.0.1:4711/1', true],
  ['https://push.lan:8443/1', true],
  ['ftp://push.lan/1', false],
])('in a private network, at %s: %s', (endpoint, isOne) =>
  expect(browserIn({ endpoint, ...KEYS }, true) !== undefined).toBe(isOne),
);
