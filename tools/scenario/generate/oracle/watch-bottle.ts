import {
  type BottleFacts,
  type BottleTruth,
  DAY,
  type Outcome,
  type ServiceFacts,
  MINUTE,
  type Span,
} from './facts.js';
import { type DueDose, dueDoses } from './due-doses.js';
import { CountWatch } from './count-watch.js';
import { DosesWatch } from './doses-watch.js';
import { HoldDown } from './hold-down.js';
import { Knowledge } from './knowledge.js';
import { deafGaps } from './service-gaps.js';
import { LidWatch } from './lid-watch.js';
import { periodsKnownAt } from './periods.js';
import { RowWatch } from './row-watch.js';
import { SilenceWatch } from './silence-watch.js';
import { SupplyWatch } from './supply-watch.js';
import type { WallClocks } from './wall-clock.js';

/**
 * The truth about one bottle, the slow way: looks at everything that is known at every minute at which a
 * notifier ran, silence at every fifth, and writes down what changes.
 */
export function watchBottle(facts: BottleFacts, service: ServiceFacts, walls: WallClocks): BottleTruth {
  const knowledge = new Knowledge(facts, service.accepting);
  const dosesKnownAt = dosesKnownTo(facts, service, walls);
  const [lids, silences] = [new HoldDown(service), new HoldDown(service)];
  const lid = new LidWatch(facts.key, service, knowledge, lids, facts.pauses);
  const silence = new SilenceWatch(facts.key, service, knowledge, silences, facts.pauses);
  const doses = new DosesWatch(facts, knowledge, dosesKnownAt, walls, silence, deafGaps(service));
  const rows = new RowWatch(facts, () => doses.ended(knowledge.now));
  const supply = new SupplyWatch(facts, knowledge, dosesKnownAt, (dose) => doses.pillsTaken(dose));
  const counts = new CountWatch(facts, knowledge);
  for (const now of ticks(service)) {
    knowledge.moveTo(now);
    lid.tick(now);
    if (now % (5 * MINUTE) === 0) silence.tick(now);
    silence.hold(now);
    doses.tick(now);
    rows.tick(now);
    supply.tick(now);
    counts.tick(now);
  }
  knowledge.moveTo(service.to);
  for (const held of [lids, silences]) held.finish();
  return {
    alerts: [lids, silences, doses, rows, supply, counts].flatMap(({ alerts }) => alerts),
    outcomes: new Map([...doses.outcomes, ...notMonitored(facts, service, walls)]),
    status: statusOf(),
    weightShownAt: counts.weightShownAt,
    unclear: [lid, lids, silence, silences, doses].flatMap(({ unclear }) => unclear),
  };

  function statusOf(): BottleTruth['status'] {
    if (knowledge.lastContact === undefined) return 'unknown';
    if (silence.isSilent) return 'silent';
    if (doses.isLate) return 'late';
    return lid.isOpen ? 'open' : 'ok';
  }
}

/** The doses that were due in a period without monitoring. */
function notMonitored(
  { prescriptions, pauses }: BottleFacts,
  { from, to }: ServiceFacts,
  walls: WallClocks,
): [number, Outcome][] {
  const periods = periodsKnownAt(pauses, to);
  if (periods.length === 0) return [];
  const plans = prescriptions.filter(({ orderedAt = 0 }) => orderedAt <= to);
  return dueDoses(plans, [], { from, to: to + 1 }, walls)
    .filter(({ at }) => isIn(periods, at))
    .map(({ at }) => [at, 'not_monitored']);
}

/** Every minute at which a notifier runs. */
function* ticks({ from, to, notifying }: ServiceFacts): Generator<number> {
  for (let now = Math.ceil(from / MINUTE) * MINUTE; now <= to; now += MINUTE) {
    if (isIn(notifying, now)) yield now;
  }
}

export function isIn(spans: readonly Span[], at: number): boolean {
  return spans.some(({ from, to }) => from <= at && at < to);
}

/** The doses as prescribed at a moment; the same list until a prescription or pause changes. */
function dosesKnownTo(
  { prescriptions, droppedSteps, pauses }: BottleFacts,
  { from, to }: Span,
  walls: WallClocks,
): (now: number) => DueDose[] {
  const known = new Map<string, DueDose[]>();
  const steps = [...prescriptions, ...droppedSteps].sort((one, other) => one.from - other.from);
  return (now) => {
    const [plans, breaks] = [
      steps.filter(
        ({ from: begins, orderedAt = begins, droppedAt = Infinity }) => orderedAt <= now && now < droppedAt,
      ),
      periodsKnownAt(pauses, now),
    ];
    const version = `${plans.map((plan) => plan.from).join()} ${breaks.map((each) => pauses.indexOf(each)).join()}`;
    const doses = known.get(version) ?? dueDoses(plans, breaks, { from, to: to + 4 * DAY }, walls);
    known.set(version, doses);
    return doses;
  };
}
