import type { AlertKind } from '../alert-kinds/alert-kinds.js';
import type { Evidence } from '../alert-kinds/evidence-reader.js';
import type { ContactAddresses } from '../channels.js';
import type { Dose, Instant, Outcome, Statement, Today } from './doses.js';

export * from './doses.js';

export interface Page<T> {
  items: T[];
  next_cursor?: string;
  /** How many records of this page are left out because they cannot be shown. */
  unreadable?: number;
}

export const STATUSES = ['late', 'open', 'silent', 'unknown', 'ok'] as const;
export type Status = (typeof STATUSES)[number];

export interface LastAction {
  action: 'opened' | 'closed';
  time: Instant;
  received_at: Instant;
  mass_of_contents: number | null;
  number_of_pills: number | null;
}

export interface BottleSummary {
  bottle_id: string;
  user_id: string;
  medication: string;
  status: Status;
  last_heard_at: Instant | null;
  last_action: LastAction | null;
  pills_left: number | null;
}

/** A bottle in a list. */
export interface ListedBottle extends BottleSummary {
  time_zone: string | null;
  next_dose_at: Instant | null;
  open_alert_count: number;
  battery_percent: number | null;
}

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
] as const;
export type BottleSort = (typeof BOTTLE_SORTS)[number];

/** A list of bottles as the user has named it. */
export interface SavedView {
  name: string;
  status?: Status;
  medication?: string;
  sort?: BottleSort;
  columns: string[];
}

export interface StatusReason {
  status: Status;
  since: Instant | null;
  text: string;
}

interface Vitals {
  at: Instant;
  battery_percent?: number | null;
  rssi_dbm?: number | null;
  mass_of_contents?: number | null;
  number_of_pills?: number | null;
}

/** The state of the device; it says nothing of doses. */
export interface Device {
  status: Exclude<Status, 'late'>;
  since: Instant | null;
  text: string;
}

/** Something that is wrong with a bottle's reports. */
export interface ReportProblem {
  effect: 'refused' | 'ignored' | 'kept';
  /** Empty if it was no single field. */
  field: string;
  reason: string;
  value_kind: string;
  first_at: Instant;
  last_at: Instant;
  count: number;
}

export interface Bottle extends BottleSummary {
  device: Device;
  /** The doses of the patient's local day; they say nothing of the device. */
  today: Today;
  reasons: StatusReason[];
  time_zone: string;
  registered_at: Instant;
  schedule: ScheduleVersion | null;
  previous_schedule: ScheduleVersion | null;
  coming_schedules: ScheduleVersion[];
  last_doses: Dose[];
  next_dose: { scheduled_at: Instant; pills: number } | null;
  open_alerts: Alert[];
  bad_clock: { offset_ms: number; at: Instant } | null;
  set_aside: { check: string; error: string; at: Instant } | null;
  report_problems: ReportProblem[];
  pauses: Pause[];
  days_left: number | null;
  initial_pills: number | null;
  vitals: Vitals | null;
}

/** The record that remains of an erased bottle. */
export interface ErasureReceipt {
  bottle_id: string;
  erased_at: Instant;
  erased_by: string;
  counts: Record<
    'actions' | 'heartbeats' | 'doses' | 'alerts' | 'deliveries' | 'vitals' | 'attestations' | 'notes',
    number
  >;
}

export const DAYS_OF_WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** A stored schedule; its fields depend on its kind. */
export interface Schedule {
  kind: 'times_of_day' | 'interval' | 'as_needed';
  times?: string[];
  days_of_week?: DayOfWeek[];
  cycle?: { days_on: number; days_off: number; anchor: string };
  every?: string;
  anchor?: Instant;
  max_per_day?: number;
  min_interval?: string;
  pills_per_dose?: number;
  early_window?: string;
  late_after?: string;
  missed_after?: string;
  time_zone?: string;
  effective_from?: Instant;
}

export interface ScheduleVersion {
  effective_from: Instant;
  time_zone: string;
  schedule: Schedule;
}

/** Why doses of a schedule cannot be judged well. */
export interface ScheduleWarning {
  code: 'windows_overlap' | 'missed_after_next_dose';
  text: string;
  /** A duration, such as `2h`. */
  doses_apart: string;
}

/** A plan as saving a schedule would make it, and its next doses. */
export interface SchedulePreview {
  doses: { scheduled_at: Instant; pills: number }[];
  plan: ScheduleVersion[];
  warnings: ScheduleWarning[];
}

