import {
  adherence,
  type AdherenceInput,
  allExtraDoses,
  extraDosesDependFrom,
  bottlesOfPlan,
  commonFigures,
  DAY_MS,
  type DayBasis,
  dosesInGap,
  type DoseStatement,
  type DosingDay,
  dosingDays,
  type Initiation,
  initiationOf,
  netRemovals,
  type NetRemoval,
  OPENING_SEARCH_MS,
  ownedSince,
  type Removal,
  removalsOfPlan,
  type RemovedPills,
  reportsBySlot,
  sinceOfPlans,
  standingNoDoses,
  taxonomyFigures,
  withStatements,
  wordedAdherence,
} from '#domain';
import {
  type AttestationEntry,
  AttestationsRepository,
  type Bottle,
  BottleActionsRepository,
  BottleLogsRepository,
  BottlesRepository,
  CoverageGapsRepository,
  type DoseOutcome,
  DoseOutcomesRepository,
  type PlanMember,
  SharedPlansRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { MonitoredSinceService } from '../bottles/monitored-since.service.js';
import { readRange } from '../http/time-range.js';
import { viewsOf } from '../http/view.js';
import type { AdherenceDto, AdherenceQuery } from './history.dto.js';
import { DosingDayDto, type TaxonomyDto } from './taxonomy.dto.js';

const DEFAULT_SPAN = 30 * DAY_MS;
const LONGEST_SPAN = 1_100 * DAY_MS;
/** More removals than these that were no dose, before the first dose, are not looked for. */
const FIRST_REMOVALS = 50;

/** Adherence figures, computed from dose outcomes and the log; and with what people say. */
@Injectable()
export class AdherenceService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly actions: BottleActionsRepository,
    private readonly logs: BottleLogsRepository,
    private readonly attestations: AttestationsRepository,
    private readonly gaps: CoverageGapsRepository,
    private readonly plans: SharedPlansRepository,
    private readonly monitored: MonitoredSinceService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range, 404 */
  async of(id: Types.ObjectId, query: AdherenceQuery): Promise<AdherenceDto> {
    const { from, to } = readSpan(query, this.clock.now(), DEFAULT_SPAN);
    return this.figures(await this.find(id), from, to);
  }

  /** @throws Problem as {@link of} */
  async listDays(id: Types.ObjectId, query: AdherenceQuery): Promise<{ items: DosingDayDto[] }> {
    const { from, to } = readSpan(query, this.clock.now(), DEFAULT_SPAN);
    return { items: viewsOf(DosingDayDto)(await this.days(await this.find(id), from, to)) };
  }

  private async find(id: Types.ObjectId): Promise<Bottle> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return bottle;
  }

  /**
   * The figures of the doses that were due in [from, to).
   *
   * @param since from when the bottle is the owner's whose figures they are
   */
  async figures(bottle: Bottle, from: Date, to: Date, since?: Date): Promise<AdherenceDto> {
    const records = await this.records(bottle, from, to);
    const [unknown_in_coverage_gaps, initiation] = await Promise.all([
      this.countInGaps(bottle, records.outcomes, from, to),
      this.initiation(bottle, since ?? ownedSince(bottle)),
    ]);
    const input = dosesOf(bottle, records, from, to);
    const days = this.daysOf(bottle, records, from, to);
    return {
      from,
      to,
      monitored_since: records.monitored_since,
      time_zone: bottle.time_zone,
      ...adherence(input),
      initiation: initiation.measured,
      ...taxonomyFigures(days, 'measured'),
      unknown_in_coverage_gaps,
      reported: {
        ...wordedAdherence(input, records.attested),
        initiation: initiation.reported,
        ...taxonomyFigures(days, 'reported'),
      },
    };
  }

  /** The days of the plan that lie within [from, to), and which of them have the prescribed amount. */
  async days(bottle: Bottle, from: Date, to: Date): Promise<DosingDay[]> {
    return this.daysOf(bottle, await this.records(bottle, from, to), from, to);
  }

  /** The days of the plan that lie within [from, to), and its doses. */
  async part(bottle: Bottle, from: Date, to: Date): Promise<PlanPart> {
    const records = await this.records(bottle, from, to);
    const measured = dosesOf(bottle, records, from, to);
    return {
      days: this.daysOf(bottle, records, from, to),
      doses: { measured, reported: withStatements(measured, records.attested) },
    };
  }

  /** When the first dose was, from a time on. */
  async initiation(bottle: Bottle, since: Date): Promise<Record<DayBasis, Initiation>> {
    const { _id: id } = bottle;
    const removals = await this.firstRemovals(bottle, since);
    const until = removals.at(-1)?.time ?? this.clock.now();
    const entries = await this.attestations.findBetween(id, since, new Date(until.getTime() + 1));
    return initiationOf(removals.map(toRemoved), standingNoDoses(entries), attestedIn(entries));
  }

  private async records(bottle: Bottle, from: Date, to: Date): Promise<Records> {
    const { _id: id, schedule_versions: versions, pauses: periods } = bottle;
    const plan = { versions, periods };
    // the last day ends at 03:00, after midnight
    const until = new Date(to.getTime() + DAY_MS);
    const [outcomes, removals, entries, monitored_since] = await Promise.all([
      this.outcomes.findBetween(id, from, until),
      this.removalsSince(bottle, extraDosesDependFrom(plan, from)),
      this.attestations.findBetween(id, from, until),
      this.monitored.of(bottle),
    ]);
    return {
      outcomes,
      removals,
      attested: attestedIn(entries),
      no_doses: standingNoDoses(entries),
      monitored_since,
    };
  }

  /** What was removed from the bottles of a plan from a time on, oldest first, with the openings for it. */
  private async removalsSince(bottle: Bottle, since: Date): Promise<Removal[]> {
    const plan = await this.planOf(bottle);
    const openedFrom = new Date(since.getTime() - OPENING_SEARCH_MS);
    const [removed, openings] = await Promise.all([
      this.logs.findRemovals(sinceOfPlans([plan], () => since)),
      this.logs.findActions(sinceOfPlans([plan], () => openedFrom)),
    ]);
    return removalsOfPlan(plan, since, { removed, openings }).sort(
      (one, other) => one.time.getTime() - other.time.getTime(),
    );
  }

  /**
   * The first removals from the bottles of a plan from a time on, with the pills that were not put back, oldest first;
   * {@link FIRST_REMOVALS} at most.
   */
  private async firstRemovals(bottle: Bottle, since: Date): Promise<NetRemoval[]> {
    const found = await Promise.all(
      bottlesOfPlan(await this.planOf(bottle)).map(async ({ id, isOfPlan }) => {
        const dosages = await this.actions.findDosagesSince(id, since, FIRST_REMOVALS);
        const counted = await this.actions.findPuttingBack(
          dosages.map(({ time }) => ({ bottle_id: id, time })),
        );
        return netRemovals(dosages, counted.get(id.toHexString()) ?? []).filter(({ time }) => isOfPlan(time));
      }),
    );
    return found
      .flat()
      .sort((one, other) => one.time.getTime() - other.time.getTime())
      .slice(0, FIRST_REMOVALS);
  }

  /** The bottles of a plan. */
  private async planOf(bottle: Bottle): Promise<{ bottle: Bottle; members: PlanMember[] }> {
    return { bottle, members: (await this.plans.findMembers([bottle])).get(bottle._id.toHexString()) ?? [] };
  }

  private daysOf(
    { schedule_versions: versions, pauses: periods, time_zone: zone }: Bottle,
    { outcomes, removals, attested, no_doses, monitored_since }: Records,
    from: Date,
    to: Date,
  ): DosingDay[] {
    const plan = { versions, periods };
    const now = this.clock.now();
    return dosingDays({
      plan,
      removals,
      outcomes,
      attested,
      no_doses,
      monitored_since,
      from,
      to,
      now,
      zone,
    });
  }

  /** How many doses with an unknown outcome fell in a gap in which no reports were accepted. */
  private async countInGaps(
    { schedule_versions, pauses: periods }: Bottle,
    outcomes: readonly DoseOutcome[],
    from: Date,
    to: Date,
  ): Promise<number> {
    const unknown = outcomes.filter(
      ({ outcome, scheduled_at }) => outcome === 'unknown' && scheduled_at < to,
    );
    if (unknown.length === 0) return 0;
    // a dose may end in a gap that begins after the range
    const gaps = await this.gaps.findDuring(from, new Date(to.getTime() + DAY_MS), 'device-api');
    const inGaps = gaps.flatMap((gap) => dosesInGap(schedule_versions, periods, { until: to, ...gap }));
    const slots = new Set(inGaps.map(({ scheduled_at }) => scheduled_at.getTime()));
    return unknown.filter(({ scheduled_at }) => slots.has(scheduled_at.getTime())).length;
  }
}

