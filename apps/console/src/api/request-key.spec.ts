import { RequestKeys } from './request-key.js';

it('is the same for a repeated request, and another after a change or a success', () => {
  const keys = new RequestKeys();
  const first = keys.keyFor({ text: 'a' });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.keyFor({ text: 'a' })).toBe(first);
  const changed = keys.keyFor({ text: 'b' });
  expect(changed).not.toBe(first);
  keys.saved();
  expect(keys.keyFor({ text: 'b' })).not.toBe(changed);
});
