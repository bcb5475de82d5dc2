/** What the sizing is for. */
export interface Fleet {
  users: number;
  bottlesPerUser: number;
  /** Of one bottle. */
  dosesPerDay: number;
}

/** The lab's own: 10 million users with three bottles, two doses a day. */
export const LAB_FLEET: Fleet = { users: 10e6, bottlesPerUser: 3, dosesPerDay: 2 };
/** The lab's size of a document. Bytes. */
export const LAB_DOCUMENT = 100;

export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;
export const WEEK = 7 * DAY;
export const YEAR = 365 * DAY;

export const HEARTBEAT_INTERVAL = 30 * MINUTE;
export const HEARTBEATS_KEPT = 2 * WEEK;
/** An opening and a closing. */
const ACTIONS_PER_DOSE = 2;

export const bottlesOf = ({ users, bottlesPerUser }: Fleet): number => users * bottlesPerUser;

/** What the bottles send. A second. */
export interface ReportRates {
  heartbeats: number;
  actions: number;
  doses: number;
}

export function reportRates(fleet: Fleet): ReportRates {
  const bottles = bottlesOf(fleet);
  const doses = (bottles * fleet.dosesPerDay) / DAY;
  return { heartbeats: bottles / HEARTBEAT_INTERVAL, actions: doses * ACTIONS_PER_DOSE, doses };
}

/** The lab's checks: one query a bottle and check. A second. */
export interface CheckRates {
  silent: number;
  doses: number;
  open: number;
  all: number;
}

/** By the lab's intervals: heartbeats and doses once an hour, open bottles every ten minutes. */
export function labCheckRates(fleet: Fleet): CheckRates {
  const bottles = bottlesOf(fleet);
  const [silent, doses, open] = [bottles / HOUR, bottles / HOUR, bottles / (10 * MINUTE)];
  return { silent, doses, open, all: silent + doses + open };
}

/** The rates of our checks, per second: two range reads a run, and one read for each bottle that is due. */
export interface DeadlineRates {
  /** Range reads on partial indexes, whatever the fleet. */
  rangeReads: { silent: number; doses: number; open: number };
  /** Each dose taken is judged once, when it is reported. */
  doseChecks: number;
  /** The hourly walk over the whole fleet: the lab's three queries for each bottle. */
  reconcile: number;
}

/** Overdue first, and then what has changed: so many claims a run. */
const READS_A_RUN = 2;

export function deadlineRates(fleet: Fleet): DeadlineRates {
  return {
    rangeReads: {
      silent: READS_A_RUN / (5 * MINUTE),
      doses: READS_A_RUN / MINUTE,
      open: READS_A_RUN / MINUTE,
    },
    doseChecks: reportRates(fleet).doses,
    reconcile: bottlesOf(fleet) / HOUR,
  };
}

/** Documents of one bottle in a week, from one a so many seconds. */
export function perWeek(intervalSeconds: number): number {
  return WEEK / intervalSeconds;
}

/** What a rate of documents of one size comes to. Bytes. */
export interface Growth {
  hour: number;
  week: number;
  year: number;
}

export function growth(documentsPerSecond: number, bytesPerDocument: number): Growth {
  const second = documentsPerSecond * bytesPerDocument;
  return { hour: second * HOUR, week: second * WEEK, year: second * YEAR };
}

/** Shards that hold so many bytes. */
export function shardsFor(bytes: number, shardBytes: number): number {
  return Math.max(1, Math.ceil(bytes / shardBytes));
}
