import { SystemClock } from '#platform';
import { eventually } from '../../tools/harness/eventually.js';
import { anotherRun } from './another-run.js';
import { insertOpenBottles } from './overdue.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { Stage } from './stage.js';

const BOTTLES = 300;
/** The leases of 30 s run out, then there are 300 bottles to see to. */
const AFTER_A_LEASE_MS = 240_000;

let stage: Stage;
let hanging: ServiceProcess;

beforeAll(async () => {
  stage = await Stage.start();
  hanging = await stage.run('notifier');
});

afterAll(() => stage?.stop());

const now = (): Date => new SystemClock().now();
const claimed = (): Promise<number> =>
  stage.db.collection('bottle_states').countDocuments({ open_claim: { $exists: true } });

/** What device-api does to the states when all bottles are closed. */
async function closeAll(): Promise<void> {
  await stage.db.collection('bottle_states').updateMany(
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
  return Promise.all(collections.map((name) => stage.db.collection(name).find().sort({ _id: 1 }).toArray()));
}

it('a notifier that hangs for longer than its lease writes nothing wrong when it goes on', async () => {
  // in hand: a message that the receiver has taken without an answer, ...
  stage.receiver.behaviour = 'hangs';
  await insertOpenBottles(stage.db, 1, now());
  await eventually(() => expect(stage.receiver.requests).toHaveLength(1), 120_000, 1);
  // ... and a page of bottles, claimed and not yet done with
  await insertOpenBottles(stage.db, BOTTLES, now());
  await eventually(async () => expect(await claimed()).toBe(BOTTLES), 120_000, 1);
  await hanging.holdStill();
  expect(await claimed()).toBe(BOTTLES);

  stage.receiver.behaviour = 'works';
  const other = await stage.run('notifier');
  const messages = stage.db.collection('deliveries');
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
  const alerts = stage.db.collection('alerts');
  expect(await alerts.countDocuments()).toBe(BOTTLES + 1);
  expect(await alerts.countDocuments({ state: 'resolved' })).toBe(BOTTLES + 1);
  expect(stage.receiver.heard().sort()).toEqual([
    ...Array.from({ length: BOTTLES + 1 }, () => 'bottle_open raised'),
    ...Array.from({ length: BOTTLES + 1 }, () => 'bottle_open resolved'),
  ]);
  // only what was in hand came twice, under one id
  expect(stage.receiver.requests).toHaveLength(2 * (BOTTLES + 1) + 1);
});
