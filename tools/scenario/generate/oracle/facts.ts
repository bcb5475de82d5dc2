/** All instants of the oracle are epoch milliseconds, all spans milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `[from, to)`. */
export interface Stretch {
  from: number;
  to: number;
}

/** A schedule in numbers: what a doctor would say, not how the product stores it. */
export interface DosePlan {
  kind: 'times_of_day' | 'interval' | 'as_needed';
  /** `HH:MM`. */
  times: string[];
  /** `mon` to `sun`; empty is every day. */
  days: string[];
  cycle?: { on: number; off: number; anchor: string };
  every: number;
  anchor: number;
  maxPerDay: number;
  pills: number;
  early: number;
  late: number;
  missed: number;
  /** IANA name. */
  zone: string;
}

/** What is prescribed for a bottle, and since when the staff have said so. */
export interface Prescription {
  from: number;
  plan: DosePlan;
}

/** No doses in `[from, to)`; ordered at `said`. */
export interface DosePause extends Stretch {
  said: number;
}

/** One opening or closing as we came to know it. */
export interface KnownAction {
  action: 'opened' | 'closed';
  /** When it happened, by what the bottle said after its clock was put right. */
  time: number;
  /** When we first heard of it. */
  known: number;
  pillsTaken: number;
  pillsLeft: number;
}

/** Everything that happened to one bottle, whatever the product makes of it. */
export interface BottleFacts {
  key: string;
  prescriptions: Prescription[];
  pauses: DosePause[];
  /** When anything of the bottle reached us, in order. */
  contacts: number[];
  /** In the order in which they became known. */
  actions: KnownAction[];
  pills: number;
}

/** What happened to the service itself. */
export interface HouseFacts extends Stretch {
  /** When device-api took reports. */
  listening: Stretch[];
  /** When at least one notifier ran. */
  notifying: Stretch[];
}

/** The story of one alert as it has to be told. */
export interface AlertStory {
  bottle: string;
  kind: 'missed_dose' | 'bottle_open' | 'bottle_silent' | 'extra_dose' | 'low_supply';
  raisedAt: number;
  /** The latest moment at which it must have been raised; the earliest is `raisedAt`. */
  raisedBy: number;
  /** Its end, and a correction that may follow. `says` is absent where nobody is told of the end. */
  ends: { at: number; says?: 'resolved' | 'retracted' | 'missed' }[];
}

export type Outcome = 'taken_early' | 'taken_on_time' | 'taken_late' | 'partial' | 'missed' | 'unknown';

/** What has to come of one bottle. */
export interface BottleTruth {
  stories: AlertStory[];
  outcomes: Map<number, Outcome>;
  status: 'ok' | 'open' | 'silent' | 'late' | 'unknown';
  /** Moments at which a small delay of ours would make another story; a generator draws again. */
  unclear: string[];
}
