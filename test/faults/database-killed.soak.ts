import { eventually } from '../../tools/harness/eventually.js';
import { holdStill } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';
import { type Answer, AT_ONCE_MS, expectRefused, IN_FLIGHT_MS, Reporters, slowest } from './reporters.js';

const CLIENTS = 20;

let harness: FaultHarness;
let reporters: Reporters;

beforeAll(async () => {
  harness = await FaultHarness.start();
  reporters = await Reporters.start(harness, CLIENTS);
});

afterAll(() => harness?.stop());

it('mongod killed under load: no answer but stored or 503, and only what is stored was acknowledged', async () => {
  const before = await reporters.stored();
  const answers: Answer[] = [];
  const end = new AbortController();
  const load = reporters.tokens.map(async (token) => {
    while (!end.signal.aborted) answers.push(await reporters.report(token));
  });
  await eventually(() => expect(answers.length).toBeGreaterThan(5 * CLIENTS));
  process.kill(harness.database.pid, 'SIGKILL');
  await eventually(() => expect(answers.some(({ status }) => status === 503)).toBe(true));
  await eventually(() => expect(answers.at(-1)!.status).toBe(204));
  end.abort();
  await Promise.all(load);

  expectRefused(answers.filter(({ status }) => status !== 204));
  expect(slowest(answers)).toBeLessThan(IN_FLIGHT_MS);
  const stored = answers.filter(({ status }) => status === 204).length;
  // a report that was refused may have reached the log all the same, as with any lost answer; none is missing
  const found = (await reporters.stored()) - before;
  expect(found).toBeGreaterThanOrEqual(stored);
});

it('mongod hangs: reports are refused, nothing waits for it for long, and it is well when it goes on', async () => {
  await reporters.untilRecovered();
  const { pid } = harness.database;
  try {
    await holdStill(pid);
    const first = await reporters.all();
    expectRefused(first);
    expect(slowest(first)).toBeLessThan(IN_FLIGHT_MS);
    const later = await reporters.all();
    expectRefused(later);
    expect(slowest(later)).toBeLessThan(AT_ONCE_MS);
    expect(await reporters.device.readiness()).toBe(503);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await reporters.untilRecovered();
});
