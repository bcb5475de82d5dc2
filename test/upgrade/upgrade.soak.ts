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

const release = await lastRelease();

// in steps, so that one that fails says which it was
describe('the last release and this version side by side, under load', () => {
  const acknowledged = new Set<string>();
  const clock = new SystemClock();
  let built: BuiltRelease;
  let harness: UpgradeHarness;
  let load: UpgradeLoad;

  const replaceAll = async (inOrder: readonly Place[], by: string | undefined): Promise<void> => {
    for (const place of inOrder) {
      await harness.replace(place, by);
      await load.add();
      for (const support of harness.placesOf('support-api'))
        for (const path of READ) await harness.staff(support, 'GET', path);
      await sleep(TOGETHER_MS);
    }
    await load.addDoses(clock.now());
  };

  // to leave it out would prove nothing
  beforeAll(async () => {
    const { version, commit } = release;
    if (!(await isAvailable(commit)))
      throw new Error(
        `git does not have ${commit}, the commit of ${version}: fetch the whole history (git fetch --unshallow)`,
      );
  });

  afterAll(async () => {
    await load?.stop();
    await harness?.stop();
    await built?.remove();
  });

  it('builds and starts the last release', async () => {
    built = await BuiltRelease.build(release);
    harness = await UpgradeHarness.start(built.folder);
    load = startLoad(harness, acknowledged);
    await load.add();
    await load.addDoses(clock.now());
  });

  it('migrates while the last release works', async () => {
    await harness.admin('migrate');
  });

  it('replaces one process after the other by this version', async () => {
    await replaceAll(harness.places, undefined);
  });

  it('goes back to the last release', async () => {
    await replaceAll(harness.places.toReversed(), built.folder);
  });

  it('goes forward again', async () => {
    await replaceAll(harness.places, undefined);
  });

  it('has delivered every notification once', async () => {
    const { receiver } = harness.faults;
    await load.finish();
    const silences = load.allowedSilences;
    await load.stop();
    expect(compare(load.expected, harness.received(), silences)).toMatchObject({
      lost: [],
      duplicated: [],
      unexpected: [],
    });
    expect(receiver.requests).toHaveLength(receiver.messages.length);
  });

  it('has stored every acknowledged report once', async () => {
    const { db, errors } = harness.faults;
    expect(await missingFromLog(db, acknowledged)).toEqual([]);
    const logs = ['bottle_actions', 'bottle_heartbeats'].map((name) => db.collection(name));
    const stored = await Promise.all(logs.map((log) => log.countDocuments()));
    expect(stored[0]! + stored[1]!).toBe(acknowledged.size);
    expect(errors).toEqual([]);
  });

  it('finds whoever was registered by either version', async () => {
    const support = harness.placesOf('support-api')[0]!;
    for (const userId of load.people) {
      const { people } = await harness.staff<{ people: { user_id: string }[] }>(
        support,
        'GET',
        `/v1/search?q=${userId}`,
      );
      expect(people.map(({ user_id }) => user_id)).toContain(userId);
    }
  });

  it('has what either version wrote into the audit in its chain', async () => {
    await harness.admin('audit', 'verify');
  });

  it('counts for the charts again what both versions counted at once', async () => {
    // the services still run: what they have just written may not be rolled up yet
    const succeeds = (task: string) =>
      eventually(() => harness.admin('timeseries', task), RECEIVED_WITHIN_MS, 1_000);
    await succeeds('rebuild');
    await succeeds('verify');
  });
});

function startLoad(harness: UpgradeHarness, acknowledged: Set<string>): UpgradeLoad {
  let turn = 0;
  const nextSupport = (): Place => harness.placesOf('support-api')[(turn += 1) % 2]!;
  return new UpgradeLoad({
    targets: harness.placesOf('device-api').map(({ process }) => process.url),
    register: async (more) => (await harness.faults.register(nextSupport().process, 1, more))[0]!,
    addPerson: async (userId, email) => {
      // the last release takes an address that is not verified, and sends nothing to it
      await harness.staff(nextSupport(), 'PUT', `/v1/contacts/${userId}`, { email, email_verified: true });
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
