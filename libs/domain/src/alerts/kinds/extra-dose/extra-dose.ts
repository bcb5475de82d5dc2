import type { ExtraDose, ExtraReason } from '../../../doses/match.js';
import { type CountedClosing, pillsPutBack } from '../../../doses/put-back.js';
import { type UnmonitoredPeriod, reasonOf, periodAt, removalIn } from '../../../doses/periods.js';
import type { Filling } from '../../../doses/pillbox.js';
import { groupBy } from '../../../group-by.js';
import { DAY_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import {
  type AlertBottle,
  alertIdOf,
  type AlertToEnd,
  type AlertToRaise,
  type Learned,
} from '../../findings.js';
import type { ExtraDoseEvidence } from './evidence.js';

/** Removals longer ago are recorded, and nobody is notified of them. Milliseconds. */
const NOTIFIED_WITHIN_MS = 7 * DAY_MS;

/** The removals of each moment, which of many bottles is a second. */
const byMoment = (extra: readonly ExtraDose[]): [ExtraDose, ...ExtraDose[]][] => [
  ...groupBy(extra, ({ time }) => time.getTime()).values(),
];

/** Of how many alerts of one moment, beside one for each removal, it is known whether they are closed. */
const FURTHER_ALERTS = 4;

/**
 * The ids, in hex, of the alerts that there may be of these removals, open or not: one for each, and those that were raised
 * when more of their pills proved to be extra.
 */
export function extraDoseAlertIds(bottle: AlertBottle, extra: readonly ExtraDose[]): string[] {
  return byMoment(extra).flatMap(([{ time }, ...others]) =>
    Array.from({ length: 1 + others.length + FURTHER_ALERTS }, (_, index) =>
      alertIdOf({ bottle, kind: 'extra_dose', cause: causeOf(time, index) }),
    ),
  );
}

/** What tells the alerts of one moment apart. @param index how many there were before */
const causeOf = (time: Date, index: number): Date => new Date(time.getTime() + index);

/**
 * Finds pills taken beyond the schedule, each removal once. Those of one moment are one alert; what arrives when that is
 * raised is another, also if staff have closed it, and so are further pills that prove to be extra by a report that came
 * late: whoever was notified of the first does not know of them.
 *
 * @param raised the bottle's alerts of these removals, open or not
 * @param from since when all doses and removals are judged; undefined if none are
 */
export function findExtraDoses(
  bottle: AlertBottle,
  extra: readonly ExtraDose[],
  raised: readonly Alert<'extra_dose'>[],
  now: Date,
  from?: Date,
  pillbox?: Pillbox,
): AlertToRaise<'extra_dose'>[] {
  return byMoment(extra).map((together) => {
    const [{ time, reason }] = together;
    const known = raised.filter(({ evidence }) => +evidence.removed_at === +time);
    const removals = together.length - sum(known.map(({ evidence }) => removalsOf(evidence)));
    const pills = pillsOf(together);
    const rest = pills - sum(known.map(({ evidence }) => evidence.extra_pills));
    const isCertain = removals > 0 || BY_LIMITS.has(reason) || isJudgedAt(time, from);
    const isFurther = known.length > 0 && rest > 0 && isCertain;
    const cause = causeOf(time, isFurther ? known.length : 0);
    const notifiedUntil = new Date(time.getTime() + NOTIFIED_WITHIN_MS);
    return {
      bottle,
      kind: 'extra_dose',
      subject: cause.toISOString(),
      cause,
      deadline: time,
      evidence: {
        removed_at: time,
        extra_pills: isFurther ? rest : pills,
        ...(isFurther && { pills_in_all: pills }),
        ...(together.length > 1 && removals > 0 && { removals: isFurther ? removals : together.length }),
        ...reasonEvidence(together[0]),
        ...pillboxEvidence(pillbox, together, pills),
      },
      ...(now > notifiedUntil && {
        end: { state: 'resolved', at: now, by: 'notifier', note: 'found more than 7 days later' },
        endsIfRaisedAfter: notifiedUntil,
      }),
    };
  });
}

/** Why pills are extra, as evidence has it. */
function reasonEvidence({
  reason,
  last_dose_at,
  next_dose_at,
  is_rare,
  not_monitored,
}: ExtraDose): Pick<
  ExtraDoseEvidence,
  'rule' | 'last_dose_at' | 'next_dose_at' | 'is_rare' | 'not_monitored'
> {
  return {
    rule: reason,
    ...(last_dose_at && { last_dose_at }),
    ...(next_dose_at && { next_dose_at }),
    ...(is_rare && { is_rare }),
    ...(not_monitored && { not_monitored }),
  };
}

/** Whether pills are extra by these depends on more than the doses that are judged with them. */
const BY_LIMITS: ReadonlySet<ExtraReason> = new Set<ExtraReason>(['over_daily_limit', 'under_min_interval']);

/**
 * Whether all that makes pills extra was read: not of limits, and not of removals before the doses that are judged.
 *
 * @param from since when all doses and removals are judged; undefined if none are
 */
const isJudged = ({ rule, removed_at }: ExtraDoseEvidence, from: Date | undefined): boolean =>
  !BY_LIMITS.has(rule) && isJudgedAt(removed_at, from);

const isJudgedAt = (time: Date, from: Date | undefined): boolean => from !== undefined && time >= from;

/**
 * Finds open alerts that say another number of pills, or another reason, than what is known now: a report came late. What
 * of them is still to be sent says what is known then.
 *
 * @param extra what is extra by what is known now
 * @param from since when all doses and removals are judged; undefined if none are
 */
export function findChangedExtra<A extends Alert<'extra_dose'>>(
  open: readonly A[],
  extra: readonly ExtraDose[],
  from: Date | undefined,
): { alert: A; evidence: Learned<'extra_dose'> }[] {
  const still = stillExtra(open, extra);
  return byMoment(extra).flatMap((together) => {
    const own = open.filter(({ evidence }) => +evidence.removed_at === +together[0].time);
    const all = pillsOf(together);
    return own.flatMap((alert) => {
      const { rule, extra_pills, pills_in_all } = alert.evidence;
      const left = still.get(alert)!;
      const isSame = rule === together[0].reason && left === extra_pills;
      if (left === 0 || isSame || !isJudged(alert.evidence, from)) return [];
      const evidence = {
        extra_pills: left,
        ...(pills_in_all !== undefined && { pills_in_all: all }),
        last_dose_at: undefined,
        next_dose_at: undefined,
        is_rare: undefined,
        not_monitored: undefined,
        ...reasonEvidence(together[0]),
      };
      return [{ alert, evidence }];
    });
  });
}

/** How many pills of each alert are extra by what is known now: of those of one moment the first keep theirs. */
function stillExtra<A extends Alert<'extra_dose'>>(
  open: readonly A[],
  extra: readonly ExtraDose[],
): ReadonlyMap<A, number> {
  const moments = groupBy(open, ({ evidence }) => evidence.removed_at.getTime());
  return new Map(
    [...moments].flatMap(([at, own]) => {
      let left = pillsOf(extra.filter(({ time }) => +time === at));
      return own
        .toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
        .map((alert) => {
          const pills = Math.min(alert.evidence.extra_pills, left);
          left -= pills;
          return [alert, pills] as const;
        });
    }),
  );
}

/** What is known of a pillbox that pills may have been moved to. */
export interface Pillbox {
  /** For which doses pills suffice that were removed at a time. */
  fillingOf: (time: Date, pills: number) => Filling | undefined;
  /** The person is known to fill one. */
  isFilledWeekly: boolean;
}

/** Pills that suffice for two doses or more may be in a box; of a person who is known to fill one, also for one. */
function pillboxEvidence(
  pillbox: Pillbox | undefined,
  [{ time, reason }]: readonly [ExtraDose, ...ExtraDose[]],
  pills: number,
): Pick<ExtraDoseEvidence, 'pillbox_until' | 'asks_pillbox'> {
  if (!pillbox || !MAY_FILL.has(reason)) return {};
  const filling = pillbox.fillingOf(time, pills);
  if (!filling || filling.doses < (pillbox.isFilledWeekly ? 1 : 2)) return {};
  return { pillbox_until: filling.until, ...(pillbox.isFilledWeekly && { asks_pillbox: true }) };
}

const MAY_FILL: ReadonlySet<ExtraReason> = new Set<ExtraReason>([
  'beyond_dose',
  'too_early',
  'several_doses',
  'not_monitored',
]);

/**
 * Finds open alerts of pills that were put back: some of the removal came back, and none of those that the alert is about is
 * extra by what is known now.
 *
 * @param extra what is extra by what is known now
 * @param closings of a bottle, from each of these removals on
 * @param from as for {@link findDisproved}; what was removed before, or is beyond a limit, may be missing in `extra`
 * @param again from when on doses are judged again: of what was removed since, and may be missing there, as many must have
 *   come back
 */
export function findPutBack(
  open: readonly Alert<'extra_dose'>[],
  extra: readonly ExtraDose[],
  closings: readonly CountedClosing[],
  { from, again }: { from: Date | undefined; again: Date | undefined },
  now: Date,
): AlertToEnd<'extra_dose'>[] {
  const still = stillExtra(open, extra);
  return open.flatMap((alert) => {
    const { removed_at, extra_pills } = alert.evidence;
    const back = pillsPutBack(removed_at, closings);
    if (!back || still.get(alert)! > 0) return [];
    const areAllBack = isJudgedAt(removed_at, again) && back.pills >= extra_pills;
    if (!isJudged(alert.evidence, from) && !areAllBack) return [];
    const end = { at: now, by: 'notifier', evidence: { put_back_at: back.at } };
    return [{ alert, end: { ...end, state: 'resolved', owed: 'resolved' } }];
  });
}

/**
 * Finds open alerts of pills that are the plan's by what is known now: an opening, or a removal, that was reported later
 * says for which dose they were, the statement that made them extra was withdrawn, or a period without monitoring explains
 * them, such as a pillbox that was filled.
 *
 * @param extra what is extra by what is known now
 * @param from since when all doses and removals are judged; undefined if none are
 */
export function findDisproved(
  open: readonly Alert<'extra_dose'>[],
  extra: readonly ExtraDose[],
  from: Date | undefined,
  periods: readonly UnmonitoredPeriod[],
  now: Date,
): AlertToEnd<'extra_dose'>[] {
  const still = stillExtra(open, extra);
  return open
    .filter((alert) => {
      if (isExplained(periods, alert.evidence.removed_at)) return true;
      return isJudged(alert.evidence, from) && still.get(alert) === 0;
    })
    .map((alert) => {
      const { removed_at } = alert.evidence;
      const not_monitored = isExplained(periods, removed_at) && reasonOf(periodAt(periods, removed_at)!);
      const end = { state: 'retracted', owed: 'retracted', at: now, by: 'notifier' } as const;
      return { alert, end: not_monitored ? { ...end, evidence: { not_monitored } } : end };
    });
}

/** Whether a period without monitoring says that pills are not beyond the plan. */
const isExplained = (periods: readonly UnmonitoredPeriod[], at: Date): boolean =>
  removalIn(periods, at)?.isExtra === false;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const pillsOf = (extra: readonly ExtraDose[]): number => sum(extra.map(({ pills }) => pills));

const removalsOf = ({ removals = 1 }: ExtraDoseEvidence): number => removals;

/** Pills that were too many, until somebody entered that they are in a pillbox, which can be withdrawn. */
export function isRetractedByPillbox(alert: Alert): alert is Alert<'extra_dose'> {
  return (
    alert.kind === 'extra_dose' && alert.state === 'retracted' && alert.evidence.not_monitored === 'pillbox'
  );
}
