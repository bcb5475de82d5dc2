import { fillIn } from './file/fill-in.js';
import type { Scenario } from './file/format.js';
import { passTime } from './time/pass-time.js';
import { compare, type Figures } from './truth/compare.js';
import { describeTold } from './truth/describe.js';
import type { ScenarioMongod } from './world/database.js';
import { World } from './world/world.js';

/** What came of a scenario. */
export interface ScenarioResult {
  /** Empty if everything agrees with the truth. */
  differences: string[];
  /** Worth knowing, and no difference: reports that were refused, events that come too late. */
  notes: string[];
  /** Every message received, in order. */
  messages: string[];
  figures: Figures;
}

/** Runs one scenario in a fresh database and compares what comes of it with its truth. */
export async function runScenario(scenario: Scenario, mongod: ScenarioMongod): Promise<ScenarioResult> {
  fillIn(scenario);
  const database = mongod.database();
  const world = await World.start(scenario, database.uri);
  try {
    await passTime(scenario, world, database.db);
    const { differences, figures } = await compare(scenario, world);
    const messages = world.log.messages.map(({ bottle_id, ...message }) =>
      describeTold({ ...message, bottle: world.keyOf(bottle_id) }),
    );
    return { differences, notes: notesOf(scenario, world), messages, figures };
  } finally {
    await world.close();
    await database.giveBack();
  }
}

function notesOf({ events, end }: Scenario, { fleet }: World): string[] {
  const beyond = events.filter(({ at }) => at > end).length;
  return [
    ...fleet.refusals.map((refusal) => `refused: ${refusal}`),
    ...(beyond > 0 ? [`${beyond} events lie after the end and did not happen`] : []),
  ];
}
