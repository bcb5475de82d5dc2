import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../random.js';
import { missingFromLog } from '../harness/persistent-bottle.js';
import type { ServiceProcess } from '../harness/service-process.js';
import {
  alertsWithoutCause,
  compare,
  type Comparison,
  expectedWhenClosedInTime,
  longestBackoff,
  notRaised,
  outOfOrder,
  pendingWork,
} from './expectations.js';
import type { Content } from './journal.js';
import { Killer, type SkewableService } from './killer.js';
import { MachineClock } from '../harness/machine-clock.js';
import { Bottles } from './bottles.js';
import { Contacts } from './contacts.js';
import { type EndpointFaults, type Expectation, NO_ENDPOINTS, VerifyingEndpoints } from './endpoints.js';
import { KillRunHarness } from './harness.js';

/** Between the starts of two bottles, at least and at most. Milliseconds. */
const [SOONEST_MS, LATEST_MS] = [300, 1_200];
/** How long registering a bottle may take before the other support-api is asked. Milliseconds. */
const REGISTERED_WITHIN_MS = 3_000;
/** Longer than the third backoff of a delivery, and than two leases. Milliseconds. */
const SETTLED_WITHIN_MS = 240_000;
/** How long after its time a delivery may take, a lease and another attempt included. Milliseconds. */
const ATTEMPTED_WITHIN_MS = 60_000;
/** At most so long, whatever deliveries wait for. Milliseconds. */
const SETTLED_AT_LATEST_MS = 900_000;
const POLL_MS = 500;

export interface KillRunOptions {
  /** How many kills, pauses and wrong clocks. */
  kills: number;
  /** The same seed gives the same bottles, and nearly the same faults. */
  seed: number;
  /** With endpoints of webhooks that admins added, and contacts that nobody changes: all goes to the webhook. */
  endpoints?: boolean;
  /** Called after each kill. */
  progress?: (done: number) => void;
}

/** The result; nothing was lost if the lists are empty. */
export interface KillRunResult extends Comparison, EndpointFaults {
  /** How many messages the added endpoints got, each once. */
  atEndpoints: number;
  /** How often each was done, by `KIND VICTIM`. */
  done: Readonly<Record<string, number>>;
  /** How many kills and pauses found an unanswered message, and how many were postponed to spare one. */
  whileUnanswered: number;
  postponed: number;
  /** How often contacts were changed, by what they were changed to. */
  contactsChanged: Readonly<Record<string, number>>;
  bottles: number;
  /** How many messages came again under their id. */
  repeated: number;
  /** Ends that were received before their start. */
  outOfOrder: Content[];
  /** Starts that are expected, and of which there is no alert. */
  notRaised: Content[];
  alertsWithoutCause: Content[];
  acknowledged: number;
  /** Ids of acknowledged reports that the log does not hold. */
  notLogged: string[];
  /** What the notifiers had still to do when the time to settle was over. */
  notSettled: string[];
  killingMs: number;
  settlingMs: number;
}

/**
 * Kills (`kill -9`) and pauses at random two processes of each service, the receiver and the members of a replica set of
 * three, and sets the services' machine clocks wrong, while bottles are opened and closed, go silent and return, and the
 * contacts of their users change. Then it waits until everything has settled, and compares the received notifications,
 * over whatever channel, with the expected ones.
 */
export async function killRun(options: KillRunOptions): Promise<KillRunResult> {
  const harness = await KillRunHarness.start();
  try {
    return await runOn(harness, options);
  } finally {
    await harness.stop();
  }
}

