import { FaultHarness } from './fault-harness.js';
import { expectRefused, Reporters, slowest } from './reporters.js';

const CLIENTS = 20;
/** What a refused report may take once the loss is known: less than a search for a server (2 s). Milliseconds. */
const AT_ONCE_MS = 1_500;
/** What a report may take that is on its way when the database goes. Milliseconds. */
const IN_FLIGHT_MS = 10_000;

let harness: FaultHarness;
let reporters: Reporters;

beforeAll(async () => {
  harness = await FaultHarness.start();
  reporters = await Reporters.start(harness, CLIENTS);
});

afterAll(() => harness?.stop());

it('mongod stopped: 503 at once, nothing acknowledged, not ready; all recovers when it returns', async () => {
  await reporters.untilRecovered();
  const before = await reporters.stored();
  await harness.stopDatabase();
  const first = await reporters.all();
  expectRefused(first);
  expect(slowest(first)).toBeLessThan(IN_FLIGHT_MS);
  const later = [await reporters.all(), await reporters.all(), await reporters.all()].flat();
  expectRefused(later);
  expect(slowest(later)).toBeLessThan(AT_ONCE_MS);
  expect(await reporters.device.readiness()).toBe(503);

  await harness.returnDatabase();
  expect(await reporters.stored()).toBe(before);
  await reporters.untilRecovered();
});
