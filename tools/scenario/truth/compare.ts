import { groupBy, SCHEDULE_LIMITS } from '#domain';
import { contentProblems, readMailOf } from '../content/content-problems.js';
import { orderProblems } from '../content/order-problems.js';
import { shownBy, saysAll } from '../content/shown.js';
import { ScenarioFacts } from '../facts/scenario-facts.js';
import type { ExpectedMessage, Scenario, Truth } from '../file/format.js';
import type { ScenarioHarness } from '../run/harness.js';
import { matchOneToOne } from './matching.js';
import { describeExpected, describeMessage, type ReceivedMessage } from './describe.js';

/** What a comparison reads of a harness. */
export interface Observed {
  log: Pick<ScenarioHarness['log'], 'messages' | 'repeats' | 'problems'>;
  staff: Pick<ScenarioHarness['staff'], 'outcomes' | 'status'>;
  problems: readonly string[];
  /** Undefined for what is no bottle of the scenario. */
  idOf(bottle: string): string;
  keyOf(bottleId: string): string;
}

/** A scenario's result compared with its expectations. */
export interface Comparison {
  /** One text for each difference. */
  differences: string[];
  figures: Figures;
}

/** Numbers of messages, and of doses compared. */
export interface Figures {
  expected: number;
  received: number;
  /** Received again under a known id: a receiver drops these. */
  repeats: number;
  not_raised: number;
  /** With `only`: received and not expected, duplicates included. */
  false_alarms: number;
  outcomes: number;
}

/** Compares a scenario's result with its expectations. */
export async function compare(scenario: Scenario, harness: Observed): Promise<Comparison> {
  const { expect } = scenario;
  const received = harness.log.messages.map(({ bottle_id, ...message }) => ({
    ...message,
    bottle: harness.keyOf(bottle_id),
  }));
  // asked for first: what follows takes minutes of a large fleet, in one go, and idle connections would be closed meanwhile
  const doses = await compareOutcomes(scenario, harness);
  const statuses = await compareStatus(expect, harness);
  const facts = new ScenarioFacts(scenario);
  const { missing, further } = compareMessages(expect, received, facts);
  return {
    differences: [
      ...missing,
      ...further,
      ...contentProblems(received, facts, (bottle) => harness.idOf(bottle)),
      ...orderProblems(received, facts),
      ...doses,
      ...statuses,
      ...[...harness.problems, ...harness.log.problems].map((problem) => `unexpected: ${problem}`),
    ],
    figures: {
      expected: expect.messages.length,
      received: received.length,
      repeats: harness.log.repeats,
      not_raised: missing.length,
      false_alarms: further.length,
      outcomes: expect.outcomes.length,
    },
  };
}

/** Matches messages one to one; with `only`, any further one is a difference. */
function compareMessages(
  { messages, only }: Truth,
  received: readonly ReceivedMessage[],
  facts: ScenarioFacts,
): { missing: string[]; further: string[] } {
  const { unmatchedLeft, unmatchedRight } = matchAlike(messages, received, (expected, message) =>
    fits(expected, message, facts),
  );
  const shown = new Set<string | undefined>();
  const missing = unmatchedLeft.map((expected) => {
    const { bottle } = expected;
    const near = received.filter((message) => bottle === undefined || message.bottle === bottle);
    const context =
      near.length === 0
        ? ['    (nothing was received for this bottle)']
        : ['    received for this bottle:', ...near.map((message) => `      ${describeMessage(message)}`)];
    const lines = [`not received: ${describeExpected(expected)}`, ...(shown.has(bottle) ? [] : context)];
    shown.add(bottle);
    return lines.join('\n');
  });
  const further = only
    ? unmatchedRight.map((message) => `received, but not expected: ${describeMessage(message)}`)
    : [];
  return { missing, further };
}

const FIELDS = ['bottle', 'kind', 'event', 'channel', 'to'] as const;

/** Matches one to one, by those fields that every expectation states apart: a fleet has tens of thousands of messages. */
function matchAlike(
  messages: readonly ExpectedMessage[],
  received: readonly ReceivedMessage[],
  fit: (expected: ExpectedMessage, message: ReceivedMessage) => boolean,
): ReturnType<typeof matchOneToOne<ExpectedMessage, ReceivedMessage>> {
  const stated = FIELDS.filter((field) => messages.every((expected) => expected[field] !== undefined));
  const keyOf = (one: ExpectedMessage | ReceivedMessage): string =>
    JSON.stringify(stated.map((field) => one[field]));
  const expectedAlike = groupBy(messages, keyOf);
  const receivedAlike = groupBy(received, keyOf);
  const matches = [...new Set([...expectedAlike.keys(), ...receivedAlike.keys()])].map((key) =>
    matchOneToOne(expectedAlike.get(key) ?? [], receivedAlike.get(key) ?? [], fit),
  );
  return {
    unmatchedLeft: matches.flatMap(({ unmatchedLeft }) => unmatchedLeft),
    unmatchedRight: matches.flatMap(({ unmatchedRight }) => unmatchedRight),
  };
}

function fits(expected: ExpectedMessage, message: ReceivedMessage, facts: ScenarioFacts): boolean {
  const same = FIELDS.every((field) => expected[field] === undefined || expected[field] === message[field]);
  const { after = message.at, before = message.at } = expected;
  if (!same || message.at < after || before < message.at) return false;
  const { says } = expected;
  return says === undefined || saysAll(shownBy(message, readMailOf(message, facts)), says);
}

async function compareOutcomes(
  { bottles, events, expect: truth, start, end }: Scenario,
  harness: Observed,
): Promise<string[]> {
  const differences: string[] = [];
  const erased = new Set(
    events.map((event) => event.type === 'staff' && event.action.action === 'erase' && event.action.bottle),
  );
  const concerned = truth.all_outcomes
    ? bottles.map(({ key }) => key).filter((key) => !erased.has(key))
    : truth.outcomes.map((dose) => dose.bottle);
  for (const bottle of new Set(concerned)) {
    const until = new Date(end.getTime() + SCHEDULE_LIMITS.early_window_ms);
    const found = await harness.staff.outcomes(harness.idOf(bottle), start, until);
    for (const { scheduled_at, outcome, reported } of truth.outcomes.filter(
      (dose) => dose.bottle === bottle,
    )) {
      const actual = found.get(scheduled_at.getTime()) ?? 'no outcome';
      const expected = reported === undefined ? outcome : `${outcome}, reported ${reported}`;
      if ((reported === undefined ? actual.split(',')[0] : actual) !== expected)
        differences.push(
          `dose of ${scheduled_at.toISOString()}, bottle ${bottle}: expected ${expected}, is ${actual}`,
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

async function compareStatus(truth: Truth, harness: Observed): Promise<string[]> {
  const differences: string[] = [];
  for (const { bottle, status } of truth.status) {
    const actual = await harness.staff.status(harness.idOf(bottle));
    if (actual !== status) differences.push(`status of bottle ${bottle}: expected ${status}, is ${actual}`);
  }
  return differences;
}