/** The doses that were due in [from, to), with the pills beyond them. */
function dosesOf(
  { schedule_versions: versions, pauses: periods, time_zone: zone }: Bottle,
  { outcomes, removals }: Records,
  from: Date,
  to: Date,
): AdherenceInput {
  return { outcomes, extra: allExtraDoses({ versions, periods }, removals), from, to, zone };
}

/** The figures of the taxonomy of some time of one bottle, or of several together; at least one part. */
export function taxonomyOf(
  parts: readonly PlanPart[],
  days: readonly DosingDay[],
  basis: DayBasis,
): Omit<TaxonomyDto, 'initiation'> {
  return { ...taxonomyFigures(days, basis), ...commonFigures(parts.map(({ doses }) => doses[basis])) };
}

/** @throws Problem 400 `invalid_range`, also for more than 1,100 days */
export function readSpan(query: AdherenceQuery, now: Date, defaultSpan: number): { from: Date; to: Date } {
  const { from, to } = readRange(query, now, defaultSpan);
  if (to.getTime() - from.getTime() > LONGEST_SPAN)
    throw Problem.field('from', 'invalid_range', 'from must be at most 1,100 days before to');
  return { from, to };
}

/** A bottle's plan in some time. */
export interface PlanPart {
  days: DosingDay[];
  doses: Record<DayBasis, AdherenceInput>;
}

/** What figures are computed from. */
interface Records {
  outcomes: DoseOutcome[];
  removals: Removal[];
  attested: DoseStatement[];
  no_doses: RemovedPills[];
  monitored_since: Date | null;
}

const toRemoved = ({ time, pills_taken }: NetRemoval): RemovedPills => ({ time, pills: pills_taken });

/** The latest statement of each dose. */
const attestedIn = (entries: readonly AttestationEntry[]): DoseStatement[] =>
  [...reportsBySlot(entries).values()].flatMap(({ latest }) => latest ?? []);
