import type { Line } from './report/line.js';
import { machine, print, save } from './report/results.js';
import { actions } from './lines/actions.js';
import { besideChecks } from './lines/beside-checks.js';
import { consolePages } from './lines/console.js';
import { deadlines } from './lines/deadlines.js';
import { morning } from './lines/morning.js';
import { reminders } from './lines/reminders.js';
import { overload } from './lines/overload.js';
import { overdue } from './lines/overdue.js';
import { storage } from './lines/storage.js';
import { fairShare } from './lines/fair-share.js';
import { growth } from './lines/growth.js';
import { hubBatches } from './lines/hub-batches.js';
import { loneRequest } from './lines/lone-request.js';
import { notifierMemory } from './lines/notifier-memory.js';
import { timeseries } from './lines/timeseries.js';
import { chartTimes } from './timeseries/chart-times.js';
import { singleHeartbeats } from './lines/single-heartbeats.js';
import { tracing } from './lines/tracing.js';
import { validation } from './lines/validation.js';
import { wholeMorning } from './lines/whole-morning.js';
import { LARGE_FLEET } from './fixtures/big-fleet.js';
import { BenchHarness } from './harness.js';

/** What `npm run bench` measures, in this order; a name runs one of them. */
const LINES: Record<string, (harness: BenchHarness) => Promise<Line[]>> = {
  single: singleHeartbeats,
  hub: hubBatches,
  actions,
  lone: loneRequest,
  validation,
  storage,
  overdue,
  growth,
  'notifier-memory': notifierMemory,
  deadlines,
  morning,
  'beside-checks': besideChecks,
  overload,
  'fair-share': fairShare,
};
/** Only by name: with them the whole would take over ten minutes. */
const BY_NAME: typeof LINES = {
  console: consolePages,
  timeseries,
  tracing,
  charts: chartTimes,
  reminders,
  'whole-morning': wholeMorning,
};
const ALL = { ...LINES, ...BY_NAME };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in ALL));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(ALL).join(', ')}.`);
  process.exit(2);
}
/** Bytes are the same whatever runs beside: the fleet that the lines after `storage` need is made meanwhile. */
const meanwhile = (harness: BenchHarness): unknown => names.length === 0 && harness.bigFleet(LARGE_FLEET);

const began = performance.now();
const secondsSince = (start: number): string => `${((performance.now() - start) / 1_000).toFixed(0)} s`;
const harness = await BenchHarness.start();
try {
  const lines: Line[] = [];
  for (const name of names.length > 0 ? names : Object.keys(LINES)) {
    const start = performance.now();
    const [measured] = await Promise.all([ALL[name]!(harness), name === 'storage' && meanwhile(harness)]);
    measured.forEach(print);
    console.log(`            (${name} took ${secondsSince(start)})`);
    lines.push(...measured);
  }
  save(lines, machine(harness.version));
  console.log(`all of it took ${secondsSince(began)}`);
} finally {
  await harness.stop();
}
