import { SystemClock } from '#platform';
import { eventually } from '../../tools/harness/eventually.js';
import { anotherRun } from './another-run.js';
import { insertOpenBottles } from './overdue.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

const BOTTLES = 1_000;
const DELIVERED = 'pillwatch_deliveries_total{channel="webhook",result="delivered"}';

let harness: FaultHarness;
let notifiers: ServiceProcess[];

beforeAll(async () => {
  harness = await FaultHarness.start();
  notifiers = await Promise.all([harness.run('notifier'), harness.run('notifier')]);
});

afterAll(() => harness?.stop());

it('two notifiers at once over 1,000 overdue bottles: 1,000 alerts, 1,000 deliveries', async () => {
  const bottles = await insertOpenBottles(harness.db, BOTTLES, new SystemClock().now());
  const delivered = (): Promise<number> =>
    harness.db.collection('deliveries').countDocuments({ status: 'delivered' });
  await eventually(async () => expect(await delivered()).toBe(BOTTLES), 240_000, 250);
  // one more round of both finds nothing to do
  await Promise.all(notifiers.map(anotherRun));

  const alerts = await harness.db.collection('alerts').find().toArray();
  expect(new Set(alerts.map(({ bottle_id }) => String(bottle_id)))).toEqual(new Set(bottles.map(String)));
  expect(alerts).toHaveLength(BOTTLES);
  expect(alerts.every(({ kind, open }) => kind === 'bottle_open' && open === true)).toBe(true);
  expect(await harness.db.collection('deliveries').countDocuments()).toBe(BOTTLES);
  // not even a repeat under the same id: nobody was killed
  expect(harness.receiver.requests).toHaveLength(BOTTLES);
  expect(new Set(harness.receiver.messages.map(({ data }) => data.alert_id)).size).toBe(BOTTLES);
  const shares = await Promise.all(notifiers.map((notifier) => notifier.metric(DELIVERED)));
  expect(shares[0]! + shares[1]!).toBe(BOTTLES);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  const states = harness.db.collection('bottle_states');
  expect(await states.countDocuments({ open_alerted: true, open_unchanged: true })).toBe(BOTTLES);
  expect(await states.countDocuments({ open_claim: { $exists: true } })).toBe(0);
});
