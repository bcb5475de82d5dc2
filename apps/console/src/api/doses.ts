/** What the API says of doses, and of what people report of them. */

/** An instant in the API: ISO 8601, UTC. */
export type Instant = string;

export const OUTCOMES = [
  'taken_on_time',
  'taken_early',
  'taken_late',
  'partial',
  'missed',
  'unknown',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Dose {
  scheduled_at: Instant;
  outcome: Outcome;
  taken_at: Instant | null;
  pills_scheduled: number;
  pills_taken: number;
  judged_at: Instant;
  /** Of a person's doses. */
  bottle_id?: string;
  medication?: string | null;
  reported: Reported | null;
  earlier_reports: Statement[];
}

export type Attestor = 'user' | 'carer' | 'staff';
export type PillSource = 'from_bottle' | 'elsewhere';
export type SkipReason = 'doctors_advice' | 'side_effect' | 'not_needed' | 'away' | 'other';

/** What a person says about a dose. */
export interface Statement {
  id: string;
  at: Instant;
  outcome: 'taken_early' | 'taken_on_time' | 'taken_late' | 'taken' | 'partial' | 'skipped' | 'not_taken';
  taken_at: Instant | null;
  pills: number | null;
  source: PillSource | null;
  reason: SkipReason | null;
  note: string | null;
  attested_by: Attestor;
  recorded_by: string;
}

/** An entry of what people say about a dose; entries are only ever added. */
export interface AttestationEntry extends Omit<Statement, 'outcome'> {
  kind: 'taken' | 'skipped' | 'not_taken' | 'withdrawn';
  outcome: Statement['outcome'] | null;
  scheduled_at: Instant;
  /** Of a withdrawal: the entry that it withdraws. */
  withdraws: string | null;
  is_withdrawn: boolean;
}

/** The statement that counts for a dose. */
export interface Reported extends Statement {
  agreement: 'agrees' | 'disagrees' | 'unproven';
}

export type DoseStatus = 'upcoming' | 'due' | 'late' | Outcome;

export interface TodaysDose {
  scheduled_at: Instant;
  status: DoseStatus;
  late_at: Instant;
  missed_at: Instant;
  pills_scheduled: number;
  pills_taken: number;
  taken_at: Instant | null;
  offline: { since: Instant | null; until: Instant | null } | null;
  reported: Reported | null;
  earlier_reports: Statement[];
}

export interface Today {
  local_date: string;
  schedule_state: 'none' | 'not_started' | 'paused' | 'as_needed' | 'ended' | 'active';
  schedule_state_until: Instant | null;
  doses: TodaysDose[];
  as_needed: { pills_taken: number; doses: number; max_pills: number; extra_pills: number } | null;
  changes_at: Instant;
}
