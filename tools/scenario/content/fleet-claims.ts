import { inOrder } from '../facts/service.js';
import type { ScenarioFacts } from '../facts/scenario-facts.js';
import type { About } from './about.js';
import { type AllowedFields, between, exactly, oneOf, timeBetween, timeOf } from './allowed.js';

/** device-api and the notifiers record at least every so often that they run. */
const BEAT_MS = 10_000;

/** What `fleet_incident` may say: numbers of bottles. */
export function fleetIncident({ facts, event }: About): AllowedFields {
  const { length } = facts.scenario.bottles;
  return {
    rule: exactly('fleet_incident_percent'),
    percent: exactly(Number(facts.setting('FLEET_INCIDENT_PERCENT'))),
    silent_bottles: between(1, length),
    heard_bottles: between(1, length),
    ...(event === 'resolved' && { still_silent: between(0, length) }),
  };
}

/** What `coverage_gap` may say of a part of the service: from when to when, and how many doses were due in it. */
export function gapOfService(
  { facts, event, subject }: About,
  shown: Record<string, unknown>,
): AllowedFields {
  const gaps = subject === 'notifier' ? blindGaps(facts) : deafGaps(facts);
  const gap = gaps.find(({ from }) => new Date(from).toISOString() === shown['from']);
  return {
    rule: exactly('coverage_gap_after'),
    coverage_gap_after_ms: exactly(facts.span('COVERAGE_GAP_AFTER')),
    from: timeOf(...gaps.map(({ from }) => from)),
    ...(event === 'resolved' && {
      until: gap ? timeBetween(gap.to, gap.to + BEAT_MS) : timeOf(),
      doses: oneOf(gap ? [gap.to, gap.to + BEAT_MS].map((to) => dosesDue(facts, gap.from, to)) : []),
    }),
  };
}

/** Of the bottles that are not erased by then. */
function dosesDue(facts: ScenarioFacts, from: number, to: number): number {
  const { bottles, events } = facts.scenario;
  const isErased = (key: string): boolean =>
    events.some(
      ({ at, ...event }) =>
        event.type === 'staff' &&
        event.action.action === 'erase' &&
        event.action.bottle === key &&
        at.getTime() <= to,
    );
  const left = bottles.filter(({ key }) => !isErased(key));
  return left.reduce((sum, { key }) => {
    const doses = facts.doses(facts.story(key)!, to);
    return sum + doses.filter(({ at }) => from <= at && at < to).length;
  }, 0);
}

/** When no device-api accepted reports: from its last beat. */
export function deafGaps({ accepting, scenario: { end } }: ScenarioFacts): { from: number; to: number }[] {
  return accepting.flatMap(({ to }, index) =>
    to < end.getTime() ? [{ from: to + BEAT_MS, to: accepting[index + 1]?.from ?? Infinity }] : [],
  );
}

/** When no notifier ran. */
function blindGaps({ scenario: { events, end } }: ScenarioFacts): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  let [running, frozen, isCut] = [1, 0, false];
  for (const event of inOrder(events)) {
    if (event.type !== 'system') continue;
    const wasBlind = isCut || running - frozen < 1;
    const at = event.at.getTime();
    switch (event.change) {
      case 'kill-notifier':
        running = Math.max(0, running - 1);
        break;
      case 'freeze-notifier':
        frozen = Math.min(running, frozen + 1);
        break;
      case 'thaw-notifiers':
        frozen = 0;
        break;
      case 'start-notifier':
        running += 1;
        break;
      case 'two-notifiers':
        running = Math.max(2, running);
        break;
      case 'stop-database':
        isCut = true;
        break;
      case 'start-database':
        isCut = false;
        break;
    }
    const isBlind = isCut || running - frozen < 1;
    if (!wasBlind && isBlind) gaps.push({ from: at + BEAT_MS, to: Infinity });
    if (wasBlind && !isBlind) gaps.at(-1)!.to = at;
  }
  return gaps.filter(({ from }) => from <= end.getTime());
}
