import {
  backlogGrace,
  countsMatterFrom,
  heartbeatsLeaveGap,
  judgeToday,
  LONGEST_OUTAGE_MS,
  OPENING_SEARCH_MS,
  openingsMatter,
  type OtherBottle,
  planToday,
  type RecordedCoverage,
  type Removal,
  removalsOfPlan,
  scheduleStateAt,
  sinceOfPlans,
  type Today,
  type TodaysDose,
  type TodayPlan,
  withReports,
} from '#domain';
import {
  type ActionSeen,
  type AttestationEntry,
  type Bottle,
  BottleHeartbeatsRepository,
  BottleLogsRepository,
  type BottleState,
  CoverageRepository,
  DoseOutcomesRepository,
  erasedMembersOf,
  type PlanMember,
  type Receipt,
  type Removed,
  SharedPlansRepository,
  type Since,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { isOutcome } from '../history/history.dto.js';
import { viewOf } from '../http/view.js';
import { TodayDto } from './today.dto.js';

/** The doses of a bottle's day, and whether it is silent. */
export interface BottleToday extends Today {
  is_silent: boolean;
}

interface Asked {
  bottle: Bottle;
  state: BottleState;
}

interface Planned extends Asked {
  plan: Parameters<typeof planToday>[0];
  planned: TodayPlan;
  /** The further bottles of the plan. */
  members: PlanMember[];
}

/** Judges the doses of a bottle's local day from the log, when asked. */
@Injectable()
export class TodayService {
  private readonly silentAfter: number;

  constructor(
    private readonly logs: BottleLogsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly coverage: CoverageRepository,
    private readonly plans: SharedPlansRepository,
    private readonly outcomes: DoseOutcomesRepository,
    config: SupportApiConfig,
  ) {
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  async judge(bottle: Bottle, state: BottleState, now: Date): Promise<BottleToday> {
    return (await this.judgeAll([{ bottle, state }], now))[0]!;
  }

  /** Judges several bottles with the same queries as one; in the order given. */
  async judgeAll(asked: readonly Asked[], now: Date): Promise<BottleToday[]> {
    const members = await this.plans.findMembers(asked.map(({ bottle }) => bottle));
    const all = asked.map(({ bottle, state }): Planned => {
      const plan = this.planOf(bottle, now);
      const further = members.get(bottle._id.toHexString()) ?? [];
      return { bottle, state, plan, planned: planToday(plan), members: further };
    });
    const coverage = await this.readCoverage(
      all.flatMap(({ planned, state }) => [planned.contacts_since, state.last_heard_at]),
      now,
    );
    const [removed, contactsOf, recorded] = await Promise.all([
      this.logs.findRemovals(sinceOfPlans(all, ({ planned }) => planned.removals_since)),
      this.readContacts(
        sinceOfPlans(all, ({ planned }) => planned.contacts_since),
        coverage,
        now,
      ),
      this.readRecorded(all, now),
    ]);
    const removalsOf = await this.readRemovals(all, removed, contactsOf);
    const counts = await this.logs.findCounts(
      sinceOfPlans(all, (one) =>
        countsMatterFrom(one.planned.slots, removalsOf.get(one)!, { now, silentAfterMs: this.silentAfter }),
      ),
      now,
    );
    const seen = ({ _id, last_heard_at: last }: BottleState): Pick<OtherBottle, 'contacts' | 'counts'> => {
      const id = _id.toHexString();
      const contacts = contactsOf.get(id)?.contacts ?? [];
      return {
        contacts: last ? [...contacts, last] : contacts,
        ...(counts.has(id) && { counts: counts.get(id)! }),
      };
    };
    return all.map((one) => {
      const { state, plan, planned } = one;
      const is_silent = this.isSilent(state, coverage);
      const evidence = {
        removals: removalsOf.get(one)!,
        ...seen(state),
        others: [
          ...one.members.map((member) => ({
            shared: member.shared,
            periods: member.bottle.pauses,
            ...seen(member.state),
          })),
          ...erasedMembersOf(one.bottle).map((span) => ({
            shared: [span],
            contacts: [],
            erased: true as const,
          })),
        ],
        last_seen_at: state.last_heard_at,
        is_silent,
        coverage,
        recorded: new Map(
          recorded
            .filter(({ bottle_id }) => bottle_id.equals(one.bottle._id))
            .map(({ scheduled_at, outcome }) => [scheduled_at.getTime(), outcome]),
        ),
      };
      return { ...judgeToday(planned, { ...plan, ...evidence }), is_silent };
    });
  }

  private planOf({ schedule_versions: versions, pauses: periods, time_zone }: Bottle, now: Date) {
    const silent_after_ms = this.silentAfter;
    return {
      versions,
      periods,
      time_zone,
      now,
      silent_after_ms,
      backlog_grace_ms: backlogGrace(silent_after_ms),
    };
  }

  private readCoverage(since: readonly (Date | undefined)[], now: Date): Promise<RecordedCoverage> {
    const first = Math.min(now.getTime(), ...since.flatMap((at) => at?.getTime() ?? []));
    return this.coverage.read(new Date(first - LONGEST_OUTAGE_MS), now, this.silentAfter);
  }

  /** The outcomes on record of doses that are over, for a report that was sent again is a contact and in no log. */
  private readRecorded(
    all: readonly Planned[],
    now: Date,
  ): ReturnType<DoseOutcomesRepository['findOfDoses']> {
    return this.outcomes.findOfDoses(
      all.flatMap(({ bottle, planned }) =>
        planned.slots
          .filter(({ missed_at }) => missed_at <= now)
          .map(({ scheduled_at }) => ({ bottle_id: bottle._id, scheduled_at })),
      ),
    );
  }

  /** What was removed for each plan. */
  private async readRemovals(
    all: readonly Planned[],
    removed: ReadonlyMap<string, Removed[]>,
    contactsOf: ReadonlyMap<string, { receipts: Receipt[] }>,
  ): Promise<Map<Planned, Removal[]>> {
    const receipts = new Map([...contactsOf].map(([id, seen]) => [id, seen.receipts]));
    const read = (one: Planned, openings?: ReadonlyMap<string, ActionSeen[]>): Removal[] =>
      removalsOfPlan(one, one.planned.removals_since, { removed, receipts, ...(openings && { openings }) });
    const asked = all.filter((one) => openingsMatter(one.planned.slots, read(one)));
    const openings = await this.logs.findActions(
      sinceOfPlans(
        asked,
        ({ planned: { removals_since: since } }) => since && new Date(since.getTime() - OPENING_SEARCH_MS),
      ),
    );
    return new Map(all.map((one) => [one, read(one, openings)]));
  }

  /**
   * When the bottles were seen since a time, and the last time before. Heartbeats are enough as long as there is no
   * silence and no outage of ours between them. Where there is one, actions are read too: they count just as much.
   */
  private async readContacts(
    wanted: readonly Since[],
    coverage: RecordedCoverage,
    now: Date,
  ): Promise<Map<string, { contacts: Date[]; receipts: Receipt[] }>> {
    const [found, lastBefore] = await Promise.all([
      this.logs.findHeartbeats(wanted, now),
      Promise.all(
        wanted.map(({ bottle_id, since }) => this.heartbeats.findTimes(bottle_id, new Date(0), since, 1)),
      ),
    ]);
    const seen = wanted.map(({ bottle_id, since }, index) => {
      const before = lastBefore[index]!;
      const heartbeats = [...before, ...(found.get(bottle_id.toHexString()) ?? [])];
      return { bottle_id, since: before[0] ?? since, heartbeats };
    });
    const withGap = seen.filter(({ heartbeats, since }) =>
      heartbeatsLeaveGap(heartbeats, since, { now, coverage, silentAfterMs: this.silentAfter }),
    );
    const actions = await this.logs.findReceipts(withGap);
    return new Map(
      seen.map(({ bottle_id, heartbeats }) => {
        const id = bottle_id.toHexString();
        const receipts = actions.get(id) ?? [];
        return [
          id,
          { contacts: [...heartbeats, ...receipts.map(({ received_at }) => received_at)], receipts },
        ];
      }),
    );
  }

  /** By the notifier's rule: only time in which reports were accepted counts. True of a bottle that never reported. */
  private isSilent({ quiet, last_heard_at: last }: BottleState, coverage: RecordedCoverage): boolean {
    return !last || quiet !== undefined || coverage.since(last) >= this.silentAfter;
  }
}

/** @param entries what people say about doses of the bottle; those of `today` are shown */
export function todayView(
  { schedule_versions, pauses: periods, shared_plans }: Bottle,
  today: Today,
  entries: readonly AttestationEntry[],
  now: Date,
): TodayDto {
  const { state, ...until } = scheduleStateAt(schedule_versions, periods, now, shared_plans);
  return viewOf(TodayDto, {
    ...today,
    local_date: today.day.local_date,
    schedule_state: state,
    schedule_state_until: 'until' in until ? (until.until ?? null) : null,
    doses: withReports(today.doses.map(doseView), entries, ({ status }) =>
      isOutcome(status) ? status : undefined,
    ),
  });
}

const doseView = ({ slot, ...dose }: TodaysDose) => ({ ...slot, ...dose, pills_scheduled: slot.pills });
