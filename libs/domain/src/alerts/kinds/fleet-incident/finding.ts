import { type AlertBottle, type AlertEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';

/** How many bottles of those that have ever reported are silent. */
export interface SilentShare {
  silent: number;
  total: number;
}

/** More than this share of the bottles is silent: that is an incident. @param percent 0 to 100 */
export function isIncident({ silent, total }: SilentShare, percent: number): boolean {
  return silent * 100 > total * percent;
}

/** Less than half of the share is silent: the incident is over. */
export function isIncidentOver({ silent, total }: SilentShare, percent: number): boolean {
  return silent * 200 < total * percent;
}

/** The alert of an incident. @param fleet stands for its bottle */
export function incidentAlert(
  fleet: AlertBottle,
  { silent, total }: SilentShare,
  percent: number,
  now: Date,
): AlertToRaise<'fleet_incident'> {
  return {
    bottle: fleet,
    kind: 'fleet_incident',
    subject: '',
    cause: now,
    deadline: now,
    evidence: { rule: 'fleet_incident_percent', percent, silent_bottles: silent, heard_bottles: total },
  };
}

/** The end of an incident that is over. */
export function incidentEnd({ silent }: SilentShare, now: Date): AlertEnd<'fleet_incident'> {
  return resolvedEnd(now, { evidence: { still_silent: silent } });
}
