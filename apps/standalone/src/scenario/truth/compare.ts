import type { ExpectedMessage, Scenario, Truth } from '../file/format.js';
import type { World } from '../world/world.js';
import { matchOneToOne } from './matching.js';
import { describeExpected, describeTold, type ToldMessage } from './describe.js';

/** Compares what came of a scenario with its truth. @returns one text a difference; none if all agree. */
export async function compare({ expect, start, end }: Scenario, world: World): Promise<string[]> {
  const told = world.log.messages.map(({ bottle_id, ...message }) => ({
    ...message,
    bottle: world.keyOf(bottle_id),
  }));
  return [
    ...compareMessages(expect, told),
    ...(await compareOutcomes(expect, world, start, end)),
    ...(await compareStatus(expect, world)),
    ...[...world.problems, ...world.log.problems].map((problem) => `unexpected: ${problem}`),
  ];
}

/** Messages one to one; with `only`, any further one is a difference. */
export function compareMessages({ messages, only }: Truth, told: readonly ToldMessage[]): string[] {
  const { unmatchedLeft, unmatchedRight } = matchOneToOne(messages, told, fits);
  const missing = unmatchedLeft.map((expected) => {
    const near = told.filter(({ bottle }) => expected.bottle === undefined || bottle === expected.bottle);
    return [
      `not received: ${describeExpected(expected)}`,
      ...(near.length === 0
        ? ['    (nothing was received for this bottle)']
        : ['    received for this bottle:', ...near.map((message) => `      ${describeTold(message)}`)]),
    ].join('\n');
  });
  const further = only
    ? unmatchedRight.map((message) => `received, but not expected: ${describeTold(message)}`)
    : [];
  return [...missing, ...further];
}

function fits(expected: ExpectedMessage, told: ToldMessage): boolean {
  const same = (['bottle', 'kind', 'event', 'channel'] as const).every(
    (field) => expected[field] === undefined || expected[field] === told[field],
  );
  const { after = told.at, before = told.at } = expected;
  return same && after <= told.at && told.at <= before;
}

async function compareOutcomes(truth: Truth, world: World, from: Date, to: Date): Promise<string[]> {
  const differences: string[] = [];
  for (const bottle of new Set(truth.outcomes.map((dose) => dose.bottle))) {
    const found = await world.desk.outcomes(world.idOf(bottle), from, to);
    for (const { scheduled_at, outcome } of truth.outcomes.filter((dose) => dose.bottle === bottle)) {
      const actual = found.get(scheduled_at.getTime()) ?? 'no outcome';
      if (actual !== outcome)
        differences.push(
          `dose of ${scheduled_at.toISOString()}, bottle ${bottle}: expected ${outcome}, is ${actual}`,
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
