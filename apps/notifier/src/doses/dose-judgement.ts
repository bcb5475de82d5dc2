import {
  backlogGrace,
  chainStart,
  countsMatterFrom,
  earliest,
  endsAt,
  type ExtraDose,
  groupBy,
  heartbeatsLeaveGap,
  HOUR_MS,
  isAsNeeded,
  isTaken,
  type JudgeResult,
  judgeSlots,
  LONGEST_OUTAGE_MS,
  mayBeErased,
  nextSlotAfter,
  OPENING_SEARCH_MS,
  openingsMatter,
  type OtherBottle,
  overLimits,
  type RecordedCoverage,
  type RecordedDose,
  type Removal,
  removalsOfPlan,
  type ReportedCounts,
  sinceOfPlans,
  type Slot,
  type SlotJudgement,
  slotsBetween,
  slotsNotMonitored,
  type VeryLatePills,
  judgeNotMonitored,
  periodAt,
  pillsBeyondSlots,
  withErased,
} from '#domain';
import {
  type Bottle,
  BottleLogsRepository,
  type BottleState,
  CoverageRepository,
  DoseOutcomesRepository,
  erasedMembersOf,
  type PlanMember,
  type Receipt,
  SharedPlansRepository,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

/** Slots are judged from this far ahead, so that an early removal finds its slot. */
const AHEAD_MS = 24 * HOUR_MS;
/** Holds the 24 hours before a removal. */
const LIMIT_SPAN_MS = 25 * HOUR_MS;

/** A bottle's doses as they stand now; `extra` holds what people are notified of. */
export interface JudgedDoses extends Omit<JudgeResult, 'extra'> {
  extra: ExtraDose[];
  /** Pills that are doses of before, by the plan. */
  very_late: VeryLatePills[];
  /** When to check again; absent when only a contact or a new schedule can change anything. */
  dose_due_at?: Date;
  /** Every slot before this has its outcome. */
  judged_until: Date;
  /** The slots that were not monitored, as is on record, and are since a period was changed or removed. */
  monitored_again: ReadonlySet<number>;
  /** The slots that were taken, as is on record, and are not by what is known now: their pills were put back. */
  untaken: readonly Date[];
  /** Reports were not accepted all the time since the first slot. */
  followsGap: boolean;
  /** When reports were accepted. */
  coverage: RecordedCoverage;
}

/** What judging one bottle's doses takes. */
export interface DoseEvidence {
  slots: Slot[];
  /** Those in periods without monitoring, up to now. */
  notMonitored: Slot[];
  /** Of all bottles of the plan. */
  removals: Removal[];
  contacts: readonly Date[];
  /** The further bottles of the plan, and what is known of them. */
  members: readonly PlanMember[];
  others: OtherBottle[];
  /** Of the last day, for the limits of an as-needed schedule; empty for others. */
  ofDays: Removal[];
  /** From when on all of the 24 hours before a removal is in `ofDays`. */
  limitsKnownFrom: Date;
  /** When reports were accepted. */
  coverage: RecordedCoverage;
  /** The outcomes on record of doses that are over, and of those that may have been taken from a bottle that is erased. */
  recorded: ReadonlyMap<number, RecordedDose>;
  /** What it counted around doses that are late and not whole; absent for others. */
  counts?: ReportedCounts;
}

/** A bottle that is to be judged. */
export interface Judged {
  state: BottleState;
  bottle: Bottle;
  /** Slots that are not over by then are judged again; absent if none are. */
  again_from?: Date | undefined;
}

/** Reads what is known of a page of bottles and judges their doses by the rules of the domain. */
@Injectable()
export class DoseJudgement {
  private readonly silentAfter: number;

  constructor(
    private readonly logs: BottleLogsRepository,
    private readonly coverage: CoverageRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly plans: SharedPlansRepository,
    config: NotifierConfig,
  ) {
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  /**
   * Reads what judging these bottles takes: every slot that is not final yet, and those that a late removal
   * touches. A bottle whose record cannot be read gives its error instead, to be thrown when it is judged.
   *
   * @param now the moment for which they are judged; `judge` is given the same.
   */
  async read(page: readonly Judged[], now: Date): Promise<Map<string, DoseEvidence | Error>> {
    const members = await this.plans.findMembers(page.map(({ bottle }) => bottle));
    const plans = new Map(
      page.map((each) => {
        const id = each.bottle._id.toHexString();
        return [id, planOf({ ...each, members: members.get(id) ?? [] }, now)];
      }),
    );
    const wanted = [...plans.values()].filter((plan): plan is Plan => !(plan instanceof Error));
    const slotted = wanted.filter(({ slots }) => slots.length > 0);
    const asNeeded = wanted.filter(({ bottle }) => bottle.schedule_versions.some(isAsNeeded));
    const coverage = await this.readCoverage(slotted, now);
    const [removed, { heartbeats, receipts }, recorded, ofDays] = await Promise.all([
      this.logs.findRemovals(sinceOfPlans(wanted, ({ removalsFrom }) => removalsFrom)),
      this.readContacts(slotted, coverage, now),
      this.readRecorded(slotted, now),
      this.logs.findRemovals(sinceOfPlans(asNeeded, ({ state }) => limitsFrom(state, now))),
    ]);
    const removals = new Map(
      [...plans].flatMap(([id, plan]) =>
        plan instanceof Error
          ? []
          : [[id, removalsOfPlan(plan, plan.removalsFrom, { removed, receipts })] as const],
      ),
    );
    const asked = slotted.filter(({ bottle, slots }) =>
      openingsMatter(slots, removals.get(bottle._id.toHexString())!),
    );
    const openings = await this.logs.findActions(
      sinceOfPlans(asked, ({ slots }) => new Date(slots[0]!.early_from.getTime() - OPENING_SEARCH_MS)),
    );
    for (const plan of asked) {
      const id = plan.bottle._id.toHexString();
      removals.set(id, removalsOfPlan(plan, plan.removalsFrom, { removed, receipts, openings }));
    }
    const counts = await this.readCounts(slotted, removals, now);
    const seen = ({ _id, last_heard_at }: BottleState): Pick<OtherBottle, 'contacts' | 'counts'> => {
      const id = _id.toHexString();
      return {
        contacts: [
          ...(heartbeats.get(id) ?? []),
          ...(receipts.get(id) ?? []).map(({ received_at }) => received_at),
          ...(last_heard_at ? [last_heard_at] : []),
        ],
        ...(counts.has(id) && { counts: counts.get(id)! }),
      };
    };
    const evidenceOf = (plan: Plan, id: string): DoseEvidence => ({
      slots: plan.slots,
      notMonitored: plan.notMonitored,
      removals: removals.get(id)!,
      ...seen(plan.state),
      members: plan.members,
      others: [
        ...plan.members.map((member) => ({
          shared: member.shared,
          periods: member.bottle.pauses,
          ...seen(member.state),
        })),
        // nobody knows any more when they reported
        ...erasedMembersOf(plan.bottle).map((span) => ({
          shared: [span],
          contacts: [],
          erased: true as const,
        })),
      ],
      ofDays: removalsOfPlan(plan, limitsFrom(plan.state, now), { removed: ofDays }),
      limitsKnownFrom: new Date(limitsFrom(plan.state, now).getTime() + 24 * HOUR_MS),
      coverage,
      recorded: recorded.get(id) ?? new Map(),
    });
    return new Map([...plans].map(([id, plan]) => [id, plan instanceof Error ? plan : evidenceOf(plan, id)]));
  }

  /** When reports were accepted, from well before the first window on. */
  private readCoverage(plans: readonly Plan[], now: Date): Promise<RecordedCoverage> {
    const first = Math.min(now.getTime(), ...plans.map(({ slots }) => slots[0]!.early_from.getTime()));
    return this.coverage.read(new Date(first - LONGEST_OUTAGE_MS), now, this.silentAfter);
  }

  /**
   * When each bottle was seen. Heartbeats are enough as long as there is no silence and no outage of ours between
   * them. Where there is one, actions are read too: they count just as much.
   */
  private async readContacts(
    plans: readonly Plan[],
    coverage: RecordedCoverage,
    now: Date,
  ): Promise<{ heartbeats: Map<string, Date[]>; receipts: Map<string, Receipt[]> }> {
    const wanted = sinceOfPlans(plans, ({ slots }) =>
      coverage.coveredFrom(slots[0]!.early_from, 2 * this.silentAfter),
    );
    const heartbeats = await this.logs.findHeartbeats(wanted, now);
    const rules = { now, coverage, silentAfterMs: this.silentAfter };
    const silent = wanted.filter(({ bottle_id, since }) =>
      heartbeatsLeaveGap(heartbeats.get(bottle_id.toHexString()) ?? [], since, rules),
    );
    return { heartbeats, receipts: await this.logs.findReceipts(silent) };
  }

  /** What bottles counted that have a late dose: a closing may have been lost. */
  private async readCounts(
    plans: readonly Plan[],
    removals: ReadonlyMap<string, Removal[]>,
    now: Date,
  ): Promise<Map<string, ReportedCounts>> {
    const rules = { now, silentAfterMs: this.silentAfter };
    const wanted = sinceOfPlans(plans, ({ bottle, slots }) =>
      countsMatterFrom(slots, removals.get(bottle._id.toHexString())!, rules),
    );
    return this.logs.findCounts(wanted, now);
  }

  /**
   * The outcomes on record of what may be judged again. Not all that was known of its contacts then is in a log: heartbeats
   * are deleted, and a report that was sent again is in none.
   */
  private async readRecorded(
    plans: readonly Plan[],
    now: Date,
  ): Promise<Map<string, DoseEvidence['recorded']>> {
    const again = plans.filter(({ bottle, slots }) =>
      slots.some((slot) => slot.missed_at <= now || mayBeErased({ slot }, erasedMembersOf(bottle))),
    );
    if (again.length === 0) return new Map();
    const first = Math.min(...again.map(({ slots }) => slots[0]!.scheduled_at.getTime()));
    const found = await this.outcomes.findOfBottles(
      again.map(({ bottle }) => bottle._id),
      new Date(first),
      now,
    );
    return new Map(
      [...groupBy(found, ({ bottle_id }) => bottle_id.toHexString())].map(([id, own]) => [
        id,
        new Map(own.map((dose) => [dose.scheduled_at.getTime(), dose])),
      ]),
    );
  }

  /** @throws what `read` met with this bottle. */
  judge(bottle: Bottle, evidence: DoseEvidence | Error, now: Date): JudgedDoses {
    if (evidence instanceof Error) throw evidence;
    const { schedule_versions: versions, pauses: periods } = bottle;
    const { ofDays, limitsKnownFrom, notMonitored, members: _, recorded, ...known } = evidence;
    const limited = overLimits({ versions, periods, removals: ofDays });
    const judged = judgeSlots({
      ...known,
      recorded: new Map([...recorded].map(([at, { outcome }]) => [at, outcome])),
      now,
      silent_after_ms: this.silentAfter,
      backlog_grace_ms: backlogGrace(this.silentAfter),
    });
    const erased = erasedMembersOf(bottle);
    const slots = judged.slots.map((each) => withErased(each, erased, recorded.get(+each.slot.scheduled_at)));
    const result = { ...judged, slots, awaiting_contact: slots.some((each) => each.awaiting_contact) };
    const beyond = pillsBeyondSlots(result, { versions, periods });
    const open = result.slots.find(({ phase }) => phase !== 'judged');
    const due = earliest(
      result.next_look_at,
      // the horizon itself was not looked at
      nextSlotAfter(versions, periods, new Date(horizonOf(now).getTime() - 1))?.late_at,
      nextNotMonitored(bottle, now),
    );
    return {
      ...result,
      slots: [...result.slots, ...notMonitored.map((slot) => judgeNotMonitored(slot, periods))].sort(bySlot),
      extra: [...beyond.extra, ...limited.filter(({ time }) => time >= limitsKnownFrom)],
      very_late: beyond.very_late,
      judged_until: open ? unrecordedFrom(bottle, open.slot.scheduled_at, now) : now,
      monitored_again: new Set(
        slots
          .map(({ slot }) => slot.scheduled_at.getTime())
          .filter((at) => recorded.get(at)?.outcome === 'not_monitored'),
      ),
      untaken: slots
        .filter(({ outcome, slot }) => {
          const before = recorded.get(slot.scheduled_at.getTime());
          return before && isTaken(before.outcome) && !(outcome && isTaken(outcome));
        })
        .map(({ slot }) => slot.scheduled_at),
      coverage: known.coverage,
      followsGap: known.slots.length > 0 && known.coverage.hasGap(known.slots[0]!.scheduled_at, now),
      ...(due ? { dose_due_at: due } : {}),
    };
  }
}

/** From when on pills count for the limits that a bottle may have exceeded: before its earliest removal that nobody has judged. */
function limitsFrom({ unjudged_removals = [] }: BottleState, now: Date): Date {
  const times = unjudged_removals.map(({ time }) => time.getTime());
  return new Date(Math.min(now.getTime(), ...times) - LIMIT_SPAN_MS);
}

/** Slots before this are looked at. */
function horizonOf(now: Date): Date {
  return new Date(now.getTime() + AHEAD_MS);
}

interface Plan extends Judged {
  members: readonly PlanMember[];
  slots: Slot[];
  notMonitored: Slot[];
  /** Absent when no removal can count for a slot or be extra. */
  removalsFrom?: Date;
}

function planOf(one: Judged & Pick<Plan, 'members'>, now: Date): Plan | Error {
  try {
    const { state, bottle, members } = one;
    const { schedule_versions: versions, pauses: periods } = bottle;
    const from = unsettledFrom(one, now);
    const start = chainFrom(bottle, from, now);
    const slots = slotsBetween(versions, periods, start, horizonOf(now));
    const notMonitored = slotsNotMonitored(versions, periods, from, new Date(now.getTime() + 1));
    const unjudged = unjudgedRemovals(state);
    const isBeforeFirst = unjudged.some((time) => !slots[0] || time < slots[0].early_from);
    const removalsFrom = earliest(
      slots[0]?.early_from,
      ...unjudged,
      // where no slot precedes, whether it is the first that is extra depends on all since then
      ...(isBeforeFirst ? [start] : []),
    );
    return { state, bottle, members, slots, notMonitored, ...(removalsFrom && { removalsFrom }) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * The first slot without an outcome, or an earlier time if a late removal, or a change of the schedule that nobody has
 * judged yet, touches earlier ones, or earlier ones are judged again.
 */
function unsettledFrom({ state, bottle, again_from }: Judged, now: Date): Date {
  const settled = state.judged_until ?? bottle.registered_at;
  const touched = unjudgedRemovals(state).map((time) => time.getTime());
  const changed = state.schedule_changed_at ?? now;
  const again = again_from ?? now;
  return new Date(Math.min(settled.getTime(), now.getTime(), changed.getTime(), again.getTime(), ...touched));
}

/** Where judging begins for the slots from a time on to be judged. */
function chainFrom({ schedule_versions, pauses: periods }: Bottle, from: Date, now: Date): Date {
  const versions = schedule_versions.filter((version) => !isAsNeeded(version));
  return versions.length === 0 ? now : chainStart(schedule_versions, periods, from);
}

/** When a period without monitoring begins, or a dose is due in one: then it has its outcome. */
function nextNotMonitored({ schedule_versions, pauses: periods }: Bottle, now: Date): Date | undefined {
  const left = periods.filter((period) => endsAt(period) > now.getTime());
  if (left.length === 0) return undefined;
  const next = nextSlotAfter(schedule_versions, [], now)?.scheduled_at;
  return earliest(
    next && periodAt(periods, next) ? next : undefined,
    ...left.map(({ from }) => from).filter((from) => from > now),
  );
}

/** The first open slot, or an earlier one in a period without monitoring: it gets its outcome when it is due. */
function unrecordedFrom({ schedule_versions, pauses: periods }: Bottle, open: Date, now: Date): Date {
  const [next] = slotsNotMonitored(schedule_versions, periods, new Date(now.getTime() + 1), open);
  return next?.scheduled_at ?? open;
}

const bySlot = (one: SlotJudgement, other: SlotJudgement): number =>
  one.slot.scheduled_at.getTime() - other.slot.scheduled_at.getTime();

const unjudgedRemovals = ({ unjudged_removals = [] }: BottleState): Date[] =>
  unjudged_removals.map(({ time }) => time);

/** The doses that are late now. */
export function lateDoses(doses: readonly SlotJudgement[]): SlotJudgement[] {
  return doses.filter(({ phase }) => phase === 'late');
}

/** The doses that have their outcome. */
export function settledOf({ slots }: Pick<JudgedDoses, 'slots'>): SlotJudgement[] {
  return slots.filter(({ phase }) => phase === 'judged');
}
