import { fillIn } from './file/fill-in.js';
import type { Scenario } from './file/format.js';
import { passTime } from './time/pass-time.js';
import { compare, type Figures } from './truth/compare.js';
import { describeMessage } from './truth/describe.js';
import type { ScenarioMongod } from './harness/database.js';
import { ScenarioHarness } from './harness/harness.js';

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
  const database = mongod.database();
  const harness = await ScenarioHarness.start(scenario, database.uri);
  try {
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
  } finally {
    await harness.close();
    await database.release();
  }
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
