/* oxlint-disable no-console -- the figures of the table in docs/security.md */
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { Other, type Served } from './others.js';
import { get, heartbeat, pipelined, type Statuses } from './pipelined.js';
import { AttackHarness, wrongToken } from './attack-harness.js';

const REQUESTS = 2_000;
/** On many connections. */
const MANY = 4_000;
/** Each takes as long as a page. */
const LISTS = 2_000;
/** As many requests of one caller wait at most. */
const CONNECTIONS = 200;
const QUIET_MS = 5_000;
/** What a busy machine may add to a response. Milliseconds. */
const NOISE_MS = 25;

/** So often is measured at most: what other programs do to a measure of milliseconds is no fault of ours. */
const MEASURES = 3;

const WHO = ['heartbeats', 'pages'] as const;
type Measured = Record<(typeof WHO)[number], Served>;

describe('a flood', () => {
  let harness: AttackHarness;
  let bottle: string;
  let viewer: string;

  async function start(): Promise<void> {
    // a minute ends in the middle of an attack on a slow machine
    const settings = { DEVICE_RATE_LIMIT: 'off', WRONG_TOKEN_LIMIT: '60/h' };
    harness = await AttackHarness.start('floods', settings);
    for (let n = 0; n < 30; n += 1) bottle = await harness.bottle();
    viewer = await harness.key('viewer');
  }
  afterEach(() => harness.stop());

  /** What a bottle and a person get meanwhile. */
  async function during<T>(attack: () => Promise<T>): Promise<[T, Measured]> {
    const heartbeats = new Other('POST', `${harness.url('device')}/v1/heartbeats`, bottle, 5);
    const pages = new Other('GET', `${harness.url('support')}/v1/bottles?limit=10`, ADMIN_TOKEN, 5);
    const result = await attack();
    return [result, { heartbeats: await heartbeats.end(), pages: await pages.end() }];
  }

  /**
   * The attack has these responses and nobody else is refused, however often it is measured. Nobody waits three
   * times as long.
   */
  async function withstand(attack: () => Promise<Statuses>, expected: Statuses): Promise<void> {
    for (let measure = 1; ; measure += 1) {
      await start();
      await during(() => pause(QUIET_MS / 5));
      const [, quiet] = await during(() => pause(QUIET_MS));
      const [statuses, attacked] = await during(attack);
      expect(statuses).toEqual(expected);
      for (const who of WHO) expect(attacked[who].failures).toEqual([]);
      for (const who of WHO)
        console.log(
          `${expect.getState().currentTestName}\n${who}: ${figures(quiet[who])} -> ${figures(attacked[who])}`,
        );
      const slow = WHO.filter((who) => attacked[who].p99 >= 3 * quiet[who].p99 + NOISE_MS);
      if (measure === MEASURES) expect(slow).toEqual([]);
      if (slow.length === 0) return;
      // with new services, which know no wrong tokens yet
      await harness.stop();
    }
  }

  const figures = ({ requests, p50, p99 }: Served): string =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${requests}`;

  const heads = (count: number, make: (n: number) => string): string[] =>
    Array.from({ length: count }, (_, n) => make(n));

  /** The same requests on many connections at once. */
  async function onConnections(service: 'device' | 'support', all: readonly string[]): Promise<Statuses> {
    const each = all.length / CONNECTIONS;
    const parts = heads(CONNECTIONS, String).map((_, n) => all.slice(n * each, (n + 1) * each));
    const statuses: Statuses = {};
    for (const some of await Promise.all(parts.map((part) => pipelined(harness.port(service), part))))
      for (const [status, count] of Object.entries(some)) statuses[status] = (statuses[status] ?? 0) + count;
    return statuses;
  }

  it('of wrong tokens at support-api has its limit, and stops nobody', async () => {
    const wrong = heads(REQUESTS, (n) => get('/v1/bottles', wrongToken('pwk', n)));
    await withstand(() => pipelined(harness.port('support'), wrong), { 401: 60, 429: 1_940 });
  });

  it('of wrong tokens at device-api has its limit, and stops nobody', async () => {
    const wrong = heads(REQUESTS, (n) => heartbeat(wrongToken('pwb', n)));
    await withstand(() => pipelined(harness.port('device'), wrong), { 401: 60, 429: 1_940 });
  });

  it('of wrong tokens on many connections has its limit, and stops nobody', async () => {
    const wrong = heads(MANY, (n) => heartbeat(wrongToken('pwb', n)));
    await withstand(() => onConnections('device', wrong), { 401: 60, 429: MANY - 60 });
  });

  it('of lists that a viewer may read has its turn, and stops nobody', async () => {
    const lists = (): string[] => heads(LISTS, () => get('/v1/bottles?limit=10', viewer));
    await withstand(() => pipelined(harness.port('support'), lists()), { 200: LISTS });
  });

  it('of lists on many connections has its turn, and stops nobody', async () => {
    const lists = (): string[] => heads(LISTS, () => get('/v1/bottles?limit=10', viewer));
    await withstand(() => onConnections('support', lists()), { 200: LISTS });
  });
});