export interface Pause {
  from: Instant;
  to: Instant;
}

export interface Ratio {
  numerator: number;
  denominator: number;
  ratio: number | null;
}

/** The figures of a period. */
export interface Figures {
  taking: Ratio;
  correct_dosing: Ratio;
  timing: Ratio;
  days_covered: Ratio;
  drug_holidays: {
    count: number;
    hours: number;
    periods: { from: Instant; to: Instant; hours: number; missed_doses: number }[];
    possible: number;
  };
  unknown: { doses: number; days: number };
}

/** As measured, and with what people say. */
export interface Adherence extends Figures {
  from: Instant;
  to: Instant;
  time_zone: string;
  doses: Record<Outcome, number>;
  extra: number;
  unknown_in_coverage_gaps: number;
  reported: Figures & {
    doses: Record<Outcome | Statement['outcome'], number>;
    excused: number;
    attested: Ratio;
  };
}

/** A time in which no reports were accepted, or no checks ran. */
export interface CoverageGap {
  part: 'device-api' | 'notifier';
  from: Instant;
  /** Null while it lasts. */
  until: Instant | null;
  doses: number | null;
}

export type AlertState = 'open' | 'acknowledged' | 'closed' | 'resolved' | 'retracted';

/** How staff closed an alert. */
/** Why staff close an alert. */
export type CloseReason = 'device_fault' | 'duplicate' | 'settled_by_phone' | 'not_relevant' | 'other';

export interface Closing {
  by: string;
  at: Instant;
  reason: CloseReason;
  note: string | null;
  notified: boolean;
}

/** A message that a closing sends. */
export interface ClosingMessage {
  alert_id: string;
  recipient: string;
  channel: string;
  address: string | null;
  title: string;
  text: string;
  not_before: Instant | null;
}

export interface Alert {
  id: string;
  bottle_id: string;
  user_id: string;
  medication: string;
  kind: AlertKind;
  subject: string;
  state: AlertState;
  deadline: Instant;
  raised_at: Instant;
  ended_at: Instant | null;
  ended_as: string | null;
  closing: Closing | null;
  snoozed_until: Instant | null;
  assigned_to: { id: string; name: string } | null;
  acknowledged_by: string | null;
  acknowledged_at: Instant | null;
  dead_deliveries: number;
}

export interface AlertEvent {
  event: string;
  at: Instant;
  by: string;
  note: string | null;
  to: string | null;
  reason: CloseReason | null;
}

/** In a list, and in detail. */
export interface ListedAlert extends Alert {
  /** The patient's; null if it is about no single bottle. */
  time_zone: string | null;
}

export interface AlertDetail extends ListedAlert {
  evidence: Evidence;
  suppressed: { kind: AlertKind; reason: string; at: Instant }[];
  dismissed: boolean;
  decision: { outcome: 'confirmed' | 'dismissed'; by: string; at: Instant; takes_effect_at: Instant } | null;
  next_step_at: Instant | null;
  history: AlertEvent[];
  deliveries: Delivery[];
}

interface IncidentShare {
  name: string;
  bottles: number;
}

