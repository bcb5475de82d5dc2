/** Names for parts of the generated types, and their values in the order in which the console shows them. */
import type {
  Alert,
  Attestation,
  AuditEntry,
  Bottle,
  Closing,
  Delivery,
  Dose,
  PersonsDose,
  SaveView,
  Session,
  SetSchedule,
  Staff,
  Statement,
  AsNeeded,
  Interval,
  TimesOfDay,
  TodaysDose,
  UnjudgedDose,
} from './schema.js';

/** An instant in the API: ISO 8601, UTC. */
export type Instant = string;

/** A page of a list. */
export interface Page<T> {
  items: T[];
  next_cursor?: string;
  /** How many records of this page are left out because they cannot be shown. */
  unreadable?: number;
}

export type AlertState = Alert['state'];
export type Attestor = Statement['attested_by'];
export type AuditCategory = AuditEntry['category'];
export type BottleSort = NonNullable<SaveView['sort']>;
export type CloseReason = Closing['reason'];
export type DayOfWeek = NonNullable<TimesOfDay['days_of_week']>[number];
export type DeliveryStatus = Delivery['status'];
export type DoseStatus = TodaysDose['status'];
export type Outcome = Dose['outcome'];
export type PillSource = NonNullable<Statement['source']>;
/** A dose; of a person's doses, with its bottle. */
export type AnyDose = Dose & Partial<Pick<PersonsDose, 'bottle_id' | 'medication'>>;
/** What people report of a dose; without an outcome, it is not judged yet. */
export type StatedDose = UnjudgedDose & Partial<Pick<Dose, 'outcome'>>;
/** What a person has to do after signing in before the console opens. */
export type Requirement = Session['required'][number];
export type Role = Staff['role'];
export type Schedule = NonNullable<SetSchedule['schedule']>;
/** The fields of schedules of every kind. */
export type ScheduleFields = Partial<
  Omit<TimesOfDay, 'kind'> & Omit<Interval, 'kind'> & Omit<AsNeeded, 'kind'>
>;
export type SkipReason = NonNullable<Attestation['reason']>;
export type Status = Bottle['status'];

export const STATUSES = ['late', 'open', 'silent', 'unknown', 'ok'] as const satisfies Status[];
export const OUTCOMES = [
  'taken_on_time',
  'taken_early',
  'taken_late',
  'partial',
  'missed',
  'unknown',
  'not_monitored',
] as const satisfies Outcome[];
export const DAYS_OF_WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies DayOfWeek[];
export const BOTTLE_SORTS = [
  'registered',
  '-registered',
  'user_id',
  '-user_id',
  'last_seen',
  '-last_seen',
  'next_dose',
  '-next_dose',
  'battery',
  '-battery',
] as const satisfies BottleSort[];
