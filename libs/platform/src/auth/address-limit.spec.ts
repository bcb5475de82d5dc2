import { ManualClock } from '../clock.js';
import { AddressLimit } from './address-limit.js';

it('refuses an address after too many failures, until the window ends, and no other address', () => {
  const clock = new ManualClock(new Date('2026-03-02T08:00:00Z'));
  const limit = new AddressLimit({ times: 2, seconds: 60 }, clock);
  const refused = expect.objectContaining({ code: 'too_many_failures', retryAfterSeconds: 30 });
  limit.failed({ ip: '2001:db8::1' });
  clock.advance(30_000);
  limit.admit({ ip: '2001:db8::2' });
  limit.failed({ ip: '2001:db8::2' });
  expect(() => limit.admit({ ip: '2001:db8::3' })).toThrow(refused);
  limit.admit({ ip: '2001:db8:0:1::1' });
  clock.advance(30_000);
  limit.admit({ ip: '2001:db8::3' });
  limit.failed({ ip: '2001:db8::3' });
  limit.admit({ ip: '2001:db8::3' });
});

it('refuses nobody without a limit', () => {
  const limit = new AddressLimit(undefined, new ManualClock(new Date(0)));
  for (let n = 0; n < 1_000; n += 1) limit.failed({ ip: '10.1.2.3' });
  limit.admit({ ip: '10.1.2.3' });
});
