import { DeadlinesRepository, DeliveriesRepository } from '#persistence';
import type { TestNotifier } from '../../tools/harness/services.js';
import { MINUTE, World } from './world.js';

const BOTTLES = 30;
const NOTIFIERS = 4;
/** A claim that is not compare-and-set is given twice in about every other round. */
const ROUNDS = 25;
const LEASE = 30_000;

let world: World;
let notifiers: TestNotifier[];

beforeAll(async () => {
  world = await World.start('claims');
  notifiers = await Promise.all(Array.from({ length: NOTIFIERS }, () => world.addNotifier()));
  const bottles = await world.registerMany(BOTTLES);
  await Promise.all(bottles.map((bottle) => world.action(bottle, 'opened')));
  await world.pass(5 * MINUTE);
});
afterAll(() => world?.stop());

/** Lets all claim at once, again and again: each time everything is won, by one of them. */
async function expectEachWonOnce(
  claim: (notifier: TestNotifier) => Promise<{ _id: unknown }[]>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const won = (await Promise.all(notifiers.map(claim))).flat().map(({ _id }) => String(_id));
    expect(won).toHaveLength(new Set(won).size);
    // who saw the same page as others and won none of it would look again
    expect(won).toHaveLength(BOTTLES);
    await world.pass(LEASE);
  }
}

it('overdue bottles are claimed by one notifier each', () =>
  expectEachWonOnce(async ({ app }) => {
    const repository = app.get(DeadlinesRepository);
    return (await repository.claimOverdue('open', world.clock.now(), LEASE, BOTTLES)).states;
  }));

it('messages are claimed by one notifier each', async () => {
  await world.notifier.open.run();
  await expectEachWonOnce(
    async ({ app }) =>
      (await app.get(DeliveriesRepository).claimDue('webhook', world.clock.now(), LEASE, BOTTLES)).deliveries,
  );
});

it('a release after the lease was lost changes nothing', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.pass(5 * MINUTE);
  const [hanging, other] = notifiers.map(({ app }) => app.get(DeadlinesRepository)) as [
    DeadlinesRepository,
    DeadlinesRepository,
  ];
  const mine = await hanging.claimOverdue('open', world.clock.now(), LEASE, 100);
  await world.pass(LEASE);
  await other.claimOverdue('open', world.clock.now(), LEASE, 100);
  const before = await world.state(bottle);
  const change = { set: { open_alerted: true as const }, clear: ['open_overdue_at' as const] };
  await hanging.release(
    'open',
    mine.claim,
    mine.states.map(({ _id }) => ({ id: _id, seen: {}, change, otherwise: change })),
  );
  expect(await world.state(bottle)).toEqual(before);
});
