import type { Line } from '../report/line.js';
import type { BenchHarness } from '../harness.js';
import { chartTimes } from '../timeseries/chart-times.js';
import { fourWays } from '../timeseries/four-ways.js';
import { preallocation } from '../timeseries/preallocation.js';

/** Lines 15 to 17: how long charts take, and what the advice of the source documents brings. */
export async function timeseries(harness: BenchHarness): Promise<Line[]> {
  return [...(await chartTimes(harness)), ...(await fourWays(harness)), ...(await preallocation(harness))];
}
