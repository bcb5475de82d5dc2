import type { StatementFact } from './statements.js';

/** All instants of the oracle are epoch milliseconds, all spans milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `[from, to)`. */
export interface Span {
  from: number;
  to: number;
}

/** A schedule in numbers: as prescribed, not as the product stores it. */
export interface DosePlan {
  kind: 'times_of_day' | 'interval' | 'as_needed';
  /** `HH:MM`; one that is there twice is a dose of both amounts. */
  times: string[];
  /** Of each time in turn, where it is not `pills`. */
  amounts?: (number | undefined)[];
  /** `mon` to `sun`; empty is every day. */
  days: string[];
  /** 1 to 31, the last day for those that a month has not; absent is every day. */
  monthDays?: number[];
  /** The last date, in its zone. */
  until?: string;
  /** How many doses there are, from when it begins. */
  doses?: number;
  cycle?: { on: number; off: number; anchor: string };
  every: number;
  anchor: number;
  maxPerDay: number;
  /** As needed: so long after a dose there is no other; 0 for none. */
  minInterval: number;
  pills: number;
  early: number;
  late: number;
  missed: number;
  /** IANA name. */
  zone: string;
  /** Whether the schedule states it; otherwise it is the bottle's, and follows that. */
  statesZone: boolean;
}

/** The pills of the dose at the time of this place in the list. */
export function amountAt({ amounts, pills }: DosePlan, place: number): number {
  return amounts?.[place] ?? pills;
}

/** What is prescribed for a bottle, and since when. */
export interface Prescription {
  from: number;
  plan: DosePlan;
  /** When it was planned, if that is earlier. */
  orderedAt?: number;
  /** When it was replaced, if that is before it began. */
  droppedAt?: number;
  /** The plan is the one before, in the bottle's new zone. */
  followsBottle?: true;
}

/** No doses in `[from, to)`; ordered at `orderedAt`. */
export interface DosePause extends Span {
  /** Why the bottle is not monitored. Default: `pause`. */
  reason?: string;
  /** From when on it is known to be otherwise: it was changed or removed. */
  changedAt?: number;
  orderedAt: number;
}

/** One opening or closing as we came to know it. */
export interface KnownAction {
  action: 'opened' | 'closed';
  /** When it happened, by the bottle's clock, corrected. */
  time: number;
  /** When it was first reported. */
  known: number;
  pillsTaken: number;
  /** A closing that did not report how many pills were taken out. */
  isWithoutRemoval?: true;
  pillsLeft: number;
  /** By how many pills the scale shows less than the count. */
  weighsLess: number;
}

/** Everything that happened to one bottle, independent of the product. */
export interface BottleFacts {
  key: string;
  /** When it was registered, or assigned. */
  registeredAt: number;
  prescriptions: Prescription[];
  /** Planned, and replaced before they began. */
  droppedSteps: Prescription[];
  pauses: DosePause[];
  /** When any report of the bottle was received, in order. */
  contacts: number[];
  /** In the order in which they became known. */
  actions: KnownAction[];
  /** What people say about doses, in order for each dose. */
  statements: StatementFact[];
  pills: number;
}

/** What happened to the services. */
export interface ServiceFacts extends Span {
  /** When device-api accepted reports. */
  accepting: Span[];
  /** When at least one notifier ran. */
  notifying: Span[];
}

/** What the messages about an alert must say, as far as it is certain. Instants are epoch milliseconds. */
export interface ExpectedFacts {
  /** When the dose is due that they are about. */
  dose?: number;
  /** Until when it can be taken: nobody can promise it for later. */
  missedAt?: number;
  /** Pills, and what else is counted, by the names of docs/webhooks.md. */
  numbers?: Record<string, number>;
  /** What happened when, by the names of docs/webhooks.md. */
  times?: Record<string, number>;
  /** What became of it, or why it is an alert. */
  texts?: Record<string, string>;
}

/** How an alert ends, or is corrected. `event` is absent if no notification is sent. */
export interface ExpectedEnd {
  at: number;
  event?:
    | 'resolved'
    | 'retracted'
    | 'missed'
    | 'partial'
    | 'unknown'
    | 'corrected'
    | 'not_taken_yet'
    | 'summary'
    | 'unconfirmed'
    | 'reported_taken'
    | 'reported_skipped'
    | 'statement_withdrawn';
  /** Of `unknown`: the silences that last, which name the dose to whoever is notified of them. */
  silences?: ExpectedAlert[];
  /** Of `unknown`: the gap of ours in which the dose fell, and the alert by which it was unconfirmed, if it was. */
  gap?: { settledAt: number; alert?: ExpectedAlert };
  /** It goes to everyone in the plan: no pills are left. */
  isForAll?: true;
  /** What is stated of it beside what the alert states. */
  facts?: ExpectedFacts;
}

/** A dose that a silence hides. */
export interface HiddenDose {
  /** Whose dose it is. */
  bottle: string;
  dose: number;
  /** Since when nobody can confirm it. */
  unconfirmedSince: number;
  /** When that was found. */
  since: number;
  /** When it was known what became of it. */
  known: Span[];
}

/** One alert that must be raised. */
export interface ExpectedAlert {
  bottle: string;
  kind:
    | 'missed_dose'
    | 'doses_missed_in_a_row'
    | 'bottle_open'
    | 'bottle_silent'
    | 'extra_dose'
    | 'low_supply'
    | 'count_mismatch'
    | 'coverage_gap'
    | 'dose_reminder'
    | 'help_requested';
  raisedAt: number;
  /** The latest moment at which it must have been raised; the earliest is `raisedAt`. */
  raisedBy: number;
  /** Its end, and corrections that may follow. */
  ends: ExpectedEnd[];
  /** Whether its end is held down. */
  flapping: boolean;
  /** When its condition was clear while it was open. */
  clear: Span[];
  /** Its end is all that is sent of it, to everyone in the plan. */
  isUnseen?: true;
  /** Of an unknown dose: the silences that named it; if people know of one of them, nothing is sent of it. */
  namedBy?: readonly ExpectedAlert[];
  /** The doses that it came to hide, after it was raised. */
  hidden?: HiddenDose[];
  /** When something was reported or stated of the doses that it is about: its messages wait until that is judged. */
  reportedAt?: readonly number[];
  /** Who asks for help: nothing goes to them. */
  askedBy?: string;
  /** Since when its notifications do not wait for the end of quiet hours. */
  wakesFrom?: number;
  facts?: ExpectedFacts;
}

export type Outcome =
  | 'taken_early'
  | 'taken_on_time'
  | 'taken_late'
  | 'partial'
  | 'missed'
  | 'unknown'
  | 'not_monitored';

/** The expected result for one bottle. */
export interface BottleTruth {
  alerts: ExpectedAlert[];
  outcomes: Map<number, Outcome>;
  /** Of each dose: when it is reminded of, if a reminder falls in it. */
  remindable: { dose: number; pills: number; spans: Span[] }[];
  status: 'ok' | 'open' | 'silent' | 'late' | 'unknown';
  /** When its closings had shown what a pill weighs; Infinity if never. */
  weightShownAt: number;
  /** Moments at which a small delay would change the result; a generator then draws again. */
  unclear: string[];
}
