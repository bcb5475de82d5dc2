import { BottlesRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Comparison, type ComparedRange } from '../comparing/comparison.js';
import {
  actionMinutes,
  type LogPage,
  type MinuteLog,
  ReportLog,
  settledBefore,
} from '../comparing/report-log.js';
import { TierComparison } from '../comparing/tier-comparison.js';
import { ALWAYS_COMPARED } from '../recorder/activity-recorder.js';
import { WriterJournal, type WriterEntry } from '../recorder/writer-journal.js';
import { homeOf } from '../tiers/tiers.js';
import { DAY, endOf, HOUR, MINUTE, SECOND, startOf } from '../time/units.js';
import {
  type ClaimedPartition,
  type ComparingRound,
  ComparingRoundsRepository,
  minutesOf,
} from './comparing-rounds.repository.js';
import { Recounts } from './recounts.js';

/** A process that counts and says nothing for so long is dead, or as good as that. Milliseconds. */
const DEAD_AFTER = 90 * SECOND;
/** What a dead process had received and not counted, it had received within this time. Milliseconds. */
const LAST_WORDS = 10 * MINUTE;
/** A report waits no longer between its receipt and its being counted. Milliseconds. */
const IN_FLIGHT = MINUTE;
/** How often it runs, and a little. Milliseconds. */
const INTERVAL = 1.5 * HOUR;
/** A round that began this short a time ago is this hour's. Milliseconds. */
const FRESH = HOUR / 2;
/** How long a page of a piece may take before another notifier takes the piece over. Milliseconds. */
const LEASE = MINUTE;
/** The same for finishing a round; done twice, it changes nothing. Milliseconds. */
const FINISHING = 50 * MINUTE;
/** Hours nearer than this are compared in one walk of the fleet. Milliseconds. */
const NEAR = 2 * DAY;

export interface ReconciledActivity {
  /** Counts that were not what the log says. */
  differing: number;
  /** Units that are being counted anew because of that; done a minute later, see {@link Recounts.finishDue}. */
  recounting: number;
}

interface Reconciling {
  clock: { now(): Date };
  heartbeatsSince: Date;
  /** No more bottles a second. */
  rate: number;
  stopping: () => boolean;
}

/**
 * The hourly comparison of what was counted with the logs: the last hours, and whatever a process that died or lost
 * counts may have left out. What differs is counted anew. In a healthy system nothing does.
 *
 * The last hours are a round of pieces of the fleet, kept in the database: any number of notifiers take pieces, and
 * what a stopped one leaves is taken by the next. Whoever finds all of them done finishes the round.
 */
@Injectable()
export class ActivityReconcile {
  constructor(
    private readonly comparison: Comparison,
    private readonly tiers: TierComparison,
    private readonly rounds: ComparingRoundsRepository,
    private readonly bottles: BottlesRepository,
    private readonly recounts: Recounts,
    private readonly journal: WriterJournal,
    private readonly log: ReportLog,
  ) {}

  /**
   * Goes on with the round under way; begins the next one, unless that was this hour's.
   *
   * @param rate no more bottles a second.
   * @returns what this process found; a round has what it found in the process that finished it.
   */
  async run(
    clock: { now(): Date },
    heartbeatsSince: Date,
    rate = Number.POSITIVE_INFINITY,
    stopping = () => false,
  ): Promise<ReconciledActivity> {
    const how = { clock, heartbeatsSince, rate, stopping };
    const result = { differing: 0, recounting: 0 };
    const last = await this.resume(how, result);
    const isFresh = last !== undefined && clock.now().getTime() - last.getTime() < FRESH;
    if (isFresh || stopping()) return result;
    await this.begin(clock.now());
    await this.resume(how, result);
    return result;
  }

  private async begin(now: Date): Promise<void> {
    const since = startOf('hour', new Date(now.getTime() - ALWAYS_COMPARED - INTERVAL));
    const range = { from: since, to: endOf('hour', now) };
    const counted = await this.tiers.readMinutes('reports', range);
    await this.rounds.begin({ began_at: now, range, counted, pieces: await this.bottles.findPartitions() });
  }

  /** @returns when the round began of which it has done something. */
  private async resume(how: Reconciling, result: ReconciledActivity): Promise<Date | undefined> {
    const { clock, stopping } = how;
    let began: Date | undefined;
    while (!stopping()) {
      const piece = await this.rounds.claimPartition(clock.now(), LEASE);
      if (!piece) break;
      began = piece.round.began_at;
      await this.readPiece(piece, how);
    }
    if (stopping()) return began;
    const round = await this.rounds.claimFinish(clock.now(), FINISHING);
    if (!round) return began;
    const finished = await this.finish(round, how, result);
    await (finished ? this.rounds.end(round) : this.rounds.releaseFinish(round));
    return round.began_at;
  }

