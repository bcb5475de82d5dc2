import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import type { Incident } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { Pending } from '../../ui/States.js';
import { whoseBottleText } from '../bottle/names.js';
import classes from './AlertPane.module.css';
import { atLeast, bottlesOf, messagesOf, peopleOf, useIncident } from './IncidentDecision.js';
import { numberText, t } from '../../i18n/i18n.js';

/** What a fleet incident affects: its bottles, zones and medications, and what is held. */
export function IncidentSection({ alertId }: { alertId: string }) {
  const query = useIncident(alertId);
  const incident = query.data;
  return (
    <section className={classes['section']} aria-label={t('Affected')}>
      <h3>{t('Affected')}</h3>
      {incident ? <Affected incident={incident} /> : <Pending query={query} lines={4} />}
    </section>
  );
}

function Affected({ incident }: { incident: Incident }) {
  const { began_at, bottles, still_silent, affected } = incident;
  const held = t('{{messages}} to {{people}}', {
    messages: messagesOf(incident, incident.held_messages),
    people: peopleOf(incident),
  });
  return (
    <>
      <Facts
        rows={[
          [t('Began'), <Moment key="began" at={began_at} />],
          [
            t('Bottles'),
            t('{{bottles}}, {{silent}} still silent', { bottles: bottlesOf(incident), silent: still_silent }),
          ],
          [t('Time zones'), shares(incident.time_zones)],
          [t('Medications'), shares(incident.medications)],
          [t('Held'), held],
          [t('Sent'), messagesOf(incident, incident.sent_messages)],
        ]}
      />
      <details className={classes['affected']}>
        <summary>{atLeast(incident, t('{{count, number}} silent bottles', { count: bottles }))}</summary>
        <ul aria-label={t('Silent bottles')}>
          {affected.map(({ alert_id, time_zone, last_heard_at, ...bottle }) => (
            <li key={alert_id}>
              <Link to="/alerts/$alertId" params={{ alertId: alert_id }}>
                {whoseBottleText(bottle)}
              </Link>
              {time_zone && `, ${time_zone}`}
              {last_heard_at && (
                <Trans i18nKey=", last seen <at/>" components={{ at: <Moment at={last_heard_at} /> }} />
              )}
            </li>
          ))}
          {affected.length < bottles && (
            <li>
              {t('and {{amount}} more', { amount: atLeast(incident, numberText(bottles - affected.length)) })}
            </li>
          )}
        </ul>
      </details>
    </>
  );
}

/** `Europe/Berlin (12), UTC (4)`. */
function shares(all: Incident['time_zones']): string {
  return all.map(({ name, bottles }) => `${name} (${bottles})`).join(', ') || t('none', { context: 'share' });
}
