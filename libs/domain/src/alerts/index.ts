export * from './alert.js';
export type * from './alert-kind-facts.js';
export {
  ALARMING_KINDS,
  type AlarmingKind,
  ALERT_ENDINGS,
  ALERT_KINDS,
  type AlertContent,
  type AlertEnding,
  type AlertKind,
  alertKindFacts,
  alertKindsThat,
  asksForDose,
  BY_URGENCY,
  damageOf,
  type EvidenceOf,
  isCritical,
  type OfKind,
} from './alert-kinds.js';
export * from './closing.js';
export * from './ended-as.js';
export * from './findings.js';
export * from './quality/alarm-quality.js';
export * from './flapping.js';
export * from './transitions.js';
export * from './kinds/battery-low/battery.js';
export * from './kinds/battery-low/finding.js';
export * from './kinds/bottle-open/finding.js';
export { hasNeverReported, NEVER_REPORTED, type SilentAfterEvidence } from './kinds/bottle-silent/facts.js';
export * from './kinds/bottle-silent/finding.js';
export * from './kinds/bottle-silent/never-reported.js';
export * from './kinds/bottle-silent/silence.js';
export * from './kinds/count-mismatch/count-mismatch.js';
export * from './kinds/count-mismatch/finding.js';
export * from './kinds/count-mismatch/pill-weight.js';
export * from './kinds/count-mismatch/tolerance.js';
export * from './kinds/count-mismatch/weighing.js';
export * from './kinds/coverage-gap/finding.js';
export * from './kinds/coverage-gap/settled-later.js';
export * from './kinds/dose-reminder/dose-reminder.js';
export * from './kinds/doses-missed-in-a-row/finding.js';
export * from './kinds/doses-missed-in-a-row/missed-row.js';
export * from './kinds/extra-dose/extra-dose.js';
export * from './kinds/fleet-incident/decision.js';
export * from './kinds/fleet-incident/finding.js';
export * from './kinds/fleet-incident/incident.js';
export * from './kinds/help-requested/help-requested.js';
export * from './kinds/low-supply/finding.js';
export * from './kinds/low-supply/low-supply.js';
export {
  type DoseEndEvidence,
  type MissedDoseEvidence,
  type StatementEvidence,
  statementIn,
} from './kinds/missed-dose/evidence.js';
export * from './kinds/missed-dose/unknown-unseen.js';
export * from './kinds/missed-dose/corrections.js';
export * from './kinds/missed-dose/missed-dose.js';
export * from './kinds/missed-dose/ran-out.js';
export * from './kinds/missed-dose/silence-unseen.js';
export * from './kinds/shared-token/shared-token.js';