  private async readPiece(piece: ClaimedPartition, { clock, rate, stopping }: Reconciling): Promise<void> {
    const { began_at, range } = piece.round;
    const minutes: MinuteLog[] = [];
    for await (const { actions } of this.log.walk(range.from, range.to, rate, piece)) {
      minutes.push(...actionMinutes(actions, settledBefore(began_at)));
      if (!(await this.rounds.renew(piece, new Date(clock.now().getTime() + LEASE)))) return;
      if (stopping()) return this.rounds.releasePartition(piece);
    }
    await this.rounds.finishPartition(piece, minutes);
  }

  /** @returns false when it was stopped before all was compared. */
  private async finish(
    round: ComparingRound,
    how: Reconciling,
    result: ReconciledActivity,
  ): Promise<boolean> {
    const { clock, heartbeatsSince, rate, stopping } = how;
    const now = clock.now();
    const deadBefore = new Date(now.getTime() - DEAD_AFTER);
    const suspects = await this.journal.findSuspect(deadBefore);
    if (suspects.length === 0 && !(await this.differs(round, heartbeatsSince))) return true;
    for (const range of near([round.range, ...suspects.flatMap(touchedBy)], now)) {
      if (stopping()) return false;
      const days = {
        from: new Date(startOf('day', range.from).getTime() - DAY),
        to: new Date(endOf('day', range.to).getTime() + DAY),
      };
      const heard = (page: LogPage): Promise<LogPage> => this.heardIn(page, suspects.flatMap(lossesOf));
      const all = await this.comparison.reports(days, now, clock, heartbeatsSince, heard, rate);
      // what may be right is made anew, too: nobody looks again
      const differing = all.filter(({ unit }) => unit);
      result.differing += differing.filter(({ sure }) => sure).length;
      result.recounting += await this.recounts.begin(
        differing.flatMap(({ unit }) => unit ?? []),
        clock,
      );
    }
    for (const suspect of suspects) await this.journal.settle(suspect, deadBefore);
    return true;
  }

  /** Whether any of the minutes that were counted is surely not what the log says. */
  private async differs(round: ComparingRound, heartbeatsSince: Date): Promise<boolean> {
    const { range, counted, began_at } = round;
    const read = this.tiers.minutesRead('reports', range, counted, began_at);
    const heartbeats = await this.log.heartbeatMinutes(range.from, range.to, settledBefore(began_at));
    const since = (key: string): Date => (key === 'heartbeats' ? heartbeatsSince : range.from);
    const found = this.tiers.compare([read], [...minutesOf(round), ...heartbeats], since);
    return found.some(({ unit, sure }) => unit && sure);
  }

  /** Only the bottles of which something was received in these spans. */
  private async heardIn(page: LogPage, spans: ComparedRange[]): Promise<LogPage> {
    const heard = new Set<string>();
    for (const { from, to } of spans) {
      for (const { bottle_id } of await this.log.heartbeatsOf(page.bottles, from, to))
        heard.add(bottle_id.toHexString());
      for (const { bottle_id, received_at } of page.actions)
        if (received_at >= from && received_at < to) heard.add(bottle_id.toHexString());
    }
    return { ...page, bottles: page.bottles.filter(({ _id }) => heard.has(_id.toHexString())) };
  }
}

/** When a process received what it did not count, or may not have. */
function lossesOf({ counted_until, ended, lost }: WriterEntry): ComparedRange[] {
  const last = {
    from: new Date(counted_until.getTime() - IN_FLIGHT),
    to: new Date(counted_until.getTime() + LAST_WORDS),
  };
  return [...lost, ...(ended ? [] : [last])];
}

/** The times of the events that may be missing: those of the spans, and the hours that were announced. */
function touchedBy(entry: WriterEntry): ComparedRange[] {
  const hours = [...entry.hours, ...entry.lost.flatMap((loss) => loss.hours)];
  return [
    ...hours.map((hour) => ({ from: hour, to: endOf('hour', hour) })),
    ...lossesOf(entry).map(({ from, to }) => ({ from: new Date(from.getTime() - ALWAYS_COMPARED), to })),
  ];
}

/** Ranges in whole hours, or in whole days where hours are past keeping; those near each other as one. */
function near(ranges: readonly ComparedRange[], now: Date): ComparedRange[] {
  const whole = ranges
    .map(({ from, to }) => {
      const span = homeOf(from, now) === '1d' ? 'day' : 'hour';
      return { from: startOf(span, from), to: endOf(span, to) };
    })
    .sort((one, other) => one.from.getTime() - other.from.getTime());
  const joined: ComparedRange[] = [];
  for (const range of whole) {
    const last = joined.at(-1);
    if (!last || range.from.getTime() - last.to.getTime() > NEAR) joined.push({ ...range });
    else if (range.to > last.to) last.to = range.to;
  }
  return joined;
}
