import {
  backlogGrace,
  chainStart,
  type ExtraDose,
  extraDoses,
  isAsNeeded,
  judgeSlots,
  type JudgeResult,
  nextSlotAfter,
  type Removal,
  type Slot,
  type SlotJudgement,
  slotsBetween,
} from '#domain';
import {
  type Bottle,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  type BottleState,
  type Dosage,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { NotifierConfig } from '../config.js';

const HOUR_MS = 60 * 60_000;
/** Slots are looked at from this far ahead, so that an early removal finds its own. */
const AHEAD_MS = 24 * HOUR_MS;
/** Holds the whole local day of any removal that is still news. */
const LIMIT_SPAN_MS = 51 * HOUR_MS;

/** A bottle's doses as they stand now. */
export interface JudgedDoses extends JudgeResult {
  /** When to look again; absent when only a contact or a new schedule can change anything. */
  dose_due_at?: Date;
  /** Every slot before this has its outcome. */
  judged_until: Date;
}

/** Reads what is known of a bottle and judges its doses by the rules of the domain. */
@Injectable()
export class DoseJudgement {
  private readonly silentAfter: number;

  constructor(
    private readonly actions: BottleActionsRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    config: NotifierConfig,
  ) {
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
  }

  /** Judges every slot that is not final yet, and those that a late removal touches. */
  async judge(state: BottleState, bottle: Bottle, now: Date): Promise<JudgedDoses> {
    const { schedule_versions: versions, pauses } = bottle;
    const slots = slotsBetween(
      versions,
      pauses,
      firstUnsettled(state, bottle, now),
      new Date(now.getTime() + AHEAD_MS),
    );
    const [removals, contacts] = await this.evidence(state, slots, now);
    const result = judgeSlots({
      slots,
      removals,
      contacts,
      now,
      silent_after_ms: this.silentAfter,
      backlog_grace_ms: backlogGrace(this.silentAfter),
    });
    const open = result.slots.find(({ phase }) => phase !== 'judged');
    const due = earliest(
      result.next_look_at,
      nextSlotAfter(versions, pauses, new Date(now.getTime() + AHEAD_MS))?.late_at,
    );
    return {
      ...result,
      extra: [...result.extra, ...(await this.overDailyLimit(bottle, now))],
      judged_until: open?.slot.scheduled_at ?? now,
      ...(due ? { dose_due_at: due } : {}),
    };
  }

  /** What an as-needed schedule's day has too much of. */
  private async overDailyLimit(bottle: Bottle, now: Date): Promise<ExtraDose[]> {
    const { schedule_versions: versions, pauses } = bottle;
    if (!versions.some(isAsNeeded)) return [];
    const dosages = await this.actions.findDosagesSince(bottle._id, new Date(now.getTime() - LIMIT_SPAN_MS));
    const extra = extraDoses({ versions, pauses, removals: dosages.map(asRemoval) });
    return extra.filter(({ reason }) => reason === 'over_daily_limit');
  }

  private async evidence(state: BottleState, slots: Slot[], now: Date): Promise<[Removal[], Date[]]> {
    const first = slots[0];
    if (!first) return [[], []];
    const heardSince = new Date(first.early_from.getTime() - 2 * this.silentAfter);
    const [dosages, heard] = await Promise.all([
      this.actions.findDosagesSince(state._id, first.early_from),
      this.heartbeats.findTimes(state._id, heardSince, now),
    ]);
    return [dosages.map(asRemoval), state.last_heard_at ? [...heard, state.last_heard_at] : heard];
  }
}

/** Where judging begins: at the first slot without an outcome, or earlier if a late removal touches earlier ones. */
function firstUnsettled(
  state: BottleState,
  { schedule_versions, pauses, registered_at }: Bottle,
  now: Date,
): Date {
  const settled = state.judged_until ?? registered_at;
  const touched = (state.unjudged_removals ?? []).map(({ time }) => time.getTime());
  const from = new Date(Math.min(settled.getTime(), now.getTime(), ...touched));
  const versions = schedule_versions.filter((version) => !isAsNeeded(version));
  return versions.length === 0 ? now : chainStart(schedule_versions, pauses, from);
}

/** The log's covered query has no id; two removals at one moment are told apart by their place. */
function asRemoval({ time, pills_taken }: Dosage, index: number): Removal {
  return { id: String(index), time, pills: pills_taken };
}

function earliest(...moments: (Date | undefined)[]): Date | undefined {
  return moments
    .filter((moment) => moment !== undefined)
    .sort((one, other) => one.getTime() - other.getTime())[0];
}

/** The doses for which somebody is, or has to be, told. */
export function lateDoses(judged: JudgedDoses): SlotJudgement[] {
  return judged.slots.filter(({ phase }) => phase === 'late');
}
