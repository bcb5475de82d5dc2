import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { get } from '../../api/request.js';
import type { Alert, AlertDetail } from '../../api/schema.js';
import type { Page } from '../../api/vocabulary.js';
import { Moment } from '../../time/Moment.js';
import { Mark } from '../../ui/Mark.js';
import layout from '../fleet/FleetPage.module.css';
import classes from './FleetIncident.module.css';
import { bottlesOf, IncidentDecision, useIncident } from './IncidentDecision.js';
import { t } from '../../i18n/i18n.js';

/** One is open at a time. */
const NEWEST = 5;

/** Open fleet incidents, until they end: users are notified only after staff confirm one, and the decision can be undone. */
export function FleetIncidents({ open }: { open: number }) {
  const { data } = useQuery({
    queryKey: ['alerts', 'incidents'],
    queryFn: ({ signal }) =>
      get<Page<Alert>>('/v1/alerts', { query: { kind: 'fleet_incident', limit: NEWEST }, signal }),
    enabled: open > 0,
  });
  const standing = open > 0 ? (data?.items ?? []).filter(({ ended_at }) => ended_at === null) : [];
  return standing.map((incident) => <Incident key={incident.id} incident={incident} />);
}

function Incident({ incident: { id, raised_at } }: { incident: Alert }) {
  const { data } = useQuery({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => get<AlertDetail>(`/v1/alerts/${id}`, { signal }),
  });
  // the same count as on the page of the alert: what the alert says is of the moment in which it was raised
  const { data: incident } = useIncident(id);
  return (
    <section className={`${classes['incident']} ${layout['wide']}`} aria-label={t('Fleet incident')}>
      <Mark of={alertKind('fleet_incident')} size={22} />
      <div className={classes['text']}>
        <p>
          <strong>
            {incident
              ? t('{{bottles}} became silent at the same time, {{count, number}} of them are silent still.', {
                  bottles: bottlesOf(incident),
                  count: incident.still_silent,
                })
              : t('Many bottles became silent at the same time.')}
          </strong>{' '}
          <Trans i18nKey="Since <at/>." components={{ at: <Moment at={raised_at} /> }} />{' '}
          {incident && (
            <Trans
              i18nKey="Counted at <at/>."
              components={{ at: <Moment at={incident.counted_at} as="time" /> }}
            />
          )}{' '}
          {data && !data.decision && t('Nobody has been notified: messages wait for your decision.')}
        </p>
        <Link to="/alerts/$alertId" params={{ alertId: id }}>
          {t('View details')}
        </Link>
      </div>
      {data && (
        <div className={classes['actions']}>
          <IncidentDecision alert={data} />
        </div>
      )}
    </section>
  );
}
