import { type Ratio, ratio } from '../../adherence/ratio.js';
import { groupBy } from '../../group-by.js';
import { DAY_MS } from '../../time/durations.js';
import type { AlertKind } from '../alert-kinds.js';
import type { AlertState } from '../alert.js';
import type { CloseReason } from '../closing.js';

/** Closed for one of these reasons, an alert was about nothing. */
export const FALSE_REASONS: readonly CloseReason[] = ['device_fault', 'duplicate', 'not_relevant'];
/** By these messages people say something else of the dose. */
const STATED: readonly string[] = ['reported_taken', 'reported_skipped'];

/** An alert with the messages about it. */
export interface Alarm {
  kind: AlertKind;
  medication: string;
  raised_at: Date;
  state: AlertState;
  closing?: { reason: CloseReason };
  acknowledged_at?: Date;
  messages: readonly { event: string; sent: boolean; created_at: Date }[];
}

/** What alerts of a kind were worth, of which a message was sent (docs/alerts.md). */
export interface AlarmQuality {
  kind: AlertKind;
  /** By what is grouped: a medication, or a month `YYYY-MM`; null for the fleet. */
  group: string | null;
  bottle_days: number;
  alerts: number;
  messages: number;
  messages_per_1000_bottle_days: number | null;
  retracted: Ratio;
  corrected: Ratio;
  attested_otherwise: Ratio;
  closed_as_false: Ratio;
  acknowledged_in_time: Ratio;
}

export const ALARM_GROUPS = ['fleet', 'medication', 'month'] as const;
export type AlarmGroup = (typeof ALARM_GROUPS)[number];

/** Bottles that are registered, or retired, by their medication. `offset_ms`: the sum of how long after the range's begin they were. */
export interface Registered {
  medication: string;
  /** The month of it, `YYYY-MM`; null: before the range. */
  month: string | null;
  bottles: number;
  offset_ms: number;
}

/** Counts of the alerts of one group and kind; of alerts without a sent message none. */
export interface AlarmCounts {
  alerts: number;
  messages: number;
  retracted: number;
  corrected: number;
  attested_otherwise: number;
  closed_as_false: number;
  acknowledged_in_time: number;
}

export const noAlarms = (): AlarmCounts => ({
  alerts: 0,
  messages: 0,
  retracted: 0,
  corrected: 0,
  attested_otherwise: 0,
  closed_as_false: 0,
  acknowledged_in_time: 0,
});

/** The counts with one more alert. */
export function withAlarm(counts: AlarmCounts, alarm: Alarm): AlarmCounts {
  const sent = alarm.messages.filter(({ sent }) => sent);
  if (sent.length === 0) return counts;
  const says = (events: readonly string[]): number =>
    Number(sent.some(({ event }) => events.includes(event)));
  return {
    alerts: counts.alerts + 1,
    messages: counts.messages + sent.length,
    retracted: counts.retracted + Number(alarm.state === 'retracted'),
    corrected: counts.corrected + says(['corrected']),
    attested_otherwise: counts.attested_otherwise + says(STATED),
    closed_as_false:
      counts.closed_as_false +
      Number(alarm.closing !== undefined && FALSE_REASONS.includes(alarm.closing.reason)),
    acknowledged_in_time: counts.acknowledged_in_time + Number(wasInTime(alarm, sent)),
  };
}

/** Acknowledged before anybody was reminded or the next step of the policy was sent. */
function wasInTime({ acknowledged_at }: Alarm, sent: Alarm['messages']): boolean {
  if (!acknowledged_at) return false;
  return sent.every(({ event, created_at }) => event !== 'escalated' || created_at >= acknowledged_at);
}

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export const groupOf = (alarm: Pick<Alarm, 'medication' | 'raised_at'>, by: AlarmGroup): string | null =>
  by === 'fleet' ? null : by === 'medication' ? alarm.medication : monthOf(alarm.raised_at);

/** Bottle-days of each group in [from, to): from registration on, until they were retired. */
export function bottleDays(
  registered: readonly Registered[],
  retired: readonly Registered[],
  range: { from: Date; to: Date },
  by: AlarmGroup,
): Map<string | null, number> {
  const months = monthsOf(range);
  const lastingIn = (of: readonly Registered[], parts: readonly Month[]): number =>
    sum(parts.flatMap((month) => of.map((one) => lasting(one, month, range.from))));
  const daysIn = (parts: readonly Month[], all = registered, ended = retired): number =>
    (lastingIn(all, parts) - lastingIn(ended, parts)) / DAY_MS;
  if (by === 'month') return new Map(months.map((month) => [month.name, daysIn([month])]));
  if (by === 'fleet') return new Map([[null, daysIn(months)]]);
  const [all, ended] = [registered, retired].map((of) => groupBy(of, ({ medication }) => medication));
  return new Map(
    [...all!].map(([medication, of]) => [medication, daysIn(months, of, ended!.get(medication) ?? [])]),
  );
}

/** A calendar month (UTC), or the part of it that is in the range. */
interface Month {
  name: string;
  from: Date;
  to: Date;
}

function monthsOf({ from, to }: { from: Date; to: Date }): Month[] {
  const months: Month[] = [];
  for (let begins = from; begins < to;) {
    const next = new Date(Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + 1, 1));
    const ends = next < to ? next : to;
    months.push({ name: monthOf(begins), from: begins, to: ends });
    begins = ends;
  }
  return months;
}

/** How long these bottles were registered in a month, together. Milliseconds. */
function lasting({ month, bottles, offset_ms }: Registered, { name, from, to }: Month, begin: Date): number {
  if (month === null || month < name) return bottles * (to.getTime() - from.getTime());
  return month === name ? bottles * (to.getTime() - begin.getTime()) - offset_ms : 0;
}

/** The figures of each group and kind, in this order; a group without an alert has none. */
export function alarmQuality(
  counts: ReadonlyMap<string | null, ReadonlyMap<AlertKind, AlarmCounts>>,
  days: ReadonlyMap<string | null, number>,
): AlarmQuality[] {
  const ordered = [...counts].toSorted(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
  return ordered.flatMap(([group, byKind]) =>
    [...byKind]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([kind, of]) => figuresOf(kind, group, of, days.get(group) ?? 0)),
  );
}

function figuresOf(kind: AlertKind, group: string | null, of: AlarmCounts, days: number): AlarmQuality {
  const share = (part: number): Ratio => ratio(part, of.alerts);
  return {
    kind,
    group,
    bottle_days: days,
    alerts: of.alerts,
    messages: of.messages,
    messages_per_1000_bottle_days: days > 0 ? (of.messages * 1_000) / days : null,
    retracted: share(of.retracted),
    corrected: share(of.corrected),
    attested_otherwise: share(of.attested_otherwise),
    closed_as_false: share(of.closed_as_false),
    acknowledged_in_time: share(of.acknowledged_in_time),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
