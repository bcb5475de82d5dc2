import {
  backlogGrace,
  heartbeatsLeaveGap,
  judgeToday,
  LONGEST_OUTAGE_MS,
  planToday,
  type RecordedCoverage,
  type Removal,
  scheduleStateAt,
  type Today,
  type TodaysDose,
  withReceipts,
} from '#domain';
import {
  type Bottle,
  BottleHeartbeatsRepository,
  BottleLogsRepository,
  type BottleState,
  CoverageRepository,
  type Receipt,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import { viewOf } from '../http/view.js';
import { TodayDto } from './today.dto.js';

/** The doses of a bottle's day, and whether it is silent. */
export interface BottleToday extends Today {
  is_silent: boolean;
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
    const plan = {
      versions: bottle.schedule_versions,
      pauses: bottle.pauses,
      time_zone: bottle.time_zone,
      now,
      silent_after_ms: this.silentAfter,
      backlog_grace_ms: backlogGrace(this.silentAfter),
    };
    const planned = planToday(plan);
    const last = state.last_heard_at;
    const coverage = await this.readCoverage(planned.contacts_since, last, now);
    const [removals, { contacts, receipts }] = await Promise.all([
      this.readRemovals(bottle._id, planned.removals_since),
      this.readContacts(bottle._id, planned.contacts_since, coverage, now),
    ]);
    const is_silent = this.isSilent(state, coverage);
    const evidence = {
      removals: withReceipts(removals, receipts),
      contacts: last ? [...contacts, last] : contacts,
      last_seen_at: last,
      is_silent,
      coverage,
    };
    return { ...judgeToday(planned, { ...plan, ...evidence }), is_silent };
  }

  private readCoverage(
    contactsSince: Date | undefined,
    last: Date | undefined,
    now: Date,
  ): Promise<RecordedCoverage> {
    const first = Math.min(now.getTime(), ...[contactsSince, last].flatMap((at) => at?.getTime() ?? []));
    return this.coverage.read(new Date(first - LONGEST_OUTAGE_MS), now, this.silentAfter);
  }

  private async readRemovals(bottle_id: Types.ObjectId, since: Date | undefined): Promise<Removal[]> {
    if (!since) return [];
    const found = await this.logs.findDosages([{ bottle_id, since }]);
    // the covered query returns no id: two removals at one moment are distinguished by their position
    return (found.get(bottle_id.toHexString()) ?? []).map(({ time, pills_taken }, index) => ({
      id: String(index),
      time,
      pills: pills_taken,
    }));
  }

  /**
   * When the bottle was seen since a time, and the last time before. Heartbeats are enough as long as there is no
   * silence and no outage of ours between them. Where there is one, actions are read too: they count just as much.
   */
  private async readContacts(
    bottle_id: Types.ObjectId,
    since: Date | undefined,
    coverage: RecordedCoverage,
    now: Date,
  ): Promise<{ contacts: Date[]; receipts: Receipt[] }> {
    if (!since) return { contacts: [], receipts: [] };
    const id = bottle_id.toHexString();
    const [found, before] = await Promise.all([
      this.logs.findHeartbeats([{ bottle_id, since }], now),
      this.heartbeats.findTimes(bottle_id, new Date(0), since, 1),
    ]);
    const heartbeats = [...before, ...(found.get(id) ?? [])];
    const from = before[0] ?? since;
    if (!heartbeatsLeaveGap(heartbeats, from, { now, coverage, silentAfterMs: this.silentAfter }))
      return { contacts: heartbeats, receipts: [] };
    const actions = await this.logs.findReceipts([{ bottle_id, since: from }]);
    const receipts = actions.get(id) ?? [];
    return { contacts: [...heartbeats, ...receipts.map(({ received_at }) => received_at)], receipts };
  }

  /** By the notifier's rule: only time in which reports were accepted counts. True of a bottle that never reported. */
  private isSilent({ quiet, last_heard_at: last }: BottleState, coverage: RecordedCoverage): boolean {
    return !last || quiet !== undefined || coverage.since(last) >= this.silentAfter;
  }
}

export function todayView({ schedule_versions, pauses }: Bottle, today: Today, now: Date): TodayDto {
  const { state, ...until } = scheduleStateAt(schedule_versions, pauses, now);
  return viewOf(TodayDto, {
    ...today,
    local_date: today.day.local_date,
    schedule_state: state,
    schedule_state_until: 'until' in until ? until.until : null,
    doses: today.doses.map(doseView),
  });
}

const doseView = ({ slot, ...dose }: TodaysDose) => ({ ...slot, ...dose, pills_scheduled: slot.pills });
