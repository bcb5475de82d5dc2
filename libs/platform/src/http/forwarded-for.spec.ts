import { keepForwardedAddresses } from './forwarded-for.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1,2001:db8::1', '192.0.2.1, 2001:db8::1'],
  ['192.0.2.1:5555, [2001:db8::1]:80, [::1]', '192.0.2.1, 2001:db8::1, ::1'],
  ['<script>, 192.0.2.1', '192.0.2.1'],
  ['203.0.113.9, nonsense, 192.0.2.1', '192.0.2.1'],
  ['192.0.2.1, x', undefined],
  ['', undefined],
  ['1.2.3, 999.1.1.1', undefined],
])('keeps of %s only what is an address', (given, kept) => {
  const headers = { 'x-forwarded-for': given };
  keepForwardedAddresses(headers);
  expect(headers['x-forwarded-for']).toBe(kept);
});
