import { FaultHarness } from './fault-harness.js';
import { AT_ONCE_MS, expectRefused, IN_FLIGHT_MS, Reporters, slowest } from './reporters.js';

const CLIENTS = 20;

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
  // once a minute, not for each of some hundred requests
  const logged = reporters.device.lines.filter((line) => line.includes('database_unavailable'));
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.length).toBeLessThan(5);
  await reporters.untilRecovered();
});