async function runOn(
  harness: KillRunHarness,
  { kills, seed, progress, endpoints: hasEndpoints = false }: KillRunOptions,
): Promise<KillRunResult> {
  const { db, journal } = harness;
  const services = await startServices(harness);
  const named = (name: string): ServiceProcess[] =>
    services.filter((service) => service.name === name).map(({ process }) => process);
  const notifiers = named('notifier');
  const acknowledged = new Set<string>();
  const endpoints = hasEndpoints ? await VerifyingEndpoints.add(named('support-api')[0]!.url) : undefined;
  const bottles = new Bottles({
    targets: named('device-api').map(({ url }) => url),
    received: (content) => Promise.all([journal.until(content), endpoints?.until(content)]),
    random: new Random('bottles', seed),
    acknowledged: (id) => void acknowledged.add(id),
  });
  const killer = new Killer(harness, services, new Random('kills', seed));
  const contacts = new Contacts(named('support-api'), new Random('contacts', seed));

  const began = performance.now();
  const enough = new AbortController();
  const adding = keepAdding(
    (bottle, user) => {
      if (!hasEndpoints) contacts.add(user);
      bottles.add(bottle);
    },
    harness,
    named('support-api'),
    new Random('starts', seed),
    enough.signal,
  );
  const changing = contacts.keepChanging(enough.signal);
  try {
    for (let done = 1; done <= kills; done += 1) {
      await killer.strike();
      progress?.(done);
    }
  } finally {
    enough.abort();
    await Promise.all([adding, changing]);
  }
  const killed = performance.now();
  await killer.allRestarted();
  const notSettled = await settled(harness, bottles);
  const settledAt = performance.now();
  // an orderly stop: deliveries that were answered are marked, and nothing more is sent
  await Promise.all(notifiers.map((notifier) => notifier.end('SIGTERM')));
  await bottles.stop();
  if (bottles.failures.length > 0) throw new AggregateError(bottles.failures, 'bottles failed');

  await Promise.all(services.map(({ clock }) => clock.remove()));
  const { received, repeated } = journal;
  const expectedAt = async (at: typeof received): Promise<Expectation> => {
    const closedInTime = await expectedWhenClosedInTime(db, bottles.closedInTime, at);
    const mayCome = [
      ...closedInTime.allowed,
      ...bottles.closedInTime.map((id) => `${id} bottle_open raised`),
    ];
    return {
      expected: new Set([...bottles.expected, ...closedInTime.expected]),
      allowed: new Map(mayCome.map((content) => [content, 1] as const)),
    };
  };
  const { expected, allowed } = await expectedAt(received);
  endpoints?.stop();
  return {
    ...compare(expected, received, allowed),
    ...((await endpoints?.faults(expectedAt)) ?? NO_ENDPOINTS),
    atEndpoints: endpoints?.delivered ?? 0,
    done: killer.done,
    whileUnanswered: killer.whileUnanswered,
    postponed: killer.postponed,
    contactsChanged: contacts.done,
    bottles: bottles.count,
    repeated,
    outOfOrder: outOfOrder(received),
    notRaised: await notRaised(db, bottles.expected),
    alertsWithoutCause: await alertsWithoutCause(db, bottles.expected, allowed),
    acknowledged: acknowledged.size,
    notLogged: await missingFromLog(db, acknowledged),
    notSettled,
    killingMs: killed - began,
    settlingMs: settledAt - killed,
  };
}

/** Two of each, each with a machine clock of its own. */
async function startServices(harness: KillRunHarness): Promise<SkewableService[]> {
  const names = ['support-api', 'device-api', 'notifier'] as const;
  return Promise.all(
    [...names, ...names].map(async (name) => {
      const clock = await MachineClock.create();
      return { name, clock, process: await harness.run(name, clock.env) };
    }),
  );
}

/** Registers one bottle after the other, each with a user of its own, until `enough` aborts. */
async function keepAdding(
  add: (bottle: { id: string; token: string }, user: string) => void,
  harness: KillRunHarness,
  supports: readonly ServiceProcess[],
  random: Random,
  enough: AbortSignal,
): Promise<void> {
  for (let count = 1; !enough.aborted; count += 1) {
    const user = `u-${count}`;
    // support-api refuses while there is no primary, and does not answer while it is paused: try again
    const registered = await Promise.race([
      harness.register(random.pick(supports), 1, { user_id: user }).catch(() => []),
      sleep(REGISTERED_WITHIN_MS, []),
    ]);
    for (const bottle of registered) add(bottle, user);
    await sleep(random.between(SOONEST_MS, LATEST_MS));
  }
}

/**
 * Waits until all is settled. A delivery whose attempts were often cut off by kills waits for its backoff, which may be
 * longer than everything else takes.
 *
 * @returns the pending work when the time to settle is over; empty when all is settled
 */
async function settled({ db }: KillRunHarness, bottles: Bottles): Promise<string[]> {
  const began = performance.now();
  let until = began + SETTLED_WITHIN_MS;
  for (;;) {
    const waiting = bottles.unfinished > 0 ? [`bottles ${bottles.unfinished}`] : [];
    const left = [...waiting, ...(await pendingWork(db))];
    if (left.length === 0 || performance.now() > until) return left;
    const backoff = await longestBackoff(db);
    if (backoff > 0) {
      const attempted = performance.now() + backoff + ATTEMPTED_WITHIN_MS;
      until = Math.min(Math.max(until, attempted), began + SETTLED_AT_LATEST_MS);
    }
    await sleep(POLL_MS);
  }
}
