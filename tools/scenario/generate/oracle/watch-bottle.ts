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
import { BottlesOfPlan } from './bottles-of-plan.js';
import { CountWatch } from './count-watch.js';
import { DosesWatch } from './doses-watch.js';
import { HoldDown } from './hold-down.js';
import { Knowledge } from './knowledge.js';
import { deafGaps } from './service-gaps.js';
import { LidWatch } from './lid-watch.js';
import { isWithin, periodsKnownAt } from './periods.js';
import { RowWatch } from './row-watch.js';
import { SilenceWatch } from './silence-watch.js';
import { SupplyWatch } from './supply-watch.js';
import type { WallClocks } from './wall-clock.js';

/** A bottle that is for the plan of another one, and when. */
export interface SharingFacts {
  facts: BottleFacts;
  within: Span;
}

/** The truth about a bottle that has a plan of its own. */
export function watchBottle(facts: BottleFacts, service: ServiceFacts, walls: WallClocks): BottleTruth {
  return watchPlan(facts, [], service, walls)[0]!;
}

/**
 * The truth about the bottles of a plan, the slow way: looks at everything that is known at every minute at which a
 * notifier ran, silence at every fifth, and writes down what changes.
 *
 * @param others the bottles that are for the plan of the first
 * @returns of each, in order; doses are of the first
 */
export function watchPlan(
  facts: BottleFacts,
  others: readonly SharingFacts[],
  service: ServiceFacts,
  walls: WallClocks,
): BottleTruth[] {
  const dosesKnownAt = dosesKnownTo(facts, service, walls);
  const whole = { from: Number.NEGATIVE_INFINITY, to: Infinity };
  const bottles = [{ facts, within: whole }, ...others].map((one) => new BottleWatch(one, service));
  const [first] = bottles as [BottleWatch];
  const plan = new BottlesOfPlan(bottles);
  const doses = new DosesWatch(facts, plan, dosesKnownAt, walls, deafGaps(service));
  const rows = new RowWatch(facts, () => doses.ended(first.knowledge.now));
  const supply = new SupplyWatch(facts, plan, dosesKnownAt, (dose) => doses.pillsTaken(dose));
  for (const now of ticks(service)) {
    for (const bottle of bottles) bottle.tick(now);
    doses.tick(now);
    rows.tick(now);
    supply.tick(now);
    for (const bottle of bottles) bottle.counts.tick(now);
  }
  const reportedAt = [
    ...facts.statements.map(({ at }) => at),
    ...bottles.flatMap((one) =>
      one.facts.actions.filter(({ action }) => action === 'closed').map(({ known }) => known),
    ),
  ];
  return bottles.map((bottle) => {
    const own = bottle.end(service.to, bottle === first && doses.isLate);
    if (bottle !== first)
      return {
        ...own,
        alerts: [...own.alerts, ...bottle.counts.alerts],
        outcomes: new Map(),
        remindable: [],
      };
    return {
      ...own,
      alerts: [
        ...own.alerts,
        ...[doses, rows].flatMap(({ alerts }) => alerts.map((alert) => Object.assign(alert, { reportedAt }))),
        ...[supply, bottle.counts].flatMap(({ alerts }) => alerts),
      ],
      outcomes: new Map([...doses.outcomes, ...notMonitored(facts, service, walls)]),
      remindable: doses.remindable,
      unclear: [...own.unclear, ...doses.unclear],
    };
  });
}

/** What concerns one bottle alone, whatever plan it is for. */
class BottleWatch {
  readonly facts: BottleFacts;
  readonly within: Span;
  readonly knowledge: Knowledge;
  readonly silence: SilenceWatch;
  readonly counts: CountWatch;
  private readonly lid: LidWatch;
  private readonly lids: HoldDown;
  private readonly silences: HoldDown;

  constructor({ facts, within }: SharingFacts, service: ServiceFacts) {
    this.facts = facts;
    this.within = within;
    this.knowledge = new Knowledge(facts, service.accepting);
    this.lids = new HoldDown(service);
    this.silences = new HoldDown(service);
    this.lid = new LidWatch(facts.key, service, this.knowledge, this.lids, facts.pauses);
    this.silence = new SilenceWatch(facts.key, service, this.knowledge, this.silences, facts.pauses);
    this.counts = new CountWatch(facts, this.knowledge);
  }

  tick(now: number): void {
    this.knowledge.moveTo(now);
    this.lid.tick(now);
    if (now % (5 * MINUTE) === 0) this.silence.tick(now);
    this.silence.hold(now);
  }

  /** What is true when everything is over, but for doses. */
  end(now: number, isLate: boolean): Omit<BottleTruth, 'outcomes' | 'remindable'> {
    this.knowledge.moveTo(now);
    for (const held of [this.lids, this.silences]) held.finish();
    return {
      alerts: [this.lids, this.silences].flatMap(({ alerts }) => alerts),
      status: this.statusOf(isLate),
      weightShownAt: this.counts.weightShownAt,
      unclear: [this.lid, this.lids, this.silence, this.silences].flatMap(({ unclear }) => unclear),
    };
  }

  private statusOf(isLate: boolean): BottleTruth['status'] {
    if (this.knowledge.lastContact === undefined) return 'unknown';
    if (this.silence.isSilent) return 'silent';
    if (isLate) return 'late';
    return this.lid.isOpen ? 'open' : 'ok';
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
    .filter(({ at }) => isWithin(periods, at))
    .map(({ at }) => [at, 'not_monitored']);
}

/** Every minute at which a notifier runs. */
function* ticks({ from, to, notifying }: ServiceFacts): Generator<number> {
  for (let now = Math.ceil(from / MINUTE) * MINUTE; now <= to; now += MINUTE) {
    if (isWithin(notifying, now)) yield now;
  }
}

/** The doses as prescribed at a moment; the same list until a prescription or pause changes. */
function dosesKnownTo(
  { prescriptions, droppedSteps, pauses }: BottleFacts,
  { from, to }: Span,
  walls: WallClocks,
): (now: number) => DueDose[] {
  const known = new Map<string, DueDose[]>();
  const steps = [...prescriptions, ...droppedSteps].sort((one, other) => one.from - other.from);
  const changes = [
    ...steps.flatMap(({ from: begins, orderedAt = begins, droppedAt = Infinity }) => [orderedAt, droppedAt]),
    ...pauses.flatMap(({ orderedAt, changedAt = Infinity }) => [orderedAt, changedAt]),
  ];
  let last: (Span & { doses: DueDose[] }) | undefined;
  return (now) => {
    if (last && last.from <= now && now < last.to) return last.doses;
    const [plans, breaks] = [
      steps.filter(
        ({ from: begins, orderedAt = begins, droppedAt = Infinity }) => orderedAt <= now && now < droppedAt,
      ),
      periodsKnownAt(pauses, now),
    ];
    const version = `${plans.map((plan) => plan.from).join()} ${breaks.map((each) => pauses.indexOf(each)).join()}`;
    const doses = known.get(version) ?? dueDoses(plans, breaks, { from, to: to + 4 * DAY }, walls);
    known.set(version, doses);
    last = { from: now, to: Math.min(...changes.filter((change) => now < change)), doses };
    return doses;
  };
}
