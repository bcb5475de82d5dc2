import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../simulator/random.js';
import { missingFromLog } from '../harness/persistent-bottle.js';
import type { ServiceProcess } from '../harness/service-process.js';
import { type Accounts, balance, owedInAHurry, stillToDo, strayAlerts } from './accounts.js';
import type { Said } from './journal.js';
import { Killer, type Victim } from './killer.js';
import { Lives } from './lives.js';
import { Stage } from './stage.js';

/** Between the beginnings of two bottles' lives, at least and at most. Milliseconds. */
const [SOONEST_MS, LATEST_MS] = [100, 500];
/** More than the third wait of a delivery, and more than two leases. Milliseconds. */
const SETTLED_WITHIN_MS = 240_000;
const POLL_MS = 500;

export interface KillRunOptions {
  kills: number;
  /** The same seed kills the same things in the same order, and bottles live alike. */
  seed: number;
  /** Told of each kill. */
  progress?: (done: number, victims: Readonly<Record<Victim, number>>) => void;
}

/** What came of it; nothing was lost if the lists are empty. */
export interface KillRunResult extends Accounts {
  kills: Readonly<Record<Victim, number>>;
  /** How many kills found a message in hand, and how many were put off to spare one. */
  whileInHand: number;
  putOff: number;
  bottles: number;
  /** How often a message came again under its id. */
  repeated: number;
  strayAlerts: Said[];
  acknowledged: number;
  /** Ids of acknowledged reports that the log does not hold. */
  notLogged: string[];
  /** What the notifiers had still to do when patience ended. */
  notSettled: string[];
  killingMs: number;
  settlingMs: number;
}

/**
 * `kill -9`, at random, of two notifiers, of the receiver and of the primary of a set of three, while bottles
 * open, are closed, fall silent and speak again. Then all is left alone until it has settled, and what was heard
 * is held against what is owed.
 */
export async function killRun(options: KillRunOptions): Promise<KillRunResult> {
  const stage = await Stage.start();
  try {
    return await runOn(stage, options);
  } finally {
    await stage.stop();
  }
}

async function runOn(stage: Stage, { kills, seed, progress }: KillRunOptions): Promise<KillRunResult> {
  const { db, journal } = stage;
  const [support, device, ...notifiers] = await Promise.all([
    stage.run('support-api'),
    stage.run('device-api'),
    stage.run('notifier'),
    stage.run('notifier'),
  ]);
  const acknowledged = new Set<string>();
  const lives = new Lives({
    target: device.url,
    journal,
    random: new Random('lives', seed),
    acknowledged: (id) => void acknowledged.add(id),
  });
  const killer = new Killer(stage, notifiers, new Random('kills', seed));

  const began = performance.now();
  const enough = new AbortController();
  const beginning = keepBeginning(lives, stage, support, new Random('beginnings', seed), enough.signal);
  try {
    for (let done = 1; done <= kills; done += 1) {
      await killer.kill();
      progress?.(done, killer.kills);
    }
  } finally {
    enough.abort();
    await beginning;
  }
  const killed = performance.now();
  await killer.allBack();
  const notSettled = await settled(stage, lives);
  const settledAt = performance.now();
  // in order: what the receiver has taken is marked, and nothing more is sent
  await Promise.all(notifiers.map((notifier) => notifier.end('SIGTERM')));
  await lives.leave();
  if (lives.failures.length > 0) throw new AggregateError(lives.failures, 'bottles could not go on');

  const { heard, repeated } = journal;
  const inAHurry = await owedInAHurry(db, lives.hurried, heard);
  return {
    ...balance(new Set([...lives.owed, ...inAHurry.owed]), heard, new Set(inAHurry.allowed)),
    kills: killer.kills,
    whileInHand: killer.whileInHand,
    putOff: killer.putOff,
    bottles: lives.count,
    repeated,
    strayAlerts: await strayAlerts(db, lives.owed, lives.hurried),
    acknowledged: acknowledged.size,
    notLogged: await missingFromLog(db, acknowledged),
    notSettled,
    killingMs: killed - began,
    settlingMs: settledAt - killed,
  };
}

/** One bottle after the other, until it is enough. */
async function keepBeginning(
  lives: Lives,
  stage: Stage,
  support: ServiceProcess,
  random: Random,
  enough: AbortSignal,
): Promise<void> {
  while (!enough.aborted) {
    // while there is no primary, support-api refuses: the operator tries again
    const registered = await stage.register(support, 1).catch(() => []);
    for (const bottle of registered) lives.begin(bottle);
    await sleep(random.between(SOONEST_MS, LATEST_MS));
  }
}

/** @returns what is left to be done when patience ends; nothing when all is settled. */
async function settled({ db }: Stage, lives: Lives): Promise<string[]> {
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const waiting = lives.unfinished > 0 ? [`bottles ${lives.unfinished}`] : [];
    const left = [...waiting, ...(await stillToDo(db))];
    if (left.length === 0 || performance.now() > until) return left;
    await sleep(POLL_MS);
  }
}
