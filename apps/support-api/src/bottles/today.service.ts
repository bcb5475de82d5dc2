import {
  backlogGrace,
  countsMatterFrom,
  heartbeatsLeaveGap,
  isOutsideWindows,
  judgeToday,
  LONGEST_OUTAGE_MS,
  OPENING_SEARCH_MS,
  planToday,
  type RecordedCoverage,
  type Removal,
  scheduleStateAt,
  type Today,
  type TodaysDose,
  type TodayPlan,
  withOpenings,
  withReceipts,
  withReports,
} from '#domain';
import {
  type AttestationEntry,
  type Bottle,
  BottleHeartbeatsRepository,
  BottleLogsRepository,
  type BottleState,
  CoverageRepository,
  type Receipt,
  type Removed,
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

/** Judges the doses of a bottle's local day from the log, when asked. */
@Injectable()
export class TodayService {
  private readonly silentAfter: number;

  constructor(
    private readonly logs: BottleLogsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly coverage: CoverageRepository,
    config: SupportApiConfig,
  ) {
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  async judge(bottle: Bottle, state: BottleState, now: Date): Promise<BottleToday> {
    return (await this.judgeAll([{ bottle, state }], now))[0]!;
  }

  /** Judges several bottles with the same queries as one; in the order given. */
  async judgeAll(asked: readonly Asked[], now: Date): Promise<BottleToday[]> {
    const all = asked.map(({ bottle, state }) => {
      const plan = this.planOf(bottle, now);
      return { bottle_id: bottle._id, state, plan, planned: planToday(plan) };
    });
    const coverage = await this.readCoverage(
      all.flatMap(({ planned, state }) => [planned.contacts_since, state.last_heard_at]),
      now,
    );
    const [removalsOf, contactsOf] = await Promise.all([
      this.readRemovals(all),
      this.readContacts(
        sinceOf(all, ({ planned }) => planned.contacts_since),
        coverage,
        now,
      ),
    ]);
    const counts = await this.logs.findCounts(
      sinceOf(all, ({ bottle_id, planned }) =>
        countsMatterFrom(planned.slots, removalsOf.get(bottle_id.toHexString()) ?? [], {
          now,
          silentAfterMs: this.silentAfter,
        }),
      ),
      now,
    );
    return all.map(({ bottle_id, state, plan, planned }) => {
      const id = bottle_id.toHexString();
      const { contacts, receipts } = contactsOf.get(id) ?? { contacts: [], receipts: [] };
      const last = state.last_heard_at;
      const is_silent = this.isSilent(state, coverage);
      const evidence = {
        removals: withReceipts(removalsOf.get(id) ?? [], receipts),
        contacts: last ? [...contacts, last] : contacts,
        last_seen_at: last,
        is_silent,
        coverage,
        ...(counts.has(id) && { counts: counts.get(id)! }),
      };
      return { ...judgeToday(planned, { ...plan, ...evidence }), is_silent };
    });
  }

  private planOf({ schedule_versions: versions, pauses, time_zone }: Bottle, now: Date) {
    const silent_after_ms = this.silentAfter;
    return {
      versions,
      pauses,
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

  private async readRemovals(
    all: readonly { bottle_id: Since['bottle_id']; planned: TodayPlan }[],
  ): Promise<Map<string, Removal[]>> {
    const found = await this.logs.findDosages(sinceOf(all, ({ planned }) => planned.removals_since));
    const outside = all.filter(({ bottle_id, planned }) =>
      isOutsideWindows(planned.slots, found.get(bottle_id.toHexString()) ?? []),
    );
    const openings = await this.logs.findActions(
      sinceOf(
        outside,
        ({ planned: { removals_since: since } }) => since && new Date(since.getTime() - OPENING_SEARCH_MS),
      ),
    );
    // the covered query returns no id: two removals at one moment are distinguished by their position
    const toRemoval = ({ time, pills_taken }: Removed, index: number): Removal => ({
      id: String(index),
      time,
      pills: pills_taken,
    });
    return new Map(
      [...found].map(([id, removals]) => [id, withOpenings(removals.map(toRemoval), openings.get(id) ?? [])]),
    );
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

function sinceOf<T extends Pick<Since, 'bottle_id'>>(
  all: readonly T[],
  timeOf: (one: T) => Date | undefined,
): Since[] {
  return all.flatMap((one) => {
    const since = timeOf(one);
    return since ? [{ bottle_id: one.bottle_id, since }] : [];
  });
}

/** @param entries what people say about doses of the bottle; those of `today` are shown */
export function todayView(
  { schedule_versions, pauses }: Bottle,
  today: Today,
  entries: readonly AttestationEntry[],
  now: Date,
): TodayDto {
  const { state, ...until } = scheduleStateAt(schedule_versions, pauses, now);
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
