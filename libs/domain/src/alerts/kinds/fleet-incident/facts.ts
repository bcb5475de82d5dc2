import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isNumber, isText, optional } from '../../evidence-fields.js';

const FLEET_INCIDENT_EVIDENCE = {
  rule: isText,
  /** The share above which it is an incident. */
  percent: isNumber,
  silent_bottles: isNumber,
  /** All bottles that have ever reported. */
  heard_bottles: isNumber,
  /** How many were when it ended. */
  still_silent: optional(isNumber),
} as const;

export type FleetIncidentEvidence = EvidenceIn<typeof FLEET_INCIDENT_EVIDENCE>;

export const FLEET_INCIDENT = {
  title: 'Many bottles offline at once',
  series: 'Fleet incident',
  urgency: 0,
  evidence: FLEET_INCIDENT_EVIDENCE,
  aboutFleet: true,
  endings: endsIn(['incident_over']),
  titles: { resolved: 'All clear: bottles online again' },
} as const satisfies AlertKindFacts<FleetIncidentEvidence>;
