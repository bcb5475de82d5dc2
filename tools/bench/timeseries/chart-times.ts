import { DAY_MS } from '#domain';
import { atMost, type Line } from '../report/line.js';
import { percentile, spread } from '../report/rounds.js';
import type { BenchHarness } from '../harness.js';
import { twoMonths, WATCHED } from './two-months.js';

const ADMIN_TOKEN = 'bench-admin-token-0123456789-0123456789';
const ROUNDS = 100;
/** Asked before it is measured: the server's code is compiled, and the database has written what it was filled with. */
const WARM_UP = 100;

/** Line 15: how long a chart takes whoever asks, with two months of data. */
export async function chartTimes(harness: BenchHarness): Promise<Line[]> {
  const db = harness.newDatabase('charts');
  await twoMonths(harness, db);
  await db.admin().command({ fsync: 1 });
  const server = await harness.supportApi(db, { ADMIN_TOKEN });
  const times: Record<string, number[]> = {};
  for (const [name, path] of Object.entries(charts(new Date()))) {
    times[name] = [];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const start = performance.now();
      const response = await fetch(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      });
      const { columns, total } = (await response.json()) as {
        columns?: (number | null)[][];
        total?: { doses: number };
      };
      if (round >= 0) times[name].push(performance.now() - start);
      const drawn = columns?.slice(1).some((column) => column.some((value) => value !== null && value > 0));
      if (!drawn && !total?.doses) throw new Error(`${name}: ${response.status}, an empty chart`);
    }
  }
  await server.stop();
  await db.dropDatabase();
  const p95 = (all: number[]): number =>
    percentile(
      all.sort((one, other) => one - other),
      0.95,
    );
  const all = Object.entries(times).map(([name, each]) => [name, p95(each)] as const);
  return [
    {
      ...atMost(
        15,
        'a chart over HTTP with two months of data, p95',
        20,
        spread(all.map(([, ms]) => ms)),
        'ms',
      ),
      met: all.every(([, ms]) => ms < 20),
      figures: Object.fromEntries(all.map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])),
    },
  ];
}

/** Every kind of chart, at every zoom. */
function charts(now: Date): Record<string, string> {
  const ago = (days: number): string => `from=${new Date(now.getTime() - days * DAY_MS).toISOString()}`;
  const fleet = '/v1/fleet/charts?series=reports';
  const bottle = `/v1/bottles/${WATCHED.toHexString()}/charts?series=battery`;
  return {
    'fleet, 5 minutes by the second': '/v1/fleet/charts?series=live',
    'fleet, 8 hours by the minute': `${fleet}&step=1m&${ago(1 / 3)}`,
    'fleet, 40 hours by 5 minutes': `${fleet}&step=5m&${ago(5 / 3)}`,
    'fleet, 20 days by the hour': `${fleet}&step=1h&${ago(20)}`,
    'fleet, 47 days by 3 hours': `${fleet}&step=3h&${ago(47)}`,
    'fleet, 60 days by the day': `${fleet}&step=1d&${ago(60)}`,
    'bottle, 8 minutes by the second': `${bottle}&step=1s&${ago(1 / 180)}`,
    'bottle, a day': `${bottle}&${ago(1)}`,
    'bottle, 14 days': `${bottle}&${ago(14)}`,
    'bottle, 47 days': `${bottle}&${ago(47)}`,
    'heat map, 60 days': '/v1/fleet/heatmap?medication=Cordrazine',
  };
}
