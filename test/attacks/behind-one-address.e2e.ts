import { jest } from '@jest/globals';
import { ManualClock } from '#platform';
import { request } from 'undici';
import { get, heartbeat, pipelined } from './pipelined.js';
import { AttackHarness, wrongToken } from './attack-harness.js';

/** The bottles of one house, and who guesses there. */
describe('behind one address', () => {
  let harness: AttackHarness;
  const clock = new ManualClock(new Date('2026-03-02T08:00:00.000Z'));

  beforeAll(async () => {
    harness = await AttackHarness.start('one-address', {}, clock);
  });
  afterAll(() => harness.stop());

  it('every bottle is taken that no process knows yet, while others send wrong tokens', async () => {
    const bottles: string[] = [];
    for (let n = 0; n < 28; n += 1) bottles.push(await harness.bottle());
    await pipelined(
      harness.port('device'),
      Array.from({ length: 100 }, (_, n) => heartbeat(wrongToken('pwb', n))),
    );
    const guess = (n: number) => pipelined(harness.port('device'), [heartbeat(wrongToken('pwb', 1_000 + n))]);
    const statuses = await Promise.all(
      bottles.flatMap((token, n) => [guess(n), pipelined(harness.port('device'), [heartbeat(token)])]),
    );
    expect(statuses.filter((_, index) => index % 2 === 1)).toEqual(bottles.map(() => ({ 204: 1 })));
    expect(statuses.filter((_, index) => index % 2 === 0)).toEqual(bottles.map(() => ({ 429: 1 })));
  });

  it('every person and program is taken that no process knows yet, while others send wrong keys', async () => {
    const keys = [await harness.key('viewer'), await harness.key('support'), await harness.key('admin')];
    await pipelined(
      harness.port('support'),
      Array.from({ length: 100 }, (_, n) => get('/v1/fleet', wrongToken('pwk', n))),
    );
    const read = (key: string) => pipelined(harness.port('support'), [get('/v1/fleet', key)]);
    expect(await Promise.all([wrongToken('pwk', 2_000), ...keys].map(read))).toEqual([
      { 429: 1 },
      ...keys.map(() => ({ 200: 1 })),
    ]);
  });
});

it('the log says once that a proxy is not trusted', async () => {
  const lines: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((line) => lines.push(String(line)) > 0);
  const harness = await AttackHarness.start('untrusted-proxy', {}, undefined, true);
  try {
    for (const service of ['device', 'support'] as const)
      for (let times = 0; times < 2; times += 1) {
        const headers = { 'x-forwarded-for': '203.0.113.7' };
        await (await request(`${harness.url(service)}/health/live`, { headers })).body.dump();
      }
  } finally {
    await harness.stop();
    write.mockRestore();
  }
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(2);
});
