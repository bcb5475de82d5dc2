import { ManualClock } from '../clock.js';
import { Problem } from '../http/problem.js';
import { AddressLimit } from './address-limit.js';

const START = new Date('2026-03-02T08:00:00Z');
const LIMIT = { times: 2, seconds: 60 };
const wrong = () => Promise.reject(new Problem(401, 'token_unknown', 'Unknown token.'));
const right = () => Promise.resolve('right');
const refused = expect.objectContaining({ code: 'too_many_failures' });

it('refuses an address after too many failures, until the window ends, and no other address', () => {
  const clock = new ManualClock(START);
  const limit = new AddressLimit(LIMIT, clock);
  limit.failed({ ip: '2001:db8::1' });
  clock.advance(30_000);
  limit.admit({ ip: '2001:db8::2' });
  expect(limit.failed({ ip: '2001:db8::2' })).toBeUndefined();
  expect(() => limit.admit({ ip: '2001:db8::3' })).toThrow(refused);
  expect(limit.failed({ ip: '2001:db8::3' })).toMatchObject({ retryAfterSeconds: 30 });
  limit.admit({ ip: '2001:db8:0:1::1' });
  clock.advance(30_000);
  limit.admit({ ip: '2001:db8::3' });
  limit.failed({ ip: '2001:db8::3' });
  limit.admit({ ip: '2001:db8::3' });
});

it('refuses nobody without a limit', async () => {
  const limit = new AddressLimit(undefined, new ManualClock(new Date(0)));
  for (let n = 0; n < 1_000; n += 1) limit.failed({ ip: '10.1.2.3' });
  limit.admit({ ip: '10.1.2.3' });
  expect(await limit.lookUp({ ip: '10.1.2.3' }, right)).toBe('right');
});

it('counts lookups before they are made, and takes what is right from an address over its limit', async () => {
  const limit = new AddressLimit(LIMIT, new ManualClock(START));
  const from = { ip: '192.0.2.1' };
  limit.failed(from);
  const inProgress: string[] = [];
  const ends: ((error?: Problem) => void)[] = [];
  const lookUp = (name: string) =>
    limit.lookUp(from, () => {
      inProgress.push(name);
      return new Promise<void>((resolve, reject) =>
        ends.push((error) => (error ? reject(error) : resolve())),
      );
    });
  const [first, second] = [lookUp('first'), lookUp('second')];
  await Promise.resolve();
  // one has failed, so one more may
  expect(inProgress).toEqual(['first']);
  ends[0]!(new Problem(401, 'token_unknown', 'Unknown token.'));
  await expect(first).rejects.toMatchObject({ code: 'token_unknown' });
  expect(inProgress).toEqual(['first']);
  await expect(limit.lookUp(from, wrong)).rejects.toEqual(refused);
  expect(await limit.lookUp(from, right)).toBe('right');
  ends[1]!();
  await second;
  expect(inProgress).toEqual(['first', 'second']);
});

it('lets an address without failures look up many at once', async () => {
  const limit = new AddressLimit(LIMIT, new ManualClock(START), 3);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [1, 2, 3, 4].map((n) =>
    limit.lookUp({ ip: '192.0.2.1' }, () => {
      begun.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([1, 2, 3]);
  ends[0]!();
  await all[0];
  await Promise.resolve();
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  await Promise.all(all);
});
