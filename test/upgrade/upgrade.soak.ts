/* oxlint-disable no-console -- what was not tried must be seen */
import { SystemClock } from '#platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../tools/harness/eventually.js';
import { missingFromLog } from '../../tools/harness/persistent-bottle.js';
import { compare } from '../../tools/kill-runs/expectations.js';
import { BuiltRelease, isAvailable, lastRelease } from './last-release.js';
import { UpgradeLoad } from './load.js';
import { type Place, UpgradeHarness } from './upgrade-harness.js';

/** A dose is missed at most so long after its bottle was registered, on a slow machine. Milliseconds. */
const RECEIVED_WITHIN_MS = 240_000;
/** How long each mixture of versions works at least. Milliseconds. */
const TOGETHER_MS = 1_000;
const READ = ['/v1/fleet', '/v1/alerts', '/v1/bottles', '/v1/deliveries', '/v1/audit'];

it('the last release and this version side by side, forward, back and forward: nothing is lost', async () => {
  const release = await lastRelease();
  if (!(await isAvailable(release.commit)))
    return console.warn(
      `NOT TRIED: upgrading from ${release.version}, as git does not have its commit ${release.commit} here`,
    );
  const built = await BuiltRelease.build(release);
  const harness = await UpgradeHarness.start(built.folder).catch(async (error: unknown) => {
    await built.remove();
    throw error;
  });
  try {
    await upgradeUnderLoad(harness, built.folder);
  } finally {
    await harness.stop();
    await built.remove();
  }
});

async function upgradeUnderLoad(harness: UpgradeHarness, release: string): Promise<void> {
  const { faults, places } = harness;
  const acknowledged = new Set<string>();
  const clock = new SystemClock();
  const load = startLoad(harness, acknowledged);
  const replaceAll = async (inOrder: readonly Place[], by: string | undefined): Promise<void> => {
    for (const place of inOrder) {
      await harness.replace(place, by);
      await load.add();
      for (const support of harness.placesOf('support-api'))
        for (const path of READ) await harness.staff(support, 'GET', path);
      await sleep(TOGETHER_MS);
    }
  };

  await load.add();
  await load.addDoses(clock.now());
  await harness.admin('migrate');
  await replaceAll(places, undefined);
  await load.addDoses(clock.now());
  await replaceAll(places.toReversed(), release);
  await load.addDoses(clock.now());
  await replaceAll(places, undefined);
  // what is not received is in the comparison
  await load.finish().catch(() => undefined);
  await load.stop();

  expect(compare(load.expected, harness.received())).toMatchObject({
    lost: [],
    duplicated: [],
    unexpected: [],
  });
  expect(faults.receiver.requests).toHaveLength(faults.receiver.messages.length);
  expect(await missingFromLog(faults.db, acknowledged)).toEqual([]);
  const logs = ['bottle_actions', 'bottle_heartbeats'].map((name) => faults.db.collection(name));
  const stored = await Promise.all(logs.map((log) => log.countDocuments()));
  expect(stored[0]! + stored[1]!).toBe(acknowledged.size);
  expect(faults.errors).toEqual([]);

  // whoever was registered by either version is found, and what either wrote into the audit is in its chain
  const support = harness.placesOf('support-api')[0]!;
  for (const userId of load.people) {
    const { people } = await harness.staff<{ people: { user_id: string }[] }>(
      support,
      'GET',
      `/v1/search?q=${userId}`,
    );
    expect(people.map(({ user_id }) => user_id)).toContain(userId);
  }
  await harness.admin('audit', 'verify');
  // both versions counted for the charts at once
  await harness.admin('timeseries', 'rebuild');
  await harness.admin('timeseries', 'verify');
}

function startLoad(harness: UpgradeHarness, acknowledged: Set<string>): UpgradeLoad {
  let turn = 0;
  const nextSupport = (): Place => harness.placesOf('support-api')[(turn += 1) % 2]!;
  return new UpgradeLoad({
    targets: harness.placesOf('device-api').map(({ process }) => process.url),
    register: async (more) => (await harness.faults.register(nextSupport().process, 1, more))[0]!,
    addPerson: async (userId, email) => {
      const support = nextSupport();
      // the last release knows no verified addresses
      const verified = support.release === undefined ? { email_verified: true } : {};
      await harness.staff(support, 'PUT', `/v1/contacts/${userId}`, { email, ...verified });
    },
    received: (content) =>
      eventually(
        () => {
          if (!harness.received().has(content)) throw new Error(`${content} was not received`);
        },
        RECEIVED_WITHIN_MS,
        100,
      ),
    acknowledged: (id) => void acknowledged.add(id),
  });
}
