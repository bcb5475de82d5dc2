import type { mongo } from 'mongoose';
import type { Scenario } from '../file/format.js';
import { findDueWork } from '../world/due-work.js';
import type { World } from '../world/world.js';
import { JobPlan } from './job-plan.js';
import { type Step, Timeline } from './timeline.js';

/**
 * Lets time jump from one moment at which something happens to the next: an event of the file, or a check's
 * tick at which a deadline has passed. Of what falls together the file's events come first.
 */
export async function passTime(scenario: Scenario, world: World, db: mongo.Db): Promise<void> {
  const timeline = new Timeline(scenario);
  const plan = new JobPlan(scenario);
  for (;;) {
    const { deadlines, awaited } = await findDueWork(db);
    const jobs = world.isNotifying ? plan.next(deadlines, world.clock.now()) : undefined;
    const words = timeline.takeWords(plan.calmUntil(jobs, world.clock.now()), ({ type, bottle, at }) =>
      type === 'report' || awaited.has(world.idOf(bottle)) ? plan.nextLook(at) : undefined,
    );
    const eventAt = timeline.nextAt;
    if (words.length > 0) {
      await world.fleet.say(words);
      world.clock.set(words.at(-1)!.at);
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
    case 'report':
      return world.fleet.say([step]);
    case 'staff':
      try {
        await world.desk.act(step.act, world.idOf(step.act.bottle));
      } catch (error) {
        world.problems.push(`${step.at.toISOString()} staff: ${(error as Error).message}`);
      }
      return;
    case 'system':
      return world.change(step.change, step.afterCommands);
    case 'channel':
      world[step.channel].behaviour = step.behaviour;
  }
}
