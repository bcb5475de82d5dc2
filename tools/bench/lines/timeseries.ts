import type { Line } from '../report/line.js';
import type { Stage } from '../stage/stage.js';
import { chartTimes } from '../timeseries/chart-times.js';
import { countingCost } from '../timeseries/counting-cost.js';
import { fourWays } from '../timeseries/four-ways.js';
import { preallocation } from '../timeseries/preallocation.js';

/** Lines 14 and 15: what counting costs, and how long charts take. */
export async function timeseriesCost(stage: Stage): Promise<Line[]> {
  return [...(await countingCost(stage)), ...(await chartTimes(stage))];
}

/** Lines 14 to 17: these, and what the advice of the source documents brings. */
export async function timeseries(stage: Stage): Promise<Line[]> {
  return [...(await timeseriesCost(stage)), ...(await fourWays(stage)), ...(await preallocation(stage))];
}
