import type { mongo } from 'mongoose';
import type { Scenario } from '../file/format.js';
import { DueWorkReader } from '../../harness/due-work.js';
import type { ScenarioHarness } from '../run/harness.js';
import { JobPlan } from './job-plan.js';
import { type Step, type TimedReport, Timeline } from './timeline.js';

/**
 * Advances the clock from one moment at which something happens to the next: an event of the file, or a tick of a check
 * after a deadline. At the same moment the file's events come first.
 */
export async function passTime(scenario: Scenario, harness: ScenarioHarness, db: mongo.Db): Promise<void> {
  const timeline = new Timeline(scenario);
  const plan = new JobPlan(scenario);
  const reader = new DueWorkReader(db);
  let reports: TimedReport[] = [];
  for (;;) {
    const now = harness.clock.now();
    const reported = reports.map(({ bottle }) => harness.idOf(bottle));
    const { deadlines, awaited } = await (reported.length > 0
      ? reader.readAfterReports(now, harness.answering, reported)
      : reader.read(now, harness.answering, harness.coverage));
    const jobs = harness.isNotifying ? plan.next(deadlines, now) : undefined;
    reports = timeline.takeReports(plan.calmUntil(jobs, now), ({ type, bottle, at }) =>
      type === 'report' || awaited.has(harness.idOf(bottle)) ? plan.nextCheck(at) : undefined,
    );
    const eventAt = timeline.nextAt;
    if (reports.length > 0) {
      await harness.fleet.send(reports);
      harness.clock.set(reports.at(-1)!.at);
    } else if (eventAt && !(jobs && jobs.at < eventAt)) {
      harness.clock.set(eventAt);
      await perform(timeline.take()!, harness);
    } else if (jobs && jobs.at <= scenario.end) {
      harness.clock.set(jobs.at);
      await harness.runJobs(jobs.names);
      plan.ran(jobs);
    } else {
      break;
    }
  }
  harness.clock.set(scenario.end);
}

async function perform(step: Step, harness: ScenarioHarness): Promise<void> {
  switch (step.type) {
    case 'heartbeat':
    case 'report':
      return harness.fleet.send([step]);
    case 'staff':
      return noting(step.at, harness, () => harness.perform(step.action));
    case 'press':
      return noting(step.at, harness, () => harness.press(step.press));
    case 'contact':
      return noting(step.at, harness, () => harness.staff.changeContact(step.contact));
    case 'system':
      return harness.change(step.change, step.afterCommands);
    case 'channel':
      return harness[step.channel].behave(step.behaviour);
    case 'endpoint':
      return harness.endpoints.receiverOf(step.endpoint).behave(step.behaviour);
    case 'address':
      harness.email.refuse(step.address, step.takes === 'none' ? '550 5.1.1 No such user' : undefined);
  }
}

/** That staff are refused, or find nothing, is a difference; the scenario goes on. */
async function noting(at: Date, harness: ScenarioHarness, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    harness.problems.push(`${at.toISOString()} staff: ${(error as Error).message}`);
  }
}
