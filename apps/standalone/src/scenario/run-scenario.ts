import { fillIn } from './file/fill-in.js';
import type { Scenario } from './file/format.js';
import { JobPlan } from './time/job-plan.js';
import { type Step, Timeline } from './time/timeline.js';
import { compare } from './truth/compare.js';
import { describeTold } from './truth/describe.js';
import type { ScenarioMongod } from './world/database.js';
import { findDueWork } from './world/due-work.js';
import { World } from './world/world.js';

/** What came of a scenario. */
export interface ScenarioResult {
  /** Empty if everything agrees with the truth. */
  differences: string[];
  /** Worth knowing, and no difference: reports that device-api refused. */
  notes: string[];
  /** Every message received, in order. */
  messages: string[];
}

/** Runs one scenario in a fresh database and compares what comes of it with its truth. */
export async function runScenario(scenario: Scenario, mongod: ScenarioMongod): Promise<ScenarioResult> {
  fillIn(scenario);
  const { db, uri, drop } = mongod.database();
  const world = await World.start(scenario, uri);
  try {
    await passTime(scenario, world, () => findDueWork(db));
    const differences = await compare(scenario, world);
    const messages = world.log.messages.map(({ bottle_id, ...message }) =>
      describeTold({ ...message, bottle: world.keyOf(bottle_id) }),
    );
    return { differences, notes: world.fleet.refusals, messages };
  } finally {
    await world.close();
    await drop();
  }
}

/**
 * Lets time jump from one moment at which something happens to the next: an event of the file, or a check's
 * tick at which a deadline has passed. Of what falls together the file's events come first.
 */
async function passTime(
  scenario: Scenario,
  world: World,
  dueWork: () => ReturnType<typeof findDueWork>,
): Promise<void> {
  const timeline = new Timeline(scenario);
  const plan = new JobPlan(scenario.settings);
  for (;;) {
    const { deadlines, awaited } = await dueWork();
    const jobs = world.isNotifying ? plan.next(deadlines, world.clock.now()) : undefined;
    const beats = timeline.takeBeats(plan.calmUntil(jobs, world.clock.now()), ({ bottle }) =>
      !awaited.has(world.idOf(bottle)),
    );
    const eventAt = timeline.nextAt;
    if (beats.length > 0) {
      await world.fleet.beat(beats);
      world.clock.set(beats.at(-1)!.at);
    } else if (eventAt && !(jobs && jobs.at < eventAt)) {
      world.clock.set(eventAt);
      await happen(timeline.take()!, world);
    } else if (jobs && jobs.at <= scenario.end) {
      world.clock.set(jobs.at);
      await world.runJobs([...jobs.names, 'deliver']);
      plan.ran(jobs);
    } else {
      break;
    }
  }
  world.clock.set(scenario.end);
}

async function happen(step: Step, world: World): Promise<void> {
  switch (step.type) {
    case 'heartbeat':
      return world.fleet.beat([step]);
    case 'report':
      for (let time = 0; time < step.repeat; time += 1) {
        await world.fleet.report(step.bottle, step.report, step.at);
      }
      return;
    case 'staff':
      try {
        await world.desk.act(step.act, world.idOf(step.act.bottle));
      } catch (error) {
        world.problems.push(`${step.at.toISOString()} staff: ${(error as Error).message}`);
      }
      return;
    case 'system':
      return world.change(step.change);
    case 'channel':
      world[step.channel].behaviour = step.behaviour;
  }
}
