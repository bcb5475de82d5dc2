import type { Line } from '../report/line.js';
import type { BenchHarness } from '../harness.js';
import { chartTimes } from '../timeseries/chart-times.js';
import { countingCost } from '../timeseries/counting-cost.js';
import { fourWays } from '../timeseries/four-ways.js';
import { preallocation } from '../timeseries/preallocation.js';

/** Lines 14 and 15: what counting costs, and how long charts take. */
export async function timeseriesCost(harness: BenchHarness): Promise<Line[]> {
  return [...(await countingCost(harness)), ...(await chartTimes(harness))];
}

/** Lines 14 to 17: these, and what the advice of the source documents brings. */
export async function timeseries(harness: BenchHarness): Promise<Line[]> {
  return [
    ...(await timeseriesCost(harness)),
    ...(await fourWays(harness)),
    ...(await preallocation(harness)),
  ];
}
