import type { Alert } from './alert.js';
import type { AlertKind, EvidenceOf } from './alert-kinds.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);

const WEIGHED = {
  weighed_at: at('09:30'),
  number_of_pills: 20,
  measured_mass: 9,
  expected_mass: 10,
  difference_pills: -2,
  pill_mass: 0.5,
  learned_from_bottles: 5,
};

/** Whole evidence of each kind. */
export const EVIDENCE: { [K in AlertKind]: EvidenceOf<K> } = {
  missed_dose: {
    rule: 'late_after',
    scheduled_at: at('08:00'),
    late_at: at('09:00'),
    missed_at: at('12:00'),
    pills_scheduled: 1,
    pills_taken: 0,
  },
  doses_missed_in_a_row: {
    rule: 'missed_in_a_row',
    in_a_row: 3,
    doses_missed: 3,
    missed_since: at('06:00'),
    missed_until: at('08:00'),
  },
  bottle_open: { rule: 'open_after', open_after_ms: 300_000, opened_at: at('09:25') },
  bottle_silent: {
    rule: 'silent_after',
    silent_after_ms: 3_600_000,
    last_heard_at: at('08:30'),
    listened_ms: 3_600_000,
    unconfirmed_doses: [],
  },
  extra_dose: { rule: 'beyond_dose', removed_at: at('09:30'), extra_pills: 1 },
  low_supply: { rule: 'low_supply_days', days: 3, pills: 4, needed: 6 },
  count_mismatch: {
    rule: 'count_tolerance',
    ...WEIGHED,
    tolerance_pills: 1.5,
    differs_since: at('09:00'),
  },
  shared_token: {
    rule: 'two_counts',
    counted_at: at('09:29'),
    number_of_pills: 30,
    other_number_of_pills: 12,
  },
  battery_low: {
    rule: 'battery_low_percent',
    low_percent: 15,
    low_since: at('09:30'),
    battery_percent: 14,
    readings: [{ at: at('09:30'), percent: 14 }],
  },
  fleet_incident: { rule: 'fleet_incident_percent', percent: 20, silent_bottles: 40, heard_bottles: 100 },
  coverage_gap: {
    rule: 'coverage_grace',
    scheduled_at: at('08:00'),
    pills_scheduled: 1,
    from: at('07:50'),
    until: at('09:30'),
  },
  dose_reminder: {
    rule: 'remind',
    scheduled_at: at('08:00'),
    late_at: at('09:00'),
    pills_scheduled: 1,
    pills_taken: 0,
  },
  help_requested: { rule: 'asked', scheduled_at: at('08:00'), asked_by: 'user' },
};

const id = { toHexString: () => 'a1' };

/** An open alert of 09:30 on 2 March 2026, with other fields where they are given. */
export function sampleAlert<K extends AlertKind>(
  kind: K,
  {
    evidence,
    ...more
  }: Partial<Omit<Alert, 'kind' | 'evidence'>> & { evidence?: Partial<EvidenceOf<K>> } = {},
): Alert<K> {
  const alert = {
    _id: id,
    bottle_id: id,
    user_id: 'anna',
    medication: 'Cordrazine',
    kind,
    subject: kind === 'missed_dose' || kind === 'dose_reminder' ? '2026-03-02T08:00:00Z' : '',
    state: 'open',
    open: true,
    deadline: at('09:30'),
    raised_at: at('09:30'),
    evidence: { ...EVIDENCE[kind], ...evidence },
    history: [],
    escalation: [],
    ...more,
  };
  return alert as unknown as Alert<K>;
}
