import { fillIn } from './file/fill-in.js';
import type { Scenario } from './file/format.js';
import { passTime } from './time/pass-time.js';
import { compare, type Figures } from './truth/compare.js';
import { describeMessage } from './truth/describe.js';
import type { ScenarioMongod } from './run/database.js';
import { ScenarioHarness } from './run/harness.js';
import type { Services } from './run/services.js';

/** The result of a scenario. */
export interface ScenarioResult {
  /** Empty if everything matches the expectations. */
  differences: string[];
  /** Remarks that are no differences: refused reports, events after the end. */
  notes: string[];
  /** Every message received, in order. */
  messages: string[];
  figures: Figures;
}

/** Runs one scenario on an empty database and compares the result with its expectations. */
export async function runScenario(scenario: Scenario, mongod: ScenarioMongod): Promise<ScenarioResult> {
  fillIn(scenario);
  const services = await mongod.services(scenario);
  try {
    const harness = await ScenarioHarness.start(scenario, services);
    try {
      return await judge(scenario, harness, services);
    } finally {
      await harness.close();
    }
  } finally {
    await mongod.release(services);
  }
}

async function judge(
  scenario: Scenario,
  harness: ScenarioHarness,
  { database }: Services,
): Promise<ScenarioResult> {
  await passTime(scenario, harness, database.db);
  const { differences, figures } = await compare(scenario, harness);
  const messages = harness.log.messages.map(({ bottle_id, ...message }) =>
    describeMessage({ ...message, bottle: harness.keyOf(bottle_id) }),
  );
  return {
    differences: [...differences, ...refusalsDiffer(scenario, harness)],
    notes: notesOf(scenario, harness),
    messages,
    figures,
  };
}

function refusalsDiffer(
  { expect: { refused } }: Scenario,
  { fleet: { refusals } }: ScenarioHarness,
): string[] {
  if (refused === undefined || refused === refusals.length) return [];
  return [`${refusals.length} reports were refused instead of ${refused}`];
}

function notesOf({ events, end, expect }: Scenario, { fleet }: ScenarioHarness): string[] {
  const beyond = events.filter(({ at }) => at > end).length;
  return [
    ...(expect.refused === undefined ? fleet.refusals.map((refusal) => `refused: ${refusal}`) : []),
    ...(beyond > 0 ? [`${beyond} events are after the end and were skipped`] : []),
  ];
}
