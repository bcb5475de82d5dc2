import type { ExpectedMessage, Scenario, Truth } from '../file/format.js';
import type { World } from '../world/world.js';
import { matchOneToOne } from './matching.js';
import { describeExpected, describeTold, type ToldMessage } from './describe.js';

/** How a scenario compares with its truth. */
export interface Comparison {
  /** One text a difference; none if all agree. */
  differences: string[];
  figures: Figures;
}

/** Numbers of messages, and of doses compared. */
export interface Figures {
  expected: number;
  heard: number;
  /** Received again under an id that was known: a receiver drops them. */
  repeats: number;
  not_raised: number;
  /** With `only`: heard, and not expected. Being told twice is one too. */
  false_alarms: number;
  outcomes: number;
}

/** Compares what came of a scenario with its truth. */
export async function compare(scenario: Scenario, world: World): Promise<Comparison> {
  const { expect } = scenario;
  const told = world.log.messages.map(({ bottle_id, ...message }) => ({
    ...message,
    bottle: world.keyOf(bottle_id),
  }));
  const { missing, further } = compareMessages(expect, told);
  return {
    differences: [
      ...missing,
      ...further,
      ...(await compareOutcomes(scenario, world)),
      ...(await compareStatus(expect, world)),
      ...[...world.problems, ...world.log.problems].map((problem) => `unexpected: ${problem}`),
    ],
    figures: {
      expected: expect.messages.length,
      heard: told.length,
      repeats: world.log.repeats,
      not_raised: missing.length,
      false_alarms: further.length,
      outcomes: expect.outcomes.length,
    },
  };
}

/** Messages one to one; with `only`, any further one is a difference. */
function compareMessages(
  { messages, only }: Truth,
  told: readonly ToldMessage[],
): { missing: string[]; further: string[] } {
  const { unmatchedLeft, unmatchedRight } = matchOneToOne(messages, told, fits);
  const shown = new Set<string | undefined>();
  const missing = unmatchedLeft.map((expected) => {
    const { bottle } = expected;
    const near = told.filter((message) => bottle === undefined || message.bottle === bottle);
    const received =
      near.length === 0
        ? ['    (nothing was received for this bottle)']
        : ['    received for this bottle:', ...near.map((message) => `      ${describeTold(message)}`)];
    const lines = [`not received: ${describeExpected(expected)}`, ...(shown.has(bottle) ? [] : received)];
    shown.add(bottle);
    return lines.join('\n');
  });
  const further = only
    ? unmatchedRight.map((message) => `received, but not expected: ${describeTold(message)}`)
    : [];
  return { missing, further };
}

function fits(expected: ExpectedMessage, told: ToldMessage): boolean {
  const same = (['bottle', 'kind', 'event', 'channel'] as const).every(
    (field) => expected[field] === undefined || expected[field] === told[field],
  );
  const { after = told.at, before = told.at } = expected;
  return same && after <= told.at && told.at <= before;
}

async function compareOutcomes(
  { bottles, expect: truth, start, end }: Scenario,
  world: World,
): Promise<string[]> {
  const differences: string[] = [];
  const concerned = truth.all_outcomes
    ? bottles.map(({ key }) => key)
    : truth.outcomes.map((dose) => dose.bottle);
  for (const bottle of new Set(concerned)) {
    const found = await world.desk.outcomes(world.idOf(bottle), start, end);
    for (const { scheduled_at, outcome } of truth.outcomes.filter((dose) => dose.bottle === bottle)) {
      const actual = found.get(scheduled_at.getTime()) ?? 'no outcome';
      if (actual !== outcome)
        differences.push(
          `dose of ${scheduled_at.toISOString()}, bottle ${bottle}: expected ${outcome}, is ${actual}`,
        );
      found.delete(scheduled_at.getTime());
    }
    if (!truth.all_outcomes) continue;
    for (const [at, outcome] of found) {
      differences.push(
        `dose of ${new Date(at).toISOString()}, bottle ${bottle}: expected none, is ${outcome}`,
      );
    }
  }
  return differences;
}

async function compareStatus(truth: Truth, world: World): Promise<string[]> {
  const differences: string[] = [];
  for (const { bottle, status } of truth.status) {
    const actual = await world.desk.status(world.idOf(bottle));
    if (actual !== status) differences.push(`status of bottle ${bottle}: expected ${status}, is ${actual}`);
  }
  return differences;
}
