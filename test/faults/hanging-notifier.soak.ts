import { SystemClock } from '#platform';
import { eventually } from '../../tools/harness/eventually.js';
import { anotherRun } from './another-run.js';
import { insertOpenBottles } from './overdue.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

/** As many as the first page of a check has. */
const BOTTLES = 100;
/** The leases of 30 s run out, then there are these bottles to see to. */
const AFTER_A_LEASE_MS = 240_000;

let harness: FaultHarness;
let hanging: ServiceProcess;

beforeAll(async () => {
  harness = await FaultHarness.start();
  hanging = await harness.run('notifier');
});

afterAll(() => harness?.stop());

const now = (): Date => new SystemClock().now();
const claimed = (): Promise<number> =>
  harness.db.collection('bottle_states').countDocuments({ open_claim: { $exists: true } });

/** What device-api does to the states when all bottles are closed. */
async function closeAll(): Promise<void> {
  await harness.db.collection('bottle_states').updateMany(
    {},
    {
      $set: { 'last_action.action': 'closed', 'last_action.time': now() },
      $unset: { open: '', open_overdue_at: '', open_unchanged: '', open_inhibited: '' },
    },
  );
}

/** Everything that a notifier writes. */
async function written(): Promise<unknown[]> {
  const collections = ['alerts', 'deliveries', 'bottle_states', 'dose_outcomes'];
  return Promise.all(
    collections.map((name) => harness.db.collection(name).find().sort({ _id: 1 }).toArray()),
  );
}

it('a notifier that hangs for longer than its lease writes nothing wrong when it continues', async () => {
  // in progress: a message that the receiver has accepted without a response, ...
  harness.receiver.behaviour = 'hangs';
  await insertOpenBottles(harness.db, 1, now());
  await eventually(() => expect(harness.receiver.requests).toHaveLength(1), 120_000, 1);
  // ... and a page of bottles, claimed and not yet done with
  await insertOpenBottles(harness.db, BOTTLES, now());
  await eventually(async () => expect(await claimed()).toBe(BOTTLES), 120_000, 1);
  await hanging.holdStill();
  expect(await claimed()).toBe(BOTTLES);

  harness.receiver.behaviour = 'works';
  const other = await harness.run('notifier');
  const messages = harness.db.collection('deliveries');
  await eventually(
    async () => expect(await messages.countDocuments({ status: 'delivered' })).toBe(BOTTLES + 1),
    AFTER_A_LEASE_MS,
    250,
  );
  expect(await claimed()).toBe(0);
  // by now these bottles are closed: what the hanging notifier saw is no longer true
  await closeAll();
  await eventually(
    async () => expect(await messages.countDocuments({ status: 'delivered' })).toBe(2 * (BOTTLES + 1)),
    120_000,
    250,
  );
  await anotherRun(other);
  const before = await written();

  hanging.goOn();
  await anotherRun(hanging);
  await anotherRun(other);
  expect(await written()).toEqual(before);
  const alerts = harness.db.collection('alerts');
  expect(await alerts.countDocuments()).toBe(BOTTLES + 1);
  expect(await alerts.countDocuments({ state: 'resolved' })).toBe(BOTTLES + 1);
  expect(harness.receiver.received().sort()).toEqual([
    ...Array.from({ length: BOTTLES + 1 }, () => 'bottle_open raised'),
    ...Array.from({ length: BOTTLES + 1 }, () => 'bottle_open resolved'),
  ]);
  // only the message in progress came twice, under one id
  expect(harness.receiver.requests).toHaveLength(2 * (BOTTLES + 1) + 1);
});
