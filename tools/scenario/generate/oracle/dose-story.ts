import {
  DAY,
  type ExpectedAlert,
  type ExpectedEnd,
  type ExpectedFacts,
  type HiddenDose,
  type Outcome,
} from './facts.js';
import type { DoseIntake } from './intakes.js';
import type { SettledDose } from './statements.js';

/** A dose whose end is further back is sent in a summary. */
const SUMMED_UP_AFTER = DAY;

type EndEvent = ExpectedEnd['event'];

/** One dose under observation. */
export interface WatchedDose {
  taking: DoseIntake;
  outcome?: Outcome;
  /** As people are notified of it. */
  shown?: Outcome | undefined;
  alert?: ExpectedAlert;
  /** By which it was unconfirmed after a gap of ours. */
  ofGap?: ExpectedAlert;
  /** That it is unknown, if that is its last end. */
  unknownEnd?: ExpectedEnd | undefined;
  late: boolean;
  /** What was sent of its measured outcome when its alert ended, or was corrected. */
  measured?: EndEvent;
  /** How many pills of it were taken then, as people are notified of it. */
  pillsAtEnd?: number;
  /** What was sent last of what people say. */
  stated?: 'taken' | 'skipped' | 'withdrawn';
  /** How many statements about it were known at the last check. */
  statements?: number;
  /** When it must be looked at again, if nothing new is known of any dose until then. */
  nextDue?: number;
  /** The bottles whose silences have come to hide it. */
  hiddenBy?: Map<string, HiddenDose>;
  /** The silences that named it when it was unknown. */
  namedBy?: Set<ExpectedAlert>;
  /** It is unknown, and it is not decided yet whether anybody is to be notified of it. */
  isUnsent?: boolean;
  /** When it proved to be not monitored, before it was in no period any more. */
  leftAt?: number;
  /** A backlog may still complete what it has begun to tell. */
  unsettled: boolean;
}

/**
 * How the story of a late dose goes on when it is known what became of it, or somebody says so.
 *
 * @param ofUnknown what tells people otherwise that it is unknown
 * @param isForAll whether what they say goes to everyone: no pills are left
 */
export function settleDose(
  watched: WatchedDose,
  { ends }: ExpectedAlert,
  outcome: Outcome | undefined,
  settled: SettledDose,
  ofUnknown: () => Pick<ExpectedEnd, 'silences' | 'gap'>,
  now: number,
  isForAll = false,
): void {
  const { leftAt } = watched;
  if (leftAt !== undefined) {
    // nothing is owed of a dose that was taken
    if (watched.measured === undefined && outcome?.startsWith('taken')) return;
  } else if (ends.at(-1)?.event === 'retracted' && outcome?.startsWith('taken')) return;
  const isTaken = outcome?.startsWith('taken') === true;
  const { stated: before, measured, pillsAtEnd, taking } = watched;
  const isUntaken = !isTaken && wasTaken(watched);
  if (!isTaken && settled !== undefined) {
    watched.stated = settled;
    if (isUntaken) delete watched.measured;
    if (before !== settled || isUntaken)
      ends.push({ at: now, event: `reported_${settled}`, ...(isForAll && { isForAll }) });
  } else if (!isTaken && (before === 'taken' || before === 'skipped')) {
    watched.stated = 'withdrawn';
    const wasPart =
      measured === 'partial' || measured === 'corrected' || (measured === 'summary' && pillsAtEnd !== 0);
    const isOtherPart = outcome === 'partial' && wasPart && taking.pills !== pillsAtEnd;
    ends.push({ at: now, event: isOtherPart ? 'corrected' : 'statement_withdrawn' });
    if (outcome) rememberEnd(watched, eventOf(outcome), shownOf(taking, outcome).pills);
    else delete watched.measured;
  } else if (outcome) settleMeasured(watched, ends, outcome, ofUnknown, now);
}

/** A dose that was sent as taken, or as unknown, and is late by what is known since (DOSE-49). */
export function lateAgain(watched: WatchedDose, { ends }: ExpectedAlert, now: number): void {
  const isUnknown = watched.measured === 'unknown';
  if (!isUnknown && !wasTaken(watched)) return;
  ends.push({ at: now, event: 'not_taken_yet', facts: { numbers: { pills_taken: watched.taking.pills } } });
  rememberEnd(watched, 'not_taken_yet');
  watched.unknownEnd = undefined;
}

