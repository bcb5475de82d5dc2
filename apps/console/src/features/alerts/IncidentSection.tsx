import { Link } from '@tanstack/react-router';
import type { Incident } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { Pending } from '../../ui/States.js';
import { plural } from '../../ui/text.js';
import classes from './AlertPane.module.css';
import { useIncident } from './IncidentDecision.js';

/** What a fleet incident affects: its bottles, zones and medications, and what is held. */
export function IncidentSection({ alertId }: { alertId: string }) {
  const query = useIncident(alertId);
  const incident = query.data;
  return (
    <section className={classes['section']} aria-label="Affected">
      <h3>Affected</h3>
      {incident ? <Affected incident={incident} /> : <Pending query={query} lines={4} />}
    </section>
  );
}

function Affected({ incident }: { incident: Incident }) {
  const { began_at, bottles, still_silent, truncated, affected } = incident;
  return (
    <>
      <Facts
        rows={[
          ['Began', <Moment key="began" at={began_at} />],
          [
            'Bottles',
            `${truncated ? 'more than ' : ''}${plural(bottles, 'bottle')}, ${still_silent} still silent`,
          ],
          ['Time zones', shares(incident.time_zones)],
          ['Medications', shares(incident.medications)],
          ['Held', `${plural(incident.held_messages, 'message')} to ${incident.held_people} people`],
          ['Sent', plural(incident.sent_messages, 'message')],
        ]}
      />
      <details>
        <summary>{plural(bottles, 'silent bottle')}</summary>
        <ul aria-label="Silent bottles">
          {affected.map(({ alert_id, medication, user_id, time_zone, last_heard_at }) => (
            <li key={alert_id}>
              <Link to="/alerts/$alertId" params={{ alertId: alert_id }}>
                {medication} · {user_id}
              </Link>
              {time_zone && `, ${time_zone}`}
              {last_heard_at && (
                <>
                  , last seen <Moment at={last_heard_at} />
                </>
              )}
            </li>
          ))}
          {affected.length < bottles && <li>and {bottles - affected.length} more</li>}
        </ul>
      </details>
    </>
  );
}

/** `Europe/Berlin (12), UTC (4)`. */
function shares(all: Incident['time_zones']): string {
  return all.map(({ name, bottles }) => `${name} (${bottles})`).join(', ') || 'none';
}