/** What a fleet incident affects and what is held. */
export interface Incident {
  began_at: Instant;
  bottles: number;
  still_silent: number;
  truncated: boolean;
  time_zones: IncidentShare[];
  medications: IncidentShare[];
  held_messages: number;
  held_people: number;
  sent_messages: number;
  previews: Omit<ClosingMessage, 'not_before'>[];
  affected: {
    alert_id: string;
    bottle_id: string;
    user_id: string;
    medication: string;
    time_zone: string | null;
    last_heard_at: Instant | null;
  }[];
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'cancelled';

export interface Attempt {
  at: Instant;
  ok: boolean;
  status: number | null;
  error: string | null;
}

export interface Delivery {
  id: string;
  alert_id: string;
  bottle_id: string;
  kind: AlertKind;
  event: string;
  step: string;
  recipient: string;
  channel: string;
  status: DeliveryStatus;
  reason: string | null;
  created_at: Instant;
  next_attempt_at: Instant | null;
  attempts: Attempt[];
}

interface QuietHours {
  from: string;
  to: string;
}

export interface ContactDetails extends ContactAddresses {
  time_zone?: string;
  quiet_hours?: QuietHours;
}

export interface EscalationStep {
  after: string;
  to: 'user' | 'carer';
  until?: 'acknowledged';
  repeat?: string;
  kinds?: string[];
}

export interface Contact extends ContactDetails {
  carer?: ContactDetails;
  escalation?: EscalationStep[];
}

/** A note of staff about a person, or about one of their bottles. */
export interface Note {
  id: string;
  bottle_id: string | null;
  text: string;
  by: string;
  at: Instant;
}

interface Period {
  from: Instant | null;
  until: Instant | null;
}

export interface PersonsBottle extends BottleSummary {
  time_zone: string;
  today: Today;
  next_dose: { scheduled_at: Instant; pills: number } | null;
  owned: Period[];
}

/** A bottle that is somebody else's now. */
export interface FormerBottle {
  bottle_id: string;
  medication: string | null;
  owned: Period[];
}

export interface Person {
  user_id: string;
  contact: Contact | null;
  bottles: PersonsBottle[];
  has_more_bottles: boolean;
  former_bottles: FormerBottle[];
  open_alerts: Alert[];
  notes: Note[];
}

export type FoundBottle = Pick<BottleSummary, 'bottle_id' | 'user_id' | 'medication' | 'status'>;

/** A time in which we could not see what happened with a bottle. */
export interface ReportGap {
  from: Instant;
  until: Instant | null;
  reason: 'silent' | 'never_connected' | 'coverage_gap';
}

/** What a doctor wants to know of a period. */
export interface PersonsReport {
  user_id: string;
  name: string | null;
  from: Instant;
  to: Instant;
  bottles: {
    bottle_id: string;
    medication: string | null;
    adherence: Adherence;
    gaps: ReportGap[];
    unjudged: (Pick<Dose, 'scheduled_at' | 'reported' | 'earlier_reports'> & { outcome?: undefined })[];
  }[];
}

/** What the search finds. */
export interface Found {
  people: { user_id: string; name: string | null; bottles: FoundBottle[] }[];
  bottles: FoundBottle[];
  alerts: Alert[];
  medications: string[];
}

/** A notification with its text. */
export interface Message extends Delivery {
  user_id: string | null;
  medication: string | null;
  address: string | null;
  title: string | null;
  text: string | null;
}

/** An opening or a closing. */
export interface Action extends LastAction {
  id: string;
  device_time: Instant | null;
  pills_taken: number | null;
}

/** A time in which heartbeats were due and none came. */
export interface HeartbeatGap {
  after: Instant;
  until: Instant | null;
  missed: number;
  listened_ms: number;
}

export type TimelineEntry = { at: Instant } & (
  | { kind: 'action'; action: Action }
  | { kind: 'heartbeats_missed'; gap: HeartbeatGap }
  | { kind: 'reports_refused'; refusal: ReportProblem }
  | { kind: 'alert_raised' | 'alert_closed' | 'alert_ended'; alert: Alert }
  | { kind: 'message'; message: Delivery }
);

export interface Fleet {
  counted_at: Instant;
  bottles: { total: number; by_status: Record<Status, number> };
  open_alerts: Record<AlertKind, number>;
  needs_attention: Record<AlertKind, number>;
  ingest: { heartbeats_per_minute: number | null; actions_per_minute: number | null };
  notifier: { lag_ms: Record<'silent' | 'open' | 'dose', number> };
}

export interface ChartData {
  /** The first column holds epoch seconds, each other one a series. */
  columns: (number | null)[][];
  series: { key: string; label: string; unit: string }[];
  /** The interval of a point: `5m`. */
  step: string;
  step_seconds: number;
}

export type Role = 'viewer' | 'support' | 'admin';

export interface Staff {
  id: string;
  email: string;
  name: string;
  role: Role;
}

/** What a person has to do after signing in before the console opens. */
export type Requirement = 'password_change' | 'second_factor';

export interface OwnSession {
  id: string;
  created_at: Instant;
  address: string | null;
  current: boolean;
}

export interface StaffMember extends Staff {
  disabled: boolean;
  second_factor: boolean;
  created_at: Instant;
}

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  created_at: Instant;
  owner: { id: string; name: string } | null;
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

export type AuditCategory = 'change' | 'read' | 'refusal';
export interface AuditEntry {
  id: string;
  at: Instant;
  category: AuditCategory;
  who: {
    kind: 'staff' | 'api_key' | 'link' | 'command' | 'unknown';
    id: string;
    name: string;
    address?: string;
  };
  action: string;
  subject: { kind: string; id: string };
  details?: Record<string, unknown>;
}