/** Whether it was sent last that the dose was taken. */
function wasTaken({ measured }: WatchedDose): boolean {
  return measured === 'resolved' || measured === 'retracted';
}

/** What silences hide of a dose, they hide only while nobody knows or says what became of it. */
export function noteOutcome(
  { hiddenBy }: WatchedDose,
  outcome: Outcome,
  settled: SettledDose,
  now: number,
): void {
  const isHidden = outcome === 'unknown' && settled === undefined;
  for (const { known } of hiddenBy?.values() ?? []) {
    const last = known.at(-1);
    const isKnown = last?.to === Infinity;
    if (isHidden && isKnown) last.to = now;
    if (!isHidden && !isKnown) known.push({ from: now, to: Infinity });
  }
}

export function rememberEnd(watched: WatchedDose, event: EndEvent, pills = watched.taking.pills): void {
  watched.measured = event;
  watched.pillsAtEnd = pills;
}

function settleMeasured(
  watched: WatchedDose,
  ends: ExpectedEnd[],
  outcome: Outcome,
  ofUnknown: () => Pick<ExpectedEnd, 'silences' | 'gap'>,
  now: number,
): void {
  const { taking, stated, measured, pillsAtEnd } = watched;
  // it was reported taken, and it is
  if (stated === 'taken') return;
  const changed =
    measured === undefined || measured === 'not_taken_yet'
      ? eventOf(outcome)
      : correctionOf(measured, outcome, taking.pills !== pillsAtEnd);
  const event = stated === 'skipped' ? 'retracted' : changed;
  if (event === undefined) return;
  const isSummedUp =
    now - taking.dose.missedAt > SUMMED_UP_AFTER && (event === 'missed' || event === 'partial');
  const sent = isSummedUp ? 'summary' : event;
  rememberEnd(watched, sent, shownOf(taking, outcome).pills);
  const end = {
    at: now,
    event: sent,
    facts: factsOfEnd(taking, outcome, sent),
    ...(event === 'unknown' && ofUnknown()),
  };
  ends.push(end);
  watched.unknownEnd = event === 'unknown' ? end : undefined;
}

/** What its end says became of it. Those of the alert are of doses that nothing else changes before they are sent. */
function factsOfEnd(taking: DoseIntake, outcome: Outcome, event: EndEvent): ExpectedFacts {
  const { pills, wholeAt } = shownOf(taking, outcome);
  return {
    // a part that was missed may have grown when it is sent
    ...(event === 'corrected' ? {} : { numbers: { pills_taken: pills } }),
    ...(wholeAt !== undefined && { times: { taken_at: wholeAt } }),
    texts: { outcome },
  };
}

/** What people are notified that was taken: nothing of a dose that was removed for later. */
function shownOf(taking: DoseIntake, outcome: Outcome): Pick<DoseIntake, 'pills' | 'wholeAt'> {
  return outcome === 'missed' ? { pills: 0, wholeAt: undefined } : taking;
}

function eventOf(outcome: Outcome): EndEvent {
  switch (outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return 'retracted';
    case 'taken_late':
      return 'resolved';
    case 'missed':
    case 'partial':
    case 'unknown':
      return outcome;
  }
}

/** What is sent when an outcome changes after it was sent. */
function correctionOf(last: EndEvent, outcome: Outcome, isOtherAmount: boolean): EndEvent {
  switch (outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return last === 'retracted' ? undefined : 'retracted';
    case 'taken_late':
      if (last === 'resolved' || last === 'retracted') return undefined;
      return last === 'unknown' ? 'resolved' : 'retracted';
    case 'partial':
      if (last === 'unknown') return 'partial';
      return isOtherAmount ? 'corrected' : undefined;
    case 'missed':
      // it was removed for later or put back, or a period of a further bottle was changed
      return last === undefined || last === 'missed' || last === 'summary' ? undefined : 'missed';
    case 'unknown':
      // such a period was entered, or its pills were put back
      return last === 'unknown' ? undefined : 'unknown';
  }
}
