import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isInstant, isNumber, isOneOf, optional } from '../../evidence-fields.js';
import { notMonitoredLines, PERIOD_EVIDENCE } from '../../not-monitored.js';
import { isDoseOutcome } from '../missed-dose/evidence.js';

const SERVICE_GAP_EVIDENCE = {
  rule: isOneOf('coverage_gap_after'),
  from: isInstant,
  coverage_gap_after_ms: isNumber,
  /** Its end. */
  until: optional(isInstant),
  /** How many doses were due in it. */
  doses: optional(isNumber),
} as const;

const DOSE_IN_GAP_EVIDENCE = {
  rule: isOneOf('coverage_grace'),
  scheduled_at: isInstant,
  pills_scheduled: isNumber,
  from: isInstant,
  until: isInstant,
  /** Once there is one. */
  outcome: optional(isDoseOutcome),
  pills_taken: optional(isNumber),
  taken_at: optional(isInstant),
  ...PERIOD_EVIDENCE,
} as const;

export type ServiceGapEvidence = EvidenceIn<typeof SERVICE_GAP_EVIDENCE>;
export type DoseInGapEvidence = EvidenceIn<typeof DOSE_IN_GAP_EVIDENCE>;
/** Of the service, or of a dose in it. */
export type CoverageGapEvidence = ServiceGapEvidence | DoseInGapEvidence;

function isOfDose(evidence: CoverageGapEvidence): evidence is DoseInGapEvidence {
  return evidence.rule === 'coverage_grace';
}

export const COVERAGE_GAP = {
  title: 'We could not see: no reports accepted, or no checks run',
  series: 'Coverage gap',
  urgency: 3,
  evidence: { coverage_gap_after: SERVICE_GAP_EVIDENCE, coverage_grace: DOSE_IN_GAP_EVIDENCE },
  endStandsAlone: true,
  policyOf: 'missed_dose',
  unthrottled: true,
  asksForDose: isOfDose,
  endings: endsIn(['unknown', 'coverage_restored'], (evidence: CoverageGapEvidence) =>
    isOfDose(evidence) ? 'unknown' : 'coverage_restored',
  ),
  titles: {
    resolved: 'Coverage gap over: reports are accepted and checks run',
    retracted: (evidence, say) =>
      say(
        'outcome' in evidence && evidence.outcome === 'not_monitored'
          ? 'Correction: the dose was not monitored'
          : 'Correction: the dose was taken',
      ),
  },
  lines: ({ event, subject, evidence }, { say, at }) => [
    ...(event === 'retracted'
      ? [say('Due: {{time}}.', { time: at(subject) }), ...notMonitoredLines(evidence, say)]
      : []),
    ...(subject === 'notifier' ? [say('No notifier ran its checks.')] : []),
    ...(subject === 'device-api' ? [say('No device-api accepted reports.')] : []),
    say('From: {{time}}.', { time: at(evidence.from) }),
    ...(evidence.until ? [say('To: {{time}}.', { time: at(evidence.until) })] : []),
    ...('doses' in evidence && typeof evidence.doses === 'number'
      ? [say('Doses due in it: {{doses}}.', { doses: evidence.doses })]
      : []),
  ],
  afterClosing: 'The gap may last.',
} as const satisfies AlertKindFacts<CoverageGapEvidence>;
